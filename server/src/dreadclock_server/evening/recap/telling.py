"""Write the parts of the recap whose lines have times: the story and the scenes."""

from collections.abc import Iterator, Sequence

from dreadclock.export import Step
from dreadclock.narration import Narrator
from dreadclock.wire.plain import isolated
from dreadclock_server.evening.recap.markup import Markup, items, joined, tag
from dreadclock_server.evening.recap.story import Chapter, Turn, chapters, scenes
from dreadclock_server.evening.recap.times import Times
from dreadclock_server.evening.recap.words import Words


class Telling:
    """Writes the lines of an evening. Times include the date if the evening spans several dates."""

    def __init__(self, steps: Sequence[Step], words: Words, times: Times) -> None:
        self._steps, self._say, self._times = steps, words, times
        self._days = len({times.date(step.record.at) for step in (*steps[:1], *steps[-1:])}) > 1

    def scenes(self) -> Markup:
        """Write a line for each scene; empty if there are none."""
        played = scenes(self._steps)
        said = (self._say("scene", status=scene.status, rolls=scene.rolls) for scene in played)
        lines = (
            self._line(scene.at, tag("strong", isolated(scene.name)), " ", tag("span", how, class_="soft"))
            for scene, how in zip(played, said, strict=True)
        )
        return items(lines, "told") if played else Markup("")

    def story(self, narrator: Narrator) -> Markup:
        """Write the story, with headings for chapters and turns if there are several."""
        chapters_told = chapters(self._steps, narrator)
        scenes = any(chapter.scene is not None for chapter in chapters_told)
        several = len({turn.number for chapter in chapters_told for turn in chapter.turns}) > 1
        below = "h4" if scenes else "h3"
        parts: list[Markup] = []
        for place, chapter in enumerate(chapters_told):
            if scenes:
                parts.append(tag("h3", self._heading(chapter, place, len(chapters_told))))
            for turn in chapter.turns:
                parts += self._turn(turn, below if several else None)
        return joined(parts)

    def _heading(self, chapter: Chapter, place: int, of: int) -> str:
        if chapter.scene is not None:
            return self._say("story.scene", name=chapter.scene)
        return self._say(f"story.{'before' if place == 0 else 'after' if place == of - 1 else 'between'}")

    def _turn(self, turn: Turn, heading: str | None) -> Iterator[Markup]:
        if heading is not None:
            yield tag(heading, self._say("story.turn", turn=turn.number))
        yield items((self._line(moment.at, moment.sentence, secret=moment.secret) for moment in turn.told), "told")

    def _line(self, at: int, *said: str, secret: bool = False) -> Markup:
        moment = self._times.moment(at).isoformat(timespec="seconds")
        written = f"{self._times.date(at)} {self._times.of_day(at)}" if self._days else self._times.of_day(at)
        time = tag("time", written, datetime=moment)
        return tag("li", time, " ", tag("span", *said), class_="secret" if secret else None)
