"""The commands that a seat may send, from `access.json`. This JSON file is generated from the server's access rules."""

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final, TypedDict, get_args

from dreadclock.wire.base import Role, Scope
from dreadclock.wire.commands import Command, CommandBase
from dreadclock.wire.things import Seat

_BY_ITSELF: Final = ("open_lane",)  # the client library sends this command before its first roll
_NEVER_THE_GMS: Final = ("leave_seat",)  # commands that anyone except the gm may send
_PLAYERS: Final = frozenset(("player", "owner", "anyone"))
_GMS: Final = frozenset(("gm", "anyone"))


class _Access(TypedDict):
    open_to: dict[str, list[str]]  # by command: who may send it
    called: dict[str, str]  # by kind of seat: words for it
    own_hand: list[str]  # commands that a seat may send only in its own name


def tag(model: type[CommandBase]) -> str:
    """Return the `type` of a command."""
    return str(model.model_fields["type"].default)


def commands() -> dict[str, type[CommandBase]]:
    """Return every command by its type."""
    return {tag(model): model for model in get_args(get_args(Command)[0])}


def open_commands(seat: Seat) -> dict[str, type[CommandBase]]:
    """Return the commands that a seat may send, in the order of the protocol.

    Includes commands that only the owner of a thing may send: the server checks who owns it. Leaves out commands
    that the client library sends by itself. A spectator may send none.
    """
    names = set(_open_names(seat)).difference(_BY_ITSELF)
    return {name: model for name, model in commands().items() if name in names}


def allowed(name: str, seat: Seat) -> str:
    """Return words for the seats that may send a command. Scopes are named only if `seat` is an integration.

    Empty if every seat may send it, if the command is unknown, or if there is no seat to name.
    """
    table, integrates = _table(), seat.role is Role.INTEGRATION
    who = [seat_kind for seat_kind in table["open_to"].get(name, ()) if integrates or seat_kind not in set(Scope)]
    return " or ".join(table["called"][seat_kind] for seat_kind in who if seat_kind != "anyone")


def _open_names(seat: Seat) -> Iterator[str]:
    table = _table()
    for name, who in table["open_to"].items():
        if seat.role is Role.GM:
            is_open = name not in _NEVER_THE_GMS and not _GMS.isdisjoint(who)
        elif seat.role is Role.PLAYER:
            is_open = not _PLAYERS.isdisjoint(who)
        else:
            lent = Scope.ACT_FOR in seat.scopes and name not in table["own_hand"] and not _PLAYERS.isdisjoint(who)
            is_open = seat.role is Role.INTEGRATION and (lent or not set(seat.scopes).isdisjoint(who))
        if is_open:
            yield name


@cache
def _table() -> _Access:
    table: _Access = json.loads(files(__package__).joinpath("access.json").read_text(encoding="utf-8"))
    return table
