"""The interface between a story and its player. A story can be played over websockets or inside the server."""

from collections.abc import Mapping
from typing import Protocol

from dreadclock.wire.views import View

GM = "gm"


class Play(Protocol):
    """Plays the steps of a story. `who` in the methods: the name of a seat in the story."""

    @property
    def view(self) -> View:
        """The gm's current view."""

    def text(self, key: str) -> str:
        """Return one of the story's texts."""

    async def say(self, key: str, about: str | None = None) -> None:
        """Show the caption `key`, and return once people have had time to read it.

        `about`: the thing that the caption is about, such as `countdown:tide`.
        """

    async def do(self, who: str, kind: str, /, **fields: object) -> bool:
        """Send a command for a seat. Return False if it was refused, for example because watchers changed the room."""


async def begin_race(
    play: Play, scene: Mapping[str, object], race: Mapping[str, object], challenges: Mapping[str, tuple[str, str]]
) -> None:
    """Open a scene with a race against a threat in it. `scene`, `race`: fields of the two commands.

    `challenges`: the name and kind of each challenge, by id.
    """
    await play.do(GM, "open_scene", **scene)
    await play.do(GM, "start_situation", scene_id=scene["id"], kind="race", content="exploration", **race)
    for challenge, (name, kind) in challenges.items():
        await play.do(GM, "add_challenge", id=challenge, situation_id=race["id"], name=name, kind=kind)


async def try_challenge(play: Play, who: str, challenge: str, effort: str, note: str) -> None:
    """Let a player's character make an effort: an attempt to overcome a challenge.

    `who`: the name of the player's seat, which is also the id of the character. `effort`: the id of the new effort.
    """
    fields = {"id": effort, "challenge_id": challenge, "character_id": who, "note": note}
    await play.do(who, "attempt_effort", **fields)
