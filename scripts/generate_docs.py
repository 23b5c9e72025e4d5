"""Print docs/commands.md from the code: every command with what it takes, who may give it, and why it may be refused.

.venv/bin/python scripts/generate_docs.py > docs/commands.md
"""

import inspect
import sys
import tomllib
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any, Final, get_args

from dreadclock.rules.limits import MAX_NAME, MAX_TEXT
from dreadclock.wire import commands as c
from dreadclock.wire.base import Role
from dreadclock.wire.errors import SENTENCES
from dreadclock.wire.families.consequences import NEEDS
from dreadclock_server.core.access import ACCESS
from dreadclock_server.core.rights import SCOPES, Who

Schema = Mapping[str, Any]

_MEANINGS: Final = tomllib.loads((Path(__file__).parent / "parameters.toml").read_text(encoding="utf-8"))

_CHAPTERS: Final[Mapping[str, str]] = {  # modules of families, and commands that stand in another chapter than theirs
    "The room and its people": "room VoidCommand narrating",
    "Characters": "characters fates conditions",
    "Plain rolls and secrets": "dice secrets",
    "Countdowns": "countdowns countdown_changes",
    "Scenes, situations and races": "scenes situations staging challenges clocks Cancel",
    "Checks": "checks check_parts check_effects bargains",
    "Totals": "totals pushes crises",
    "Consequences": "consequences",
}
_SHARED_BY_ALL = {"type", *c.CommandBase.model_fields}
_SHARED_BY_ROLLS = {"type", *c.RollingCommand.model_fields}
_TOLD_ELSEWHERE: Final = {
    "CountdownToStart": "{what start_countdown takes}",
    "NewFumbleDoes": "{effect: text, do: [up to 8 of what attach_consequence does]}",
}
_WORDS: Final = {32: "new id", 40: "id"}  # texts by their length, where a pattern limits it
_LENGTHS: Final = {43: "32 bytes", 64: "name", 280: "text"}
_SPECIAL_WHO: Final[Mapping[type[c.CommandBase], str]] = {
    c.UpdateCharacter: "the gm; the owner, but for `owner`",
    c.RollDice: "the gm or a player; with a `character_id`, the gm or that character's owner",
    c.RollCheck: "the gm or the owner of the character whose part it is",
    c.RenameSeat: "the gm, or the seat itself",
    c.LeaveSeat: "anyone at the table but the gm",
    c.AttemptEffort: "the gm, or the owner of the character",
}
_EFFECTS: Final = "; ".join(f"`{does}` has {', '.join(f'`{name}`' for name in sorted(NEEDS[does]))}" for does in NEEDS)
_NOTES: Final[Mapping[type[c.CommandBase], str]] = {
    c.SetPolicy: "At first: `off`, `gm`, `true`, `gm`.",
    c.VoidCommand: "Only one of the latest 64, only while nothing has changed since what it touched, and none that"
    " was about a seat, sealed something or showed it, nor one with a die or a crisis of the server's dice. The faces"
    " of real dice may be mistyped: a command all of whose dice were real is taken back with all that it brought.",
    c.Narrate: "`outcome` calls it a success without a roll, or a failure by the circumstances that it tells of.",
    c.RenameSeat: "No seat but the gm's may be called `gm`, or as the gm's is, in whatever letters.",
    c.AddCharacter: "The gm or an integration may name any `owner`; a character that has none is the gm's to roll for.",
    c.OpenLane: "The anchor is t_0 of a chain of tokens, as `docs/protocol.md` says. A seat's latest 8 such lanes stay"
    " open.",
    c.Reveal: "Of a countdown, clock, scene, situation, check or roll; of a total, the number required.",
    c.StartCountdown: "A player's own, where the policy's `player_countdowns` is true; "
    "the gm or an integration may name any `owner`.",
    c.EndTurn: "It takes no `faces`: roll each countdown with its own first.",
    c.StartSituation: "Without a `party`, it is the players' characters in play. A level, or a newcomer, that the gm"
    " has not approved does not count for a race.",
    c.AttemptEffort: "`success` and `amount` are the gm's: she rules at once. A player's waits for `rule_effort`; one"
    " with just one character in play need not name it.",
    c.StartClock: "A player's own; the gm or an integration may name any `owner`.",
    c.AmendClock: "Clocks are called after what they belong to: `door-clock`, and `vault-threat` for a scene's threat."
    " At its end a clock has the consequences of a tick that took it there.",
    c.Cancel: "The threat of a race stays in its scene. Countdowns, checks and totals have commands of their own.",
    c.ProposeCheck: "Either a `score` or an `attribute` of the character's.",
    c.AdjustCheck: "`character_id` says whose score, bonus and penalty: the leader's unless said. `remove` takes a part"
    " out, even of a check that is being rolled if its character has died or retired.",
    c.HelpCheck: "Either a `score` or an `attribute`. The side `opposing` needs a leader first (`oppose_check`).",
    c.OpposeCheck: "Either a `score` or an `attribute`.",
    c.RollCheck: "The gm names the `character_id` where the part is a player's, unless it is the only one.",
    c.WithdrawCheck: "Later only if its own side has nobody left in play who could roll.",
    c.AnswerCost: "`terms` go with `counter`, and only with it.",
    c.AdjustTotal: "`without` takes the tool or the special attribute out.",
    c.AttachConsequence: "`at` names a countdown's stage, and goes with `stage` alone. Of what it does"
    f" {_EFFECTS}. [Countdowns](rules-countdowns.md#example) shows one.",
    c.DescribeCrisis: "`kind` is needed where neither the number nor the offer named it.",
}
_HEAD = """# Commands

Printed from the code by `scripts/generate_docs.py`. A command is a JSON object with its `type` and these fields:

```
{"type": "start_countdown", "name": "Fever", "pool": 6, "stages": [{"at": 2, "effect": "blind"}], "owner": "player-1"}
```

`?` marks what may be left out, and `=` what it is then. `0-60` is a whole number, `a | b` one of these words, `[...]`
a list, `{...}` an object, `32 bytes` 43 characters of base64url without padding. A `name` has 1 to {name} characters
and none that is invisible, a `text` up to {text}; both are one line. A `new id` is yours to choose: 1 to 32 of `a-z`,
`0-9`, `-`, never used before in the room. If you do not, the server makes one: so `countdown-3` and its like are taken,
and what ends in `-clock` or `-threat`. Ids of what only the gm knows begin with `gm-`, and no others do.

An `owner` is a seat id, such as `player-1`; `dreadclock watch` shows it in brackets. A check or a total is owned by the
owner of its character. A spectator owns nothing. The gm may do all that an owner or a player may, and nobody
else starts what is `sealed` (its name is known, nothing else) or `gm` (nothing is known).

Every command may carry a `note?: text`, shown with its event: to everyone, or to the gm alone if the command is about
something hidden. Where nothing happens that could carry it, it is told by itself (`narrated`). Every one that rolls (⚄)
may carry `faces?: [1-6]`, one for each die in the order rolled, read from physical dice where the policy's
`physical_dice` allows it, and `dice?: {lane: text, n: 1-1024, token?: 32 bytes, seen: number}`, which names the slot of
the ledger to roll in ([the protocol](protocol.md#dice) says how).

An integration to which a player lent her seat says with `act_for?: id` that it acts for her. `scope` is what an
integration needs for a command [of its own](protocol.md#integrations).
"""
_REFUSALS = """
# Refusals

A refusal has a `code`, a `sentence`, and in `details` what stands in braces here.

| code | sentence |
| --- | --- |
"""


def commands_page() -> str:
    """Return the whole page."""
    families = [f"\n## {title}\n" + "".join(map(_entry, _commands(names))) for title, names in _CHAPTERS.items()]
    refusals = [f"| `{code}` | {text} |" for code, text in SENTENCES.items()]
    head = _HEAD.replace("{name}", str(MAX_NAME)).replace("{text}", str(MAX_TEXT))
    return head + "".join(families) + _REFUSALS + "\n".join(refusals) + "\n"


def _commands(names: str) -> list[type[c.CommandBase]]:
    """Return the commands of families, and those that are named themselves."""
    every: tuple[type[c.CommandBase], ...] = get_args(get_args(c.Command)[0])
    return [each for name in names.split() for each in every if name in (each.__name__, each.__module__.split(".")[-1])]


def _entry(model: type[c.CommandBase]) -> str:
    """Tell of a command in a paragraph: what it does, who may give it, what it takes, what to mind."""
    rolls = issubclass(model, c.RollingCommand)
    does = (inspect.getdoc(model) or "").split("\n\n")[0].replace("\n", " ")
    row = ACCESS[model]
    scopes = ", ".join(f"scope `{SCOPES[who]}`" for who in Who if who in row.who and who in SCOPES)
    who = "; ".join(filter(None, (_SPECIAL_WHO.get(model, row.allowed_for(Role.PLAYER)), scopes)))
    head = f"**`{model.model_fields['type'].default}`**{' ⚄' * rolls} ({who}): {does} {_NOTES.get(model, '')}".rstrip()
    schema = model.model_json_schema()
    fields = _fields(schema, schema, without=_SHARED_BY_ROLLS if rolls else _SHARED_BY_ALL)
    return f"\n{head}\n" + "".join(f"- `{field}`: {_meaning(model, field)}\n" for field in fields)


def _meaning(model: type[c.CommandBase], field: str) -> str:
    """Explain a field that is written as `name?: shape`."""
    name, every = field.partition(":")[0].rstrip("?"), _MEANINGS["every"]
    meaning = _MEANINGS.get(model.model_fields["type"].default, {}).get(name) or every[name]
    return str(meaning).replace(" None: ", " Left out: ")


def _fields(schema: Schema, root: Schema, without: Set[str] = frozenset()) -> list[str]:
    """Write the fields of an object, first those that are needed."""
    needed = [name for name in schema["properties"] if name in schema.get("required", ())]
    others = [name for name in schema["properties"] if name not in (*needed, *without)]
    return [_field(name, schema["properties"][name], root) for name in needed] + [
        _field(f"{name}?", schema["properties"][name], root) for name in others
    ]


def _field(name: str, field: Schema, root: Schema) -> str:
    return f"{name}: {_shape(field, root)}{_default(field)}"


def _default(field: Schema) -> str:
    value = field.get("default")
    return "" if value in (None, [], {}) else f" = {str(value).lower()}"


def _shape(field: Schema, root: Schema) -> str:
    """Write a type as short as it can be read."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        once = {**root, "$defs": {**root["$defs"], name: {"enum": [f"{name}, as above"]}}}  # it may hold itself
        return _TOLD_ELSEWHERE.get(name) or _shape(root["$defs"][name], once)
    if "anyOf" in field:
        return " | ".join(_shape(each, root) for each in field["anyOf"] if each.get("type") != "null")
    if "enum" in field:
        return " | ".join(field["enum"])
    return _PLAIN[field["type"]](field, root)


def _text(field: Schema, root: Schema) -> str:
    length = field.get("maxLength")
    return _LENGTHS[length] if length else _WORDS[int(field["pattern"].rpartition("{")[2].rstrip("}$").split(",")[-1])]


def _number(field: Schema, root: Schema) -> str:
    least, most = field["minimum"], field.get("maximum")
    if most is None:
        return f"{least} or more"
    return f"{least}-{most}" if least >= 0 else f"{least} to {most}"


def _list(field: Schema, root: Schema) -> str:
    most = f"up to {field['maxItems']} " if "maxItems" in field else ""
    return f"[{most}{_shape(field['items'], root)}]"


def _object(field: Schema, root: Schema) -> str:
    if "properties" in field:
        return "{" + ", ".join(_fields(field, root)) + "}"
    (value,) = field["patternProperties"].values()
    return f"{{name: {_shape(value, root)}}}"


_PLAIN: Final = {
    "string": _text,
    "boolean": lambda field, root: "true | false",
    "integer": _number,
    "array": _list,
    "object": _object,
}


if __name__ == "__main__":
    sys.stdout.write(commands_page())
