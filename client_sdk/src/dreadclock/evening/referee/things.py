"""What holds of whatever is started or rolled: its id, who owns it, who sees it, and where its dice come from."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.reader import Reader
from dreadclock.following.telling import Root, channel_of
from dreadclock.following.texts import text_limit_passed
from dreadclock.wire.base import Channel, Id, Kind, Role, RollProof, Visibility
from dreadclock.wire.ids import GM_PREFIX, is_server_made, made_id
from dreadclock.wire.things import (
    Character,
    CharacterStatus,
    CheckApproval,
    PhysicalDice,
    SceneStatus,
    SituationStatus,
)
from dreadclock.wire.views import View


def check_id(r: Reader, step: Step, kind: Kind, thing_id: Id, *, known: bool) -> None:
    """Check the id of a new thing; `known` tells whether the public hears of it."""
    part = step.before.channels[Channel.PUBLIC if known else step.record.channel]
    if known and r.begun == (kind, thing_id, Visibility.SEALED):
        return  # the public heard of it under this id, which was checked then
    if is_server_made(thing_id):
        fits = _may_be_next(thing_id, kind, part.made.get(kind, 0) + 1) if known else thing_id.startswith(GM_PREFIX)
    else:
        fits = thing_id.startswith(GM_PREFIX) != known and thing_id not in part.taken
    r.require(step, fits, f"the id {thing_id} is not one that it can have")


def _may_be_next(thing_id: Id, kind: Kind, number: int) -> bool:
    """Tell whether the server may make an id; earlier versions counted only those rolls that showed no token."""
    digits, lowest = thing_id.removeprefix(f"{kind}-"), 1 if kind is Kind.ROLL else number
    return digits.isdecimal() and lowest <= int(digits) <= number and thing_id == made_id(kind, int(digits))


def check_start(r: Reader, step: Step, kind: Kind, thing_id: Id, visibility: Visibility, *, rolled: bool) -> None:
    """Check where the start of a thing is told, and what goes before it if it is hidden."""
    r.require(step, step.record.channel is channel_of(visibility), "it does not lie where it belongs")
    announced = visibility is Visibility.SEALED or (rolled and visibility is not Visibility.PUBLIC)
    r.require(
        step,
        not announced or r.begun == (kind, thing_id, visibility),
        "what must go before a hidden thing is not there",
    )
    check_id(r, step, kind, thing_id, known=visibility is not Visibility.GM)
    if visibility is not Visibility.PUBLIC:
        r.allow(step)
    r.begun = None


def check_place(r: Reader, step: Step, root: Root) -> None:
    """Check that an event lies in the channel of those who know of it."""
    r.require(step, step.record.channel is root.channel, "it does not lie where it belongs")


def check_owner(r: Reader, step: Step, owner: Id | None) -> None:
    """Check who owns a new thing: a player's own seat, or whom another names, if not one that only looks on."""
    if r.role(step) is Role.PLAYER and not r.unseen:
        return r.require(step, owner == r.actor(step), "its owner is not who started it")
    seat = step.before.public.seats.get(owner or "")
    fits = owner is None or (seat is not None and seat.role is not Role.SPECTATOR)
    return r.require(step, fits, "its owner is no seat that may own something")


def check_made(r: Reader, step: Step, made_by: Id | None) -> None:
    """Check who is said to have made a new thing, and that open things of one maker have no more text than may be. E2.

    Earlier versions did not say who made a thing.
    """
    fits = made_by is None or (made_by == r.actor(step) and r.role(step) in (Role.PLAYER, Role.INTEGRATION))
    r.require(step, fits, "it was not made by who is said to have made it")
    check_text(r, step)


def check_text(r: Reader, step: Step) -> None:
    """Check that nobody but the gm wrote more than the things of one maker may have. Source: rules.md E2."""
    fits = r.role(step) is Role.GM or r.unseen or text_limit_passed(step.before.public, step.after.public) is None
    r.require(step, fits, "there is too much text in what one seat made")


def check_able(r: Reader, step: Step, character_id: Id, visibility: Visibility = Visibility.PUBLIC) -> Character | None:
    """Check that dice may be rolled for a character; a hidden one does nothing in public. D6, D7 and C24."""
    part = step.before.public if visibility is Visibility.PUBLIC else step.before
    one = part.characters.get(character_id)
    able = one is not None and one.status is CharacterStatus.IN_PLAY and one.crisis_due is None
    r.require(step, able, f"nothing may be rolled for {character_id}")
    return one


def check_dice(r: Reader, step: Step, *, physical: bool, proof: RollProof | None, any_dice: bool = True) -> None:
    """Check that faces are proven, or physical where that is allowed. Source: rules.md E1."""
    if not physical:
        return r.require(step, (proof is not None) == any_dice, "it does not say where its faces come from")
    allowed = step.before.public.policy.physical_dice
    may = allowed is PhysicalDice.EVERYONE or (allowed is PhysicalDice.GM and r.role(step) is Role.GM)
    r.require(step, may, "physical dice are not allowed")
    return r.require(step, proof is None, "physical dice have no proof")


def is_open_place(view: View, place_id: Id | None) -> bool:
    """Tell whether everyone sees that rolls can happen in this scene or situation. Source: rules.md C21."""
    public = view.public
    one = public.situations.get(place_id or "") or public.scenes.get(place_id or "")
    return one is not None and one.status in (SceneStatus.OPEN, SituationStatus.OPEN)


def must_wait(r: Reader, step: Step) -> bool:
    """Tell whether what a seat proposes waits for the gm."""
    return step.before.public.policy.check_approval is CheckApproval.GM and r.role(step) is not Role.GM
