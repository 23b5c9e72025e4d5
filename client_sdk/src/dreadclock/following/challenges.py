"""What efforts against challenges do, be they rolls or not. Source: rules.md B1, B7 and B13."""

from dreadclock.following import clocks
from dreadclock.following.telling import Telling
from dreadclock.wire.base import Id
from dreadclock.wire.events import Cause
from dreadclock.wire.things import Challenge, ChallengeKind, ChallengeStatus, SituationKind
from dreadclock.wire.views import View


def tick_threat(t: Telling, challenge: Challenge, cause: Cause = Cause.EFFORT) -> None:
    """Tick the threat for an effort in a race; attacks on foes do not tick it. Source: rules.md B7 and B13."""
    situation = t.view.situations[challenge.situation_id]
    if situation.kind is SituationKind.RACE and challenge.kind is not ChallengeKind.FOE:
        clocks.tick(t, str(t.view.scenes[situation.scene_id].threat_id), 1, cause)


def roll_begins(t: Telling, challenge_id: Id | None, *, hidden: bool) -> None:
    """Tick the threat for a roll that is about to be made, whatever it will show. Source: rules.md B1 and B13."""
    challenge = _still_open(t, challenge_id)
    if challenge is not None:
        tick_threat(t, challenge, _cause(hidden))


def roll_succeeds(t: Telling, challenge_id: Id | None, *, hidden: bool) -> None:
    """Take a point off the challenge that a roll overcame, unless the attempt lost the race. Source: rules.md B1."""
    challenge = _still_open(t, challenge_id)
    if challenge is not None:
        clocks.tick(t, challenge.clock_id, 1, _cause(hidden))


def _still_open(t: Telling, challenge_id: Id | None) -> Challenge | None:
    challenge = t.view.challenges.get(challenge_id or "")
    if challenge is None or challenge.status is not ChallengeStatus.OPEN or stands_still(t.view, challenge):
        return None
    return challenge


def stands_still(view: View, challenge: Challenge) -> bool:
    """Tell whether the scene of a challenge is set aside. Source: rules.md B20."""
    return view.scenes[view.situations[challenge.situation_id].scene_id].aside


def _cause(hidden: bool) -> Cause:
    """Return the cause as a public event may name it, which names no roll that is hidden."""
    return Cause.HIDDEN if hidden else Cause.EFFORT
