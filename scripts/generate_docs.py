"""Print docs/commands.md from the code: every command with its fields, who may send it, and the refusals.

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
    c.SetPolicy: "A new room has `physical_dice` off, `check_approval` gm, `player_countdowns` true and `care` gm.",
    c.VoidCommand: "Possible for the latest 64 commands, if nothing that the command touched has changed since. Not"
    " possible for commands about a seat, for commands that sealed or revealed something, and for rolls of the server's"
    " dice and crises that came of them. Real dice may be mistyped: a command with only real dice can be undone.",
    c.Narrate: "`outcome` declares a success without a roll, or a failure because of the circumstances in the text.",
    c.RenameSeat: "Only the gm's seat may be called `gm` or have the gm's name, in upper or lower case.",
    c.AddCharacter: "The gm or an integration may name any `owner`. The gm rolls for a character without an owner.",
    c.OpenLane: "The anchor is t_0 of a chain of tokens ([dice in the protocol](protocol.md#dice)). The latest 8"
    " such lanes of a seat stay open.",
    c.Reveal: "A countdown, clock, scene, situation, check or roll; or the number required of a total.",
    c.StartCountdown: "Players may start countdowns of their own if the policy's `player_countdowns` is true. "
    "The gm or an integration may name any `owner`.",
    c.EndTurn: "It takes no `faces`: roll countdowns with real dice before, one by one.",
    c.StartSituation: "Without `party`, the party is the players' characters in play. A race does not count levels"
    " and new characters that the gm has not approved.",
    c.AttemptEffort: "The gm may rule at once with `success` and `amount`. A player's effort waits for `rule_effort`. A"
    " player with one character in play need not name it.",
    c.StartClock: "A player's clock is the player's own. The gm or an integration may name any `owner`.",
    c.AmendClock: "Clocks have the id of their thing: `door-clock`, and `vault-threat` for a scene's threat."
    " A clock that is set to its end has the same consequences as a tick to its end.",
    c.Cancel: "The threat of a race stays in its scene. For countdowns, checks and totals there are other commands.",
    c.ProposeCheck: "Either a `score` or an `attribute` of the character's.",
    c.AdjustCheck: "`score`, `bonus` and `penalty` are those of `character_id`, by default the leader. `remove` takes a"
    " part out; while the check is being rolled, only if the character has died or retired.",
    c.HelpCheck: "Either a `score` or an `attribute`. The side `opposing` needs a leader first (`oppose_check`).",
    c.OpposeCheck: "Either a `score` or an `attribute`.",
    c.RollCheck: "The gm names the `character_id` of a player's part, unless the check has only one part.",
    c.WithdrawCheck: "Later only if nobody of its own side is left in play to roll.",
    c.AnswerCost: "`terms` are for `counter` only.",
    c.AdjustTotal: "`without` takes the tool or the special attribute out.",
    c.AttachConsequence: "`at` is a countdown's stage, and is for `stage` only. Fields of the effects:"
    f" {_EFFECTS}. [Countdowns](rules-countdowns.md#example) has an example.",
    c.DescribeCrisis: "`kind` is needed if neither the number required nor the offer named it.",
}
_HEAD = r"""# Commands

This page lists every command with its fields, who may send it, and the [refusals](#refusals). `make generate` writes
it from the code. A command is a JSON object with a `type` and its fields:

```
{"type": "start_countdown", "name": "Fever", "pool": 6, "stages": [{"at": 2, "effect": "blind"}], "owner": "player-1"}
```

## How to read the fields

| notation | means |
| --- | --- |
| `field?` | the field is optional |
| `= value` | its value if it is absent |
| `0-60` | a whole number in this range |
| `a \| b` | one of these words |
| `[...]`, `{...}` | a list, an object |
| `32 bytes` | 43 characters of base64url without padding |
| `name` | 1 to {name} characters in one line, none of them invisible |
| `text` | up to {text} characters in one line |
| `new id` | an id of your choice: 1 to 32 of `a-z`, `0-9`, `-`, never used before in the room |
| ⚄ | the command rolls dice |

**Ids.** If you leave a new id out, the server makes one. So ids such as `countdown-3`, and ids that end in `-clock`
or `-threat`, are reserved. Ids of things that only the gm sees begin with `gm-`, and no other ids do.

**Owners.** An `owner` is a seat id, such as `player-1`; `dreadclock watch` shows it in brackets. The owner of a
character owns its checks and totals. A spectator owns nothing. The gm may do everything that an owner or a player may
do.

**Visibility.** Only the gm starts things that are `sealed` (others see the name only) or `gm` (others see nothing).

Some fields are not repeated below:

- Every command takes `note?: text`. The note is shown with the command's event: to everyone, or to the gm alone if
  the command is about something hidden. If there is no event, the note becomes its own event (`narrated`).
- Every command that rolls (⚄) takes `faces?: [1-6]`: the faces of physical dice in the order rolled, if the policy's
  `physical_dice` allows them.
- Every command that rolls also takes `dice?: {lane: text, n: 1-1024, token?: 32 bytes, seen: number}`: the slot of
  the dice ledger to roll in ([dice in the protocol](protocol.md#dice)).
- Every command of an integration takes `act_for?: id`: the player who lent the seat to this integration, and for whom
  it acts. `scope` below is what an integration needs to send a command [for itself](protocol.md#integrations).
"""
_REFUSALS = """
## Refusals

A refusal has a `code`, a `sentence`, and `details` with the values of the names in braces.

| code | sentence |
| --- | --- |
"""


def commands_page() -> str:
    """Return the whole page."""
    families = [f"\n## {title}\n" + "".join(map(_entry, _commands(names))) for title, names in _CHAPTERS.items()]
    refusals = [f"| `{code}` | {text} |" for code, text in SENTENCES.items()]
    head = _HEAD.replace("to {name} char", f"to {MAX_NAME} char").replace("to {text} char", f"to {MAX_TEXT} char")
    return head + "".join(families) + _REFUSALS + "\n".join(refusals) + "\n"


def _commands(names: str) -> list[type[c.CommandBase]]:
    """Return the commands of families, and those that are named themselves."""
    every: tuple[type[c.CommandBase], ...] = get_args(get_args(c.Command)[0])
    return [cls for name in names.split() for cls in every if name in (cls.__name__, cls.__module__.split(".")[-1])]


def _entry(model: type[c.CommandBase]) -> str:
    """Return a paragraph about a command: its name, who may send it, what it does, its fields."""
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
        return " | ".join(_shape(branch, root) for branch in field["anyOf"] if branch.get("type") != "null")
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
