"""The interface that stories use, so that a story can be played over websockets or inside the server."""

from collections.abc import Mapping
from typing import Protocol

from dreadclock.wire.views import View

GM = "gm"


class Play(Protocol):
    """Plays the steps of a story at its own pace. `who` in its methods is the story's name of a seat."""

    @property
    def view(self) -> View:
        """The gm's current view."""

    def text(self, key: str) -> str:
        """Return one of the story's texts."""

    async def say(self, key: str, about: str | None = None) -> None:
        """Show a caption about the thing `about` (such as `countdown:tide`). Return after the time for reading it."""

    async def do(self, who: str, kind: str, /, **fields: object) -> bool:
        """Send a command for a seat. Return False if it was refused: watchers may have changed the room."""


async def begin_race(
    play: Play, scene: Mapping[str, object], race: Mapping[str, object], challenges: Mapping[str, tuple[str, str]]
) -> None:
    """Open a scene with a race in it. `challenges`: the name and kind of each challenge, by id."""
    await play.do(GM, "open_scene", **scene)
    await play.do(GM, "start_situation", scene_id=scene["id"], kind="race", content="exploration", **race)
    for challenge, (name, kind) in challenges.items():
        await play.do(GM, "add_challenge", id=challenge, situation_id=race["id"], name=name, kind=kind)


async def try_challenge(play: Play, who: str, challenge: str, effort: str, note: str) -> None:
    """Let a player's character make an effort against a challenge. The character has the same id as the player's
    seat.
    """
    fields = {"id": effort, "challenge_id": challenge, "character_id": who, "note": note}
    await play.do(who, "attempt_effort", **fields)
