"""Small things with defaults, the events that begin them, and the views that events fold to."""

from typing import Any

from dreadclock.rules.countdown import Speed
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel
from dreadclock.wire.views import ChannelView, View
from kit.table import BOTH, Log


def view_after(*events: e.Event, channel: Channel = Channel.PUBLIC) -> View:
    log = Log(*BOTH)
    for event in events:
        log.write(event, channel)
    return log.view


def after(*events: e.Event, channel: Channel = Channel.PUBLIC) -> ChannelView:
    return view_after(*events, channel=channel).channels[channel]


def public_after(*events: e.Event) -> ChannelView:
    return view_after(*events).public


def countdown(number: int | str = 1, **fields: Any) -> t.Countdown:
    return t.Countdown(**{"id": f"c{number}", "name": "C", "pool": 4, "speed": Speed.SLOW, "started": 1, **fields})


def clock(clock_id: str, kind: t.ClockKind, of: str | None = None, value: int = 3) -> t.Clock:
    return t.Clock(id=clock_id, kind=kind, name="C", of=of, size=9, value=value)


def scene_opened(scene_id: str = "bomb") -> e.SceneOpened:
    opened = t.Scene(id=scene_id, name="S", clock_id=f"{scene_id}-clock")
    return e.SceneOpened(scene=opened, clock=clock(f"{scene_id}-clock", t.ClockKind.SCENE, scene_id))


def situation_started(situation_id: str = "run", scene_id: str = "bomb", race: bool = True) -> e.SituationStarted:
    kind, content, own_id = t.SituationKind.RACE, t.Content.SOCIAL, f"{situation_id}-clock"
    situation = t.Situation(id=situation_id, scene_id=scene_id, name="R", kind=kind, content=content, clock_id=own_id)
    threat = clock(f"{scene_id}-threat", t.ClockKind.THREAT, scene_id) if race else None
    own = clock(own_id, t.ClockKind.SITUATION, situation_id)
    return e.SituationStarted(situation=situation, clock=own, threat=threat)


def challenge_added(challenge_id: str = "door", situation_id: str = "run") -> e.ChallengeAdded:
    own = clock(f"{challenge_id}-clock", t.ClockKind.CHALLENGE, challenge_id)
    kind = t.ChallengeKind.BARRIER
    challenge = t.Challenge(id=challenge_id, situation_id=situation_id, name="D", kind=kind, clock_id=own.id)
    return e.ChallengeAdded(challenge=challenge, clock=own)


def effort_made(effort_id: str = "kick", challenge_id: str = "door") -> e.EffortMade:
    return e.EffortMade(effort=t.Effort(id=effort_id, challenge_id=challenge_id, seat_id="gm"))


RACE = (scene_opened(), situation_started(), challenge_added(), effort_made())
