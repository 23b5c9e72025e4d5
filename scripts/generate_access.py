"""Print what is open to whom, for the SDK, from the server's one table of access: an assistant offers no more."""

import json

from dreadclock.wire.commands import CommandBase
from dreadclock_server.core.access import ACCESS, OWN_HAND
from dreadclock_server.core.rights import SCOPES, Who


def files() -> dict[str, str]:
    """Return the table as JSON.

    By command those whom it is open to, an integration's right by the scope that it takes; what these are called; and
    the commands that nobody gives for another.
    """
    rows = (f'    "{_tag(model)}": {_names(row.who)}' for model, row in ACCESS.items())
    called = json.dumps({_name(who): who for who in Who}, indent=4).replace("}", "  }")
    own_hand = json.dumps([_tag(model) for model in OWN_HAND])
    opened = '  "open_to": {\n' + ",\n".join(rows) + "\n  }"
    text = f'{{\n{opened},\n  "called": {called},\n  "own_hand": {own_hand}\n}}\n'
    return {"server/src/dreadclock_server/tools/assistant/access.json": text}


def _tag(model: type[CommandBase]) -> str:
    return str(model.model_fields["type"].default)


def _name(who: Who) -> str:
    return SCOPES[who] if who in SCOPES else who.name.lower()


def _names(who: frozenset[Who]) -> str:
    return json.dumps([_name(holder) for holder in Who if holder in who])
