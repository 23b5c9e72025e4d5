"""A host for one client: the real core of the server, speaking its real frames, and a transcript of what is said."""

import json
from collections.abc import Sequence
from itertools import count
from typing import Any

from dreadclock.client.outcomes import Output
from dreadclock.client.protocol import ClientProtocol
from dreadclock.wire.base import Channel
from dreadclock.wire.commands import CommandBase
from dreadclock.wire.errors import ProtocolViolation, Refused, sentence
from dreadclock.wire.frames import Client, Pending, Presence, RefusedFrame, ResetReason, Welcome, frame_text
from dreadclock.wire.records import Head, Positions
from dreadclock.wire.views import View
from dreadclock_server.core.decide import decide
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.room import Room, empty_room, replay
from dreadclock_server.core.sessions import Done, No, Outcome
from dreadclock_server.dice import Ledger
from dreadclock_server.gateway.ws.connection import ack_for
from dreadclock_server.gateway.ws.hub import events_frames, positions_of, reset_frame
from dreadclock_server.rooms.answers import done
from dreadclock_server.rooms.views import ViewCache, part_of
from kit.tables import LOG, ROOM, Order, command_of
from kit.transcripts.written import (
    Json,
    Parts,
    changed_by,
    changes_between,
    written_output,
    written_recent,
    written_refusal,
    written_view,
)

Frames = list[str]


class Host:
    """A room, decided by the core; what a viewer hears of it is written by the gateway's own functions."""

    def __init__(self, viewer: Actor, log_id: str = LOG) -> None:
        self.viewer = viewer
        self.room: Room = empty_room(ROOM, log_id)
        self.types: set[str] = set()  # of the events that the viewer heard of
        self._heads: dict[Channel, list[Head]] = {channel: [head] for channel, head in self.room.positions.items()}
        self._texts: dict[Channel, list[str]] = {channel: [] for channel in Channel}
        self._ledger, self._fresh, self._now = Ledger(ROOM, bytes(range(32))), count(1), count(1_700_000_000_000)

    def do(self, order: Order, by: Actor) -> Outcome:
        """Decide a command, and let happen what comes of it."""
        try:
            decision = decide(
                self.room,
                command_of(order),
                by=by,
                dice=self._ledger,
                now_ms=next(self._now),
                fresh=lambda: f"{next(self._fresh):012x}",
            )
        except Refused as refused:
            return No(refused.code, refused.details)
        self.happen([each.text for each in decision.written])
        return done(decision)

    def happen(self, texts: Sequence[str]) -> None:
        """Let the records of a command happen."""
        self.room, records = replay(self.room, texts)
        for written in records:
            self._texts[written.record.channel].append(written.text)
            self._heads[written.record.channel].append(written.head)
            if written.record.channel in self.viewer.channels:
                self.types.add(written.event.type)

    @property
    def positions(self) -> Positions:
        """Where the viewer's channels stand."""
        return positions_of(self.room, self.viewer.channels)

    def events(self, after: Positions) -> Frames:
        """Write what the viewer missed since then."""
        frames: Frames = []
        for channel, known in after.items():
            texts = self._texts[channel][known.seq :]
            frames += [frame.text for frame in events_frames(channel, texts, known, self._heads[channel][-1])]
        return frames

    def welcome(self, *, resumed: bool = False, with_view: bool = True, session: str = "session-1") -> str:
        """Write a welcome; one that resumes shows no view."""
        return frame_text(
            Welcome(
                room=self.room.room_id,
                log_id=self.room.log_id,
                seat=self.viewer.seat_id,
                role=self.viewer.role,
                session=session,
                durability="fsync",
                positions=self.positions,
                resumed=resumed,
                view=part_of(self.room.view, self.viewer.channels) if with_view and not resumed else None,
            )
        )

    def reset(self, reason: ResetReason, differs: dict[Channel, int] | None = None) -> str:
        """Write a reset."""
        return reset_frame(ViewCache(), self.room, self.viewer.channels, reason, differs).text

    def reply(self, n: int, outcome: Outcome) -> str:
        """Write the final reply to a command."""
        if isinstance(outcome, Done):
            return frame_text(ack_for(self.viewer.channels, n, outcome))
        text = sentence(outcome.code, outcome.details)
        return frame_text(RefusedFrame(n=n, code=outcome.code, sentence=text, details=outcome.details))


class Recorder:
    """A client of a host, and the transcript of all that they say to each other."""

    def __init__(self, about: str, host: Host) -> None:
        self.host = host
        self.client = ClientProtocol(ROOM, "token", Client(name="transcript", version="1"))
        self._about = about
        self._steps: list[dict[str, Json]] = []
        self._view: Parts = {}
        self._seen: View | None = None
        self._positions: Positions = {}
        self._state = "apart"
        self._heard: Positions = {}

    # What the client is made to do

    def connect(self) -> None:
        """Let the client connect; the host has yet to welcome it."""
        self.client.connect()
        self._note({"do": "connect"})

    def close(self, code: int, *, for_good: bool = False) -> None:
        """Close the connection."""
        self.client.disconnect()
        self._note({"do": "closed", "code": code, "for_good": for_good})

    def submit(self, order: Order) -> list[int]:
        """Let the client submit a command, and return the numbers of the commands that it sends."""
        command = command_of(order)
        assert isinstance(command, CommandBase)
        step = {"do": "submit", "command": json.loads(command.model_dump_json(exclude_none=True))}
        try:
            self.client.submit(command)
        except Refused as refused:
            step["refused"] = written_refusal(refused)
        except RuntimeError:
            step["full"] = True
        return self._note(step)

    def resend(self) -> list[int]:
        """Let the client send stalled commands again."""
        self.client.resend()
        return self._note({"do": "resend"})

    def give_up(self) -> None:
        """Let the client give stalled commands up."""
        self._note({"do": "give_up"}, self.client.give_up())

    # What the client hears

    def hear(self, *frames: str) -> list[int]:
        """Let the client hear frames, and return the numbers of the commands that it sends then."""
        sent: list[int] = []
        for frame in frames:
            sent += self._note({"do": "receive", "frame": frame.split("\n")}, self.client.receive(frame))
        return sent

    def spoil(self, frame: str) -> None:
        """Let the client hear a frame that it must not take."""
        try:
            self.client.receive(frame)
        except ProtocolViolation:
            self._note({"do": "receive", "frame": frame.split("\n"), "violation": True})
        else:
            raise AssertionError(f"the client took {frame}")

    def join(self) -> None:
        """Connect and be shown the whole view."""
        self.connect()
        self.hear(self.host.welcome(), frame_text(Presence(here={self.host.viewer.seat_id: 1})))
        self._heard = self.host.positions

    def come_back(self) -> list[int]:
        """Connect again, hear exactly what was missed, and return the numbers of the commands that are sent then."""
        self.connect()
        sent = self.hear(self.host.welcome(resumed=True))
        self.catch_up()
        return sent

    def catch_up(self) -> None:
        """Hear what has happened since the client last heard of anything."""
        self.hear(*self.host.events(self._heard))
        self._heard = self.host.positions

    def told_anew(self) -> None:
        """Note that the client has just been shown where the host stands."""
        self._heard = self.host.positions

    def order(self, order: Order, by: Actor) -> Outcome:
        """Let a seat give a command; if it is the viewer's, the client submits it and hears the reply."""
        numbers = self.submit(order) if by == self.host.viewer and isinstance(command_of(order), CommandBase) else []
        outcome = self.host.do(order, by)
        self.catch_up()
        self.hear(*(self.host.reply(n, outcome) for n in numbers))
        return outcome

    def answer(self, n: int, outcome: Outcome) -> None:
        """Answer a command."""
        self.hear(self.host.reply(n, outcome))

    def pending(self, n: int) -> None:
        """Say that a command is not yet as durable as promised."""
        self.hear(frame_text(Pending(n=n)))

    # The transcript

    def _note(self, step: dict[str, Json], outputs: Sequence[Output] = ()) -> list[int]:
        sends = [json.loads(frame) for frame in self.client.frames_to_send()]
        step |= {"sends": sends} if sends else {}
        step |= {"outputs": [written_output(each) for each in outputs]} if outputs else {}
        if self.client.state.value != self._state:
            step["state"] = self._state = self.client.state.value
        self._steps.append(step | self._changes())
        return [frame["n"] for frame in sends if frame["type"] == "command"]

    def _changes(self) -> dict[str, Json]:
        mirror = self.client._mirror
        if mirror is None or (mirror.positions == self._positions and mirror.view is self._seen):
            return {}
        self._seen = mirror.view
        view = written_view(mirror.view)
        changes = changes_between(self._view, view)
        assert changed_by(self._view, changes) == view
        self._view, self._positions = view, dict(mirror.positions)
        positions = {channel: head.model_dump() for channel, head in mirror.positions.items()}
        return {"positions": positions, **({"view": changes} if changes else {})}

    def text(self) -> str:
        """Return the transcript; the client must see at the end what the core of the server says that it sees."""
        seen = self.client.mirror.view
        if self.client.mirror.positions == self.host.positions:
            assert seen == part_of(self.host.room.view, self.host.viewer.channels)
        fields: dict[str, Any] = {
            "about": self._about,
            "room": ROOM,
            "token": "token",
            "client": {"name": "transcript", "version": "1"},
            "steps": self._steps,
            "recent": written_recent(seen),
        }
        return _pretty(fields)


def _pretty(fields: dict[str, Any]) -> str:
    """Write JSON with a line for each step, so that differences can be read."""
    steps = ",\n".join(json.dumps(step, ensure_ascii=False) for step in fields.pop("steps"))
    rest = ",\n".join(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items())
    return f'{{\n{rest},\n"steps": [\n{steps}\n]\n}}\n'
