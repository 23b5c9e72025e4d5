"""The client's side of the protocol, without I/O. It takes text frames, and returns outputs and frames to send.

    state       what the server may send                       what happens to commands
    APART       nothing: there is no connection                they are kept
    GREETING    welcome                                        they are kept
    REPLACING   reset, with a whole new view                   they are kept
    OPEN        events, ack, refused, pending, reset,          they are sent, unless earlier ones are stalled
                presence, knocks

Commands are numbered 1, 2, 3 ... in a session, which outlives connections. The server takes them in that order.
Every command gets one final reply. Three refusals do not use up the number (`UNCOUNTED`): the command and all later
commands are then stalled until `resend` or `give_up`. After a reconnect, all unanswered commands are sent again. If
the server has applied a command already, it repeats its first reply, so nothing is done twice.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any

from dreadclock.client.mirror import Mirror
from dreadclock.client.newer import read_frame, refusal_of
from dreadclock.client.outcomes import Acknowledged, Answered, Output, Stalled, ViewReplaced
from dreadclock.client.unanswered import Ticket, Unanswered
from dreadclock.wire import frames
from dreadclock.wire.base import Id, RoomId
from dreadclock.wire.commands import CommandBase
from dreadclock.wire.errors import UNCOUNTED, Code, ProtocolViolation, Refused
from dreadclock.wire.records import Positions, opening_head
from dreadclock.wire.views import View


class State(Enum):
    """The state of a client's connection."""

    APART = "apart"
    GREETING = "greeting"
    REPLACING = "replacing"
    OPEN = "open"


class ClientProtocol:
    """The client's side of the protocol, over a series of connections.

    After each call, `frames_to_send` has the frames for the server. After a ProtocolViolation, the state is the same
    as before the frame. Close the connection, call `disconnect`, then start again with `connect`.
    """

    def __init__(
        self, room_id: RoomId, token: str, client: frames.Client | None = None, *, knocks: bool = False
    ) -> None:
        self.state: State = State.APART
        self.session: str | None = None
        self.here: dict[Id, int] = {}
        self.knocks: tuple[frames.WaitingKnock, ...] = ()
        self._asks_for_knocks = knocks or None
        self._room_id, self._token, self._client = room_id, token, client
        self._welcome: frames.Welcome | None = None  # the latest welcome, without its view
        self._mirror: Mirror | None = None
        self._unanswered = Unanswered()
        self._outgoing: list[str] = []
        self._asked = False  # whether this connection has asked for the view
        self._whole = True  # whether the last frame was understood completely

    @property
    def welcome(self) -> frames.Welcome:
        """The latest welcome, without its view. Raises RuntimeError before the first welcome."""
        if self._welcome is None:
            raise RuntimeError("the room has not welcomed this client yet")
        return self._welcome

    @property
    def mirror(self) -> Mirror:
        """The view with its positions. Raises RuntimeError before the first welcome."""
        if self._mirror is None:
            raise RuntimeError("the room has not welcomed this client yet")
        return self._mirror

    def frames_to_send(self) -> list[str]:
        """Return the frames to send, in order, and clear the list."""
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    def connect(self) -> None:
        """Start on a new connection: send a hello with this client's session and positions.

        Raises RuntimeError if the state is not APART.
        """
        if self.state is not State.APART:
            raise RuntimeError("the last connection has not been given up")
        positions = self._mirror.positions if self._mirror else None
        hello = frames.Hello(
            token=self._token,
            client=self._client,
            session=self.session,
            positions=positions,
            knocks=self._asks_for_knocks,
        )
        self._outgoing = [frames.frame_text(hello)]
        self.state = State.GREETING

    def disconnect(self) -> None:
        """Set the state after the connection was lost. Unanswered commands are sent again on the next connection."""
        self.state = State.APART
        self._outgoing, self._asked = [], False
        self._unanswered.unsend()

    def submit(self, command: CommandBase) -> Ticket:
        """Give a command its number. It is sent now, or later if the state is not OPEN or earlier commands are stalled.

        Raises Refused(bad_command) if the command is too large for a frame, and RuntimeError if 64 commands are
        unanswered already.
        """
        ticket = self._unanswered.add(command)
        if self.state is State.OPEN and not self._unanswered.stalled():
            self._send(ticket)
        return ticket

    def resend(self) -> None:
        """Send all stalled commands again, if the server has replied to all of them."""
        if self._unanswered.obstacle():
            for ticket in self._unanswered.stalled():
                ticket.refusal = None
                self._send(ticket)

    def give_up(self) -> list[Output]:
        """End all stalled commands with the refusal of the first, once the server has replied to all.

        None was applied.
        """
        why = self._unanswered.obstacle()
        if why is None:
            return []
        return [Answered(ticket, Refused(why.code, **why.details)) for ticket in self._unanswered.take_back()]

    def receive(self, frame: str) -> list[Output]:
        """Process a text frame, and return its outputs in order.

        Raises ProtocolViolation if the frame is not allowed now, or contradicts earlier frames. If the server does not
        continue the session, the state becomes APART: connect again.
        """
        first, _, rest = frame.partition("\n")
        message, understood = read_frame(first)
        if isinstance(message, frames.EventsHeader) and self.state is State.OPEN:
            records = self.mirror.take(message.heads, rest.split("\n") if rest else ())
            self._ask_for_view()
            return list(records)
        if rest or not isinstance(message, _LEGAL[self.state]):
            raise ProtocolViolation(f"a frame of the type {message.type} while {self.state.value}")
        self._whole = understood
        return _TAKEN[type(message)](self, message)

    def _ask_for_view(self) -> None:
        """Ask once per connection for the view, after a record that this version does not understand."""
        if not self.mirror.complete and not self._asked:
            self._asked = True
            self._outgoing.append(frames.frame_text(frames.Resync()))

    def _welcomed(self, welcome: frames.Welcome) -> list[Output]:
        if welcome.v != frames.PROTOCOL_VERSION or welcome.room != self._room_id:
            raise ProtocolViolation(f"a welcome to {welcome.room} in version {welcome.v} of the protocol")
        outputs: list[Output] = [*self._viewed(welcome)]
        if self.session is not None and self.session != welcome.session:
            outputs += self._forget_session()
        self.session = welcome.session
        self._welcome = welcome.model_copy(update={"view": None})
        if welcome.resumed or welcome.view is not None:
            self._open()
        else:
            self.state = State.REPLACING
        return outputs

    def _viewed(self, welcome: frames.Welcome) -> list[ViewReplaced]:
        """Check that a welcome continues from our positions, or take the welcome's view."""
        mirror = self._mirror
        if welcome.view is not None:
            self._mirror = self._fresh(welcome.log_id, welcome.positions, welcome.view)
            return [ViewReplaced(_why_anew(mirror.positions, welcome.positions))] if mirror else []
        if mirror is None:
            raise ProtocolViolation("a first welcome without a view")
        same = welcome.log_id == self.welcome.log_id and welcome.positions.keys() == mirror.positions.keys()
        if welcome.resumed and not same:
            raise ProtocolViolation("a welcome that resumes another log or other channels")
        return []

    def _reset(self, reset: frames.Reset) -> list[Output]:
        if reset.reason is frames.ResetReason.ASKED:
            return self._renewed(reset)
        self._mirror = self._fresh(reset.log_id, reset.positions, reset.view)
        self._welcome = self.welcome.model_copy(update={"log_id": reset.log_id})
        if self.state is State.REPLACING:
            self._open()
        return [ViewReplaced(reset.reason, reset.differs)]

    def _renewed(self, reset: frames.Reset) -> list[Output]:
        if not self._asked or self.state is not State.OPEN or reset.log_id != self.welcome.log_id:
            raise ProtocolViolation("a view that was not asked for")
        self.mirror.renew(reset.positions, reset.view, whole=self._whole)
        self._asked = False
        return [ViewReplaced(reset.reason)]

    def _fresh(self, log_id: str, positions: Positions, view: View) -> Mirror:
        for channel, head in positions.items():
            if head.seq == 0 and head != opening_head(self._room_id, log_id, channel):
                raise ProtocolViolation(f"the channel {channel} starts from another head than its own")
        return Mirror(positions, view, self._room_id, whole=self._whole)

    def _open(self) -> None:
        self.state = State.OPEN
        self._ask_for_view()
        for ticket in self._unanswered:
            self._send(ticket)

    def _acknowledged(self, ack: frames.Ack) -> list[Output]:
        ticket = self._unanswered.find(ack.n)
        if ticket is None:
            return []
        records = self.mirror.find(ack.events)
        outcome = Acknowledged(ack.n, ack.positions, records or (), complete=records is not None)
        return self._answer(ticket, outcome)

    def _refused(self, frame: frames.RefusedFrame) -> list[Output]:
        ticket = self._unanswered.find(frame.n)
        if ticket is None:
            return []
        refusal = refusal_of(frame.code, frame.sentence, frame.details)
        if frame.code is Code.SESSION_EXPIRED or self._unanswered.lag(refusal):
            self.state = State.APART
            return self._forget_session()
        if frame.code not in UNCOUNTED:
            return self._answer(ticket, refusal)
        ticket.sent, ticket.refusal = False, refusal
        return self._stall()

    def _pending(self, pending: frames.Pending) -> list[Output]:
        self._unanswered.find(pending.n)
        return []

    def _presence(self, presence: frames.Presence) -> list[Output]:
        self.here = presence.here
        return []

    def _knocked(self, knocks: frames.Knocks) -> list[Output]:
        self.knocks = knocks.waiting
        return []

    def _answer(self, ticket: Ticket, outcome: Acknowledged | Refused) -> list[Output]:
        self._unanswered.remove(ticket)
        return [Answered(ticket, outcome), *self._stall()]

    def _stall(self) -> list[Output]:
        why = self._unanswered.obstacle()
        return [Stalled(why)] if why else []

    def _send(self, ticket: Ticket) -> None:
        self._outgoing.append(ticket.frame)
        ticket.sent = True

    def _forget_session(self) -> list[Output]:
        """Use a new session next time. The outcome of the old session's unanswered commands stays unknown."""
        self.session = None
        return [Answered(ticket, Refused(Code.SESSION_EXPIRED)) for ticket in self._unanswered.clear()]


_LEGAL: dict[State, tuple[type, ...]] = {
    State.APART: (),
    State.GREETING: (frames.Welcome,),
    State.REPLACING: (frames.Reset,),
    State.OPEN: (frames.Ack, frames.RefusedFrame, frames.Pending, frames.Reset, frames.Presence, frames.Knocks),
}
_TAKEN: dict[type, Callable[[ClientProtocol, Any], list[Output]]] = {
    frames.Welcome: ClientProtocol._welcomed,
    frames.Ack: ClientProtocol._acknowledged,
    frames.RefusedFrame: ClientProtocol._refused,
    frames.Pending: ClientProtocol._pending,
    frames.Reset: ClientProtocol._reset,
    frames.Presence: ClientProtocol._presence,
    frames.Knocks: ClientProtocol._knocked,
}


def _why_anew(held: Positions, sent: Positions) -> frames.ResetReason:
    """Return why a server did not resume, by comparing our positions with the server's."""
    for channel, head in held.items():
        theirs = sent.get(channel)
        if theirs and (theirs.seq < head.seq or (theirs.seq == head.seq and theirs != head)):
            return frames.ResetReason.FORKED
    return frames.ResetReason.TOO_OLD
