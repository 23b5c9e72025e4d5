"""What a story is written against, so that the same steps are played over websockets or inside the server."""

from collections.abc import Mapping
from typing import Protocol

from dreadclock.wire.views import View

GM = "gm"


class Play(Protocol):
    """Whoever plays a story, at whatever pace. Seats are named as the story names them."""

    @property
    def view(self) -> View:
        """What the gm sees now."""

    def text(self, key: str) -> str:
        """Return one of the story's texts."""

    async def say(self, key: str, about: str | None = None) -> None:
        """Show a caption about the thing `about` (such as `countdown:tide`), and return once it was read."""

    async def do(self, who: str, kind: str, /, **fields: object) -> bool:
        """Let a seat give a command, and return whether it was taken: watchers may have changed the room."""


async def begin_race(
    play: Play, scene: Mapping[str, object], race: Mapping[str, object], challenges: Mapping[str, tuple[str, str]]
) -> None:
    """Open a scene with a race of exploration in it. `challenges`: names and kinds by id."""
    await play.do(GM, "open_scene", **scene)
    await play.do(GM, "start_situation", scene_id=scene["id"], kind="race", content="exploration", **race)
    for challenge, (name, kind) in challenges.items():
        await play.do(GM, "add_challenge", id=challenge, situation_id=race["id"], name=name, kind=kind)


async def try_challenge(play: Play, who: str, challenge: str, effort: str, note: str) -> None:
    """Let a player's character, which has the id of its seat, make an effort against a challenge."""
    fields = {"id": effort, "challenge_id": challenge, "character_id": who, "note": note}
    await play.do(who, "attempt_effort", **fields)
