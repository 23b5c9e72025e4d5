"""`dreadclock replay`: show an evening again. The records come from the room's export."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from dreadclock.cli.exports import EXPORT, read, sensible
from dreadclock.cli.language import LANGUAGE, narrator_of
from dreadclock.export import Step
from dreadclock.narration import ENGLISH, Narrator
from dreadclock_server.evening.recap.story import told, worth_telling
from dreadclock_server.evening.recap.times import Times
from dreadclock_server.evening.replay import Player
from dreadclock_server.tools.canvas import OVER, Pen, Rank, Row, Section
from dreadclock_server.tools.drawing import Seen, sections
from dreadclock_server.tools.keys import Keys, keys
from dreadclock_server.tools.layout import fitted, whole
from dreadclock_server.tools.words import Words, words_of

_LOOK_AGAIN_S: Final = 0.5  # how often to check the terminal's size


def replay(
    file: Annotated[Path, EXPORT],
    speed: Annotated[
        float, typer.Option(min=0, max=1e6, help="The speed, as a multiple of the real speed. 0: as fast as possible.")
    ] = 60.0,
    lang: Annotated[str, LANGUAGE] = ENGLISH,
) -> None:
    """Show an evening again, event by event.

    Each event shows the picture of `dreadclock watch`, its time and its sentence. Press space to pause and continue,
    left and right to step, q to end. No pause is longer than three seconds. If the output is not a terminal, all
    sentences are printed at once. The export's hash chain is checked first.
    """
    narrator, export = narrator_of(lang), read(file)
    with sensible(file):
        _play(worth_telling(tuple(export.steps())), speed, narrator)


def _play(steps: Sequence[Step], speed: float, narrator: Narrator) -> None:
    console, times = Console(highlight=False), Times()
    if not console.is_terminal:
        tell(steps, console, narrator, times)
    elif steps:
        with keys() as pressed:
            film = Film(steps, console, narrator, times)
            console.print(show(film, Player(len(steps), speed), pressed))


def tell(steps: Sequence[Step], console: Console, narrator: Narrator, times: Times) -> None:
    """Print an evening, a line for each sentence, with its date and time."""
    for step in steps:
        at, sentence = step.record.at, told(step, narrator).sentence
        console.print(Text(f"{times.date(at)} {times.to_the_second(at)}  {sentence}"), soft_wrap=True)


class Film:
    """The pictures of an evening. A picture is drawn only when it is shown."""

    def __init__(self, steps: Sequence[Step], console: Console, narrator: Narrator, times: Times) -> None:
        self.console = console
        self._steps, self._narrator, self._times = steps, narrator, times

    def gap_ms(self, place: int) -> int:
        """Return the milliseconds between the event of this picture and the event of the next picture."""
        return max(0, self._steps[place + 1].record.at - self._steps[place].record.at)

    def picture(self, player: Player) -> RenderableType:
        """Draw the current picture, as much of it as fits the terminal."""
        words = words_of(self._narrator.language)
        return fitted(self._sections(player.place, _state(player, words)), self.console, words)

    def last_words(self, player: Player) -> RenderableType:
        """Draw the last picture completely, for the output that stays in the terminal."""
        return whole(self._sections(player.place, ""))

    def _sections(self, place: int, state: str) -> list[Section]:
        step, pen = self._steps[place], Pen.on(self.console, self._narrator, ids=False)
        at = step.record.at
        of = pen.words("replay.place", place=place + 1, count=len(self._steps))
        when = f"{self._times.date(at)} {self._times.to_the_second(at)}   {of}{state}"
        now = Text(told(step, self._narrator).sentence, "bold")
        head = Section("", [Row((Text(when, OVER),), Rank.TOP), Row((now,), Rank.TOP)])
        return [head, *sections(Seen(step.after, dict.fromkeys(step.after.seats, 1)), pen)]


def _state(player: Player, words: Words) -> str:
    paused = "" if player.playing and not player.at_end else f"   {words('replay.paused')}"
    return f"{paused}   {words('replay.keys')}"


def show(film: Film, player: Player, pressed: Keys) -> RenderableType:
    """Show the pictures one after the other. Return the complete picture at which the replay ended.

    If keys can be read and the speed is not 0, wait for `q` at the end.
    """
    with Live(console=film.console, screen=True, auto_refresh=False, vertical_overflow="crop") as live:
        while not player.ended:
            live.update(film.picture(player), refresh=True)
            _go_on(film, player, pressed)
    return film.last_words(player)


def _go_on(film: Film, player: Player, pressed: Keys) -> None:
    """Wait until the next picture is due or a key is pressed. Then step to the picture, or do what the keys say.

    At the last picture, end the replay if nobody can press a key, or if the speed is 0.
    """
    if player.at_end and (player.speed == 0 or not pressed.available):
        player.ended = True
        return
    plays = player.playing and not player.at_end
    wanted = pressed.within(player.pause_s(film.gap_ms(player.place)) if plays else _LOOK_AGAIN_S)
    for key in wanted:
        player.press(key)
    if plays and not wanted:
        player.step(1)
