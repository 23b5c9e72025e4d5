"""The commands of a session that have no final reply yet, in the order of their numbers."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from dreadclock.wire.commands import CommandBase
from dreadclock.wire.errors import Code, ProtocolViolation, Refused
from dreadclock.wire.frames import MAX_FRAME_BYTES, MAX_UNANSWERED


@dataclass(eq=False, slots=True)
class Ticket:
    """A command under way. `n`: its number in the session."""

    n: int
    frame: str = field(repr=False)
    sent: bool = False  # whether it was sent on this connection, and has no reply yet
    refusal: Refused | None = None  # a refusal after which the same number is sent again


class Unanswered:
    """The tickets without a final reply. Their numbers have no gap. A new ticket gets the next number."""

    def __init__(self) -> None:
        self._tickets: dict[int, Ticket] = {}
        self._next_n = 1

    def __iter__(self) -> Iterator[Ticket]:
        return iter(self._tickets.values())

    def add(self, command: CommandBase) -> Ticket:
        """Give a command the next number. Raises Refused(bad_command) if the command is too large for a frame.

        Raises RuntimeError if MAX_UNANSWERED commands have no final reply.
        """
        if len(self._tickets) >= MAX_UNANSWERED:
            raise RuntimeError(f"{MAX_UNANSWERED} commands are unanswered, no more may be sent")
        body = command.model_dump_json(exclude_none=True)
        ticket = Ticket(self._next_n, f'{{"type":"command","n":{self._next_n},"command":{body}}}')
        if len(ticket.frame.encode()) > MAX_FRAME_BYTES:
            raise Refused(Code.BAD_COMMAND, problem=f"it is larger than {MAX_FRAME_BYTES} bytes")
        self._next_n += 1
        self._tickets[ticket.n] = ticket
        return ticket

    def find(self, n: int) -> Ticket | None:
        """Return the ticket of a reply to command `n`; None if the command already had its final reply.

        Raises ProtocolViolation if the command was not sent on this connection.
        """
        ticket = self._tickets.get(n)
        if not 1 <= n < self._next_n or (ticket and not ticket.sent):
            raise ProtocolViolation(f"a reply to the command {n}, which was not sent")
        return ticket

    def remove(self, ticket: Ticket) -> None:
        """Remove a ticket that has its final reply."""
        del self._tickets[ticket.n]

    def stalled(self) -> list[Ticket]:
        """Return the first ticket that the server could not take, and all later tickets."""
        tickets = list(self)
        return next((tickets[place:] for place, ticket in enumerate(tickets) if ticket.refusal), [])

    def obstacle(self) -> Refused | None:
        """Return why the first stalled ticket was refused, once the server has replied to all stalled tickets.

        None before that, and if no ticket is stalled.
        """
        stalled = self.stalled()
        return stalled[0].refusal if stalled and not any(ticket.sent for ticket in stalled) else None

    def take_back(self) -> list[Ticket]:
        """Remove the stalled tickets. Their numbers are used again."""
        stalled = self.stalled()
        for ticket in stalled:
            self.remove(ticket)
        if stalled:
            self._next_n = stalled[0].n
        return stalled

    def clear(self) -> list[Ticket]:
        """Remove all tickets, and number from 1 again."""
        tickets, self._tickets, self._next_n = list(self), {}, 1
        return tickets

    def unsend(self) -> None:
        """Mark all tickets as not sent, after the connection was lost."""
        for ticket in self:
            ticket.sent, ticket.refusal = False, None

    def lag(self, refusal: Refused) -> bool:
        """Return whether a refusal expects a number that the server has answered before.

        If so, the server has lost the end of its log.
        """
        expected = refusal.details.get("expected")
        first = next(iter(self._tickets), self._next_n)
        return refusal.code is Code.OUT_OF_ORDER and isinstance(expected, int) and expected < first
