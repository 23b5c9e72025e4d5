"""Write what the JavaScript client knows of the messages: their types, and the shapes that it reads them by.

`dreadclock.types.d.ts` is for editors and tsc, `shapes.js` for the running client: which fields a message has, which
of them have to be there, and what stands for those that an older room left out. `room_calls.js` has the REST calls.
"""

import enum
import inspect
import json
import re
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter
from pydantic.fields import FieldInfo

from dreadclock.wire import base, calls, commands, events, frames, records, rest, views
from dreadclock.wire.calls import Call

NAMES = {records.Record: "EventRecord", views.View: "ViewParts", frames.RefusedFrame: "RefusedFrame"}
WRITTEN = "Written by scripts/generate_js_types.py: change the models, not this file."
commands.StartCountdown.model_rebuild()  # resolves the name of a type that is defined after it
COMMANDS = get_args(get_args(commands.Command)[0])
EVENTS = get_args(get_args(events.Event)[0])
SERVER_FRAMES = get_args(get_args(frames.ServerFrame)[0])
CLIENT_FRAMES = (frames.Hello, frames.CommandFrame, frames.Resync)
ROOM_CALLS: dict[str, Call[Any]] = {  # by the functions of JavaScript
    "invite": calls.INVITE,
    "tokens": calls.LIST_TOKENS,
    "roomSize": calls.GET_SIZE,
    "addresses": calls.GET_ADDRESSES,
    "undoable": calls.GET_UNDOABLE,
    "revoke": calls.REVOKE_TOKEN,
    "shareRecap": calls.SHARE_RECAP,
    "recaps": calls.LIST_RECAPS,
    "withdrawRecap": calls.WITHDRAW_RECAP,
    "knocks": calls.LIST_KNOCKS,
    "answerKnock": calls.ANSWER_KNOCK,
    "deleteRoom": calls.DELETE_ROOM,
}
OF_ANY_SEAT = {"undoable"}  # the other ones are for a gm
ANSWERED = [call.answer for call in ROOM_CALLS.values() if call.answer is not None]
ANSWERS = (rest.RoomOpening, rest.QrCode, rest.Knocking, *((*get_args(kind), kind)[0] for kind in ANSWERED))
BODIES = (rest.OpenRoom, rest.Knock, *(call.body for call in ROOM_CALLS.values() if call.body is not None))
Model = type[BaseModel]

ROOM_CALLS_HEAD, SHAPES = (  # before what is generated
    Path(__file__).with_name(name).read_text("utf-8") for name in ("room_calls_head.txt", "shapes_head.txt")
)
ROOM_CALL = """
/**
 * {summary}.{rights}
 * @param {{string | Link}} link
{parameters} * @returns {{Promise<{answer}>}}
 */
export function {name}({names}) {{
  return callRoom({arguments});
}}
"""


# What is written, and in which order


def parts_of(annotation: Any) -> Iterator[Any]:
    """Give the models and enums that a type is made of, but for the union of all events."""
    if annotation is events.Event:
        return
    if isinstance(annotation, type) and issubclass(annotation, BaseModel | enum.StrEnum):
        yield annotation
    elif get_origin(annotation) is Literal:
        yield from (type(word) for word in get_args(annotation) if isinstance(word, enum.Enum))
    else:
        for part in get_args(annotation):
            yield from parts_of(part)


def reachable(roots: tuple[Model, ...]) -> list[Any]:
    """List models and enums that these are made of, themselves included, each after what it is made of."""
    models: dict[Any, None] = {}

    begun: set[Any] = set()  # a model may be made of others of its own kind

    def visit(model: Any) -> None:
        if model not in begun and issubclass(model, BaseModel):
            begun.add(model)
            for inner in (part for field in model.model_fields.values() for part in parts_of(whole(field))):
                visit(inner)
        models.setdefault(model)

    for root in roots:
        visit(root)
    return list(models)


def whole(field: FieldInfo) -> Any:
    """Return a field's annotation with the metadata that pydantic keeps apart."""
    is_event = any(getattr(item, "discriminator", None) for item in field.metadata) or field.discriminator
    return events.Event if is_event else field.annotation


def name_of(model: Any) -> str:
    """Return the name of a model or an enum in JavaScript."""
    return NAMES.get(model) or str(model.__name__)


# Types


def typescript(annotation: Any, given: bool = False, ours: bool = False) -> str:
    """Write a type; `given` as it stands in a command, `ours` as a view keeps it."""
    origin, inside = get_origin(annotation), get_args(annotation)
    if annotation is events.Event:
        return "Event"
    if origin is Annotated:
        return typescript(inside[0], given, ours)
    if origin in (types.UnionType, Union):
        return " | ".join(typescript(branch, given, ours) for branch in inside if branch is not type(None))
    if origin is Literal:
        return " | ".join(json.dumps(word) for word in inside)
    if origin is tuple:
        items = [typescript(part, given, ours) for part in inside if part is not Ellipsis]
        return f"ReadonlyArray<{items[0]}>" if ... in inside else f"readonly [{', '.join(items)}]"
    if origin is dict:
        return _dictionary(inside[0], inside[1], ours)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel | enum.StrEnum):
        return name_of(annotation) + ("Given" if given and _varies(annotation) else "")
    return {str: "string", int: "number", bool: "boolean"}.get(annotation, "unknown")


def _dictionary(key: Any, value: Any, ours: bool) -> str:
    if key is base.Channel:
        return f"{{ readonly [channel in Channel]?: {typescript(value)} }}"
    item = typescript(value)
    return f"ReadonlyMap<string, {item}>" if ours else f"{{ readonly [key: string]: {item} }}"


def _varies(model: Any) -> bool:
    """Tell whether a model may be written shorter in a command than it is told in an event."""
    return model in _TOLD and any(not field.is_required() and field.default is not None for field in _fields(model))


def _fields(model: Any) -> list[FieldInfo]:
    return list(model.model_fields.values()) if issubclass(model, BaseModel) else []


def _interface(model: Model, given: bool) -> str:
    name = name_of(model) + ("Given" if given and _varies(model) else "")
    lines = [f"/** {_said(model)} */", f"export interface {name} {{"]
    for name, field in model.model_fields.items():
        left_out = not field.is_required() and (given or _default(field) is None) and name != "type"
        written = typescript(whole(field), given, ours=model is views.ChannelView)
        lines.append(f"  readonly {name}{'?' if left_out else ''}: {written}{' | null' if given and left_out else ''};")
    return "\n".join([*lines, "}"])


def _said(documented: Any) -> str:
    return (inspect.getdoc(documented) or "").split("\n\n")[0].replace("\n", " ")


def _enum(choices: type[enum.StrEnum]) -> str:
    return _union(choices.__name__, _said(choices), map(json.dumps, choices))


def _union(name: str, what: str, members: Iterable[str]) -> str:
    return f"/** {what} */\nexport type {name} =\n  | " + "\n  | ".join(members) + ";"


# REST


def room_calls_text() -> str:
    """Return the whole of room_calls.js."""
    functions = (_function(name, call) for name, call in ROOM_CALLS.items())
    written = WRITTEN.replace("the models", "wire/calls.py")
    return f"// @ts-check\n// {written}\n\n{ROOM_CALLS_HEAD}" + "".join(functions)


def _function(name: str, call: Call[Any]) -> str:
    """Write a call as a function of a link, the variable parts of the path, the needed query, and the body."""
    path = call.path.removeprefix("/api/rooms/{room}").replace("_id", "Id")
    path = re.sub(r"{(\w+)}", r"${encodeURIComponent(\1)}", path)
    path += "".join(f"?{key}=${{encodeURIComponent({key})}}" for key in call.needed)
    types = dict.fromkeys(re.findall(r"Component\((\w+)", path), "string")
    types |= {"body": f"T.{name_of(call.body)}"} if call.body is not None else {}
    return ROOM_CALL.format(
        name=name,
        summary=call.summary.replace("?confirm=", "`confirm`"),
        rights="" if name in OF_ANY_SEAT else " Only a gm may.",
        parameters="".join(f" * @param {{{kind}}} {key}\n" for key, kind in types.items()),
        answer=_promised(call.answer),
        names=", ".join(["link", *types]),
        arguments=", ".join([f'"{call.method}"', "link", f"`{path}`", *["body"][: "body" in types]]),
    )


def _promised(answer: Any) -> str:
    parts = get_args(answer)
    return f"T.{name_of(parts[0])}[]" if parts else f"T.{name_of(answer)}" if answer is not None else "void"


_TOLD = set(reachable((*SERVER_FRAMES, records.Record, *EVENTS)))


def types_text() -> str:
    """Return the whole of dreadclock.types.d.ts."""
    received = reachable((*SERVER_FRAMES, records.Record, *EVENTS, *ANSWERS))
    sendable = reachable((*COMMANDS, *CLIENT_FRAMES, *BODIES))
    asked = [model for model in sendable if model not in received or _varies(model)]
    blocks = [
        f"// {WRITTEN}\n//\n// Dictionaries in a view are Maps: objects would not keep the order of ids like `10`."
    ]
    blocks += [_interface(model, given=False) if issubclass(model, BaseModel) else _enum(model) for model in received]
    blocks += [_interface(model, given=True) if issubclass(model, BaseModel) else _enum(model) for model in asked]
    blocks.append(_union("Event", "A past fact of a room.", map(name_of, EVENTS)))
    blocks.append(_union("Command", "A wish of a seat; it may be refused.", map(name_of, COMMANDS)))
    blocks.append(_union("ServerFrame", "What a server says.", map(name_of, SERVER_FRAMES)))
    return "\n\n".join(blocks) + "\n"


# Shapes


def _default(field: FieldInfo) -> Any:
    value = field.get_default(call_default_factory=True)
    return TypeAdapter(Any).dump_python(value, mode="json", exclude_none=True)


def _shape(model: Model, left_out: Sequence[str]) -> str:
    fields = [_field(model, name, field) for name, field in model.model_fields.items() if name not in left_out]
    text = " ".join(fields)
    return f"'{text}'" if '"' in text else f'"{text}"'


def _field(model: Model, name: str, field: FieldInfo) -> str:
    annotation = whole(field)
    of = _made_of(annotation)
    kind = ("<>" if model is views.ChannelView else "{}") if _is_dictionary(annotation) else ""
    return f"{name}{f':{of}' if of else ''}{kind}{'' if field.is_required() else _otherwise(field)}"


def _otherwise(field: FieldInfo) -> str:
    default = _default(field)
    return "?" if default is None else f"={json.dumps(default, separators=(',', ':'))}"


def _is_dictionary(annotation: Any) -> bool:
    return get_origin(annotation) is dict or any(get_origin(part) is dict for part in get_args(annotation))


def _made_of(annotation: Any) -> str | None:
    if annotation is events.Event:
        return "Event"
    models = [part for part in parts_of(annotation) if issubclass(part, BaseModel)]
    return name_of(models[0]) if models else None


def _table(name: str, what: str, shapes: dict[str, Model], first: Mapping[str, str] = {}) -> str:
    rows = "".join(f"  {key}: {_shape(model, tuple(first))},\n" for key, model in shapes.items())
    common = f", '{' '.join(first.values())} '" if first else ""
    return f"/** {what} */\nexport const {name} = read({{\n{rows}}}{common});\n"


def _by_type(members: tuple[Any, ...]) -> dict[str, Model]:
    return {member.model_fields["type"].default: member for member in members}


def shapes_text() -> str:
    """Return the whole of shapes.js."""
    tagged = {*EVENTS, *SERVER_FRAMES}
    models = {
        name_of(model): model
        for model in reachable((*SERVER_FRAMES, records.Record, *EVENTS))
        if issubclass(model, BaseModel) and model not in tagged
    }
    tables = [
        _table("MODELS", "The parts of messages, by name.", models),
        _table("EVENTS", "The events, by type.", _by_type(EVENTS), {"note": "note?", "type": 'type="*"'}),
        _table(
            "FRAMES",
            "What a server says, by type; of an events frame its first line.",
            _by_type(SERVER_FRAMES),
            {"type": 'type="*"'},
        ),
    ]
    return "\n".join((f"// {WRITTEN}\n\n{SHAPES}", *tables))


def files() -> dict[str, str]:
    """Return the three files."""
    texts = {"dreadclock.types.d.ts": types_text(), "shapes.js": shapes_text(), "room_calls.js": room_calls_text()}
    return {f"client_sdk/js/{name}": text for name, text in texts.items()}
