"""Transcripts: what a client is given and what must come of it, step by step, for clients in any language.

A transcript is a JSON file: a `room`, a `token`, a `client`, and `steps`. A step says what to `do` with the client
(`connect`, `receive` a frame, `submit` a command, `resend`, `give_up`, or that the connection was `closed` with a
code) and what must come of it:

    sends      the frames that it hands over then
    outputs    what it tells: a record by its channel and seq, a reply, a fresh view, or why commands wait
    violation  that it must not take the frame; `refused` and `full`: that it must not take the command
    state, positions, and what changes in the view by the step; what is left out stays as it was

In a view, dictionaries are lists of pairs, for their order counts, and `recent` gives only seqs; what the records of
the end say is in the transcript's own `recent`. Changes are a field's new value, or of a dictionary `put` and `gone`.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dreadclock.client.outcomes import Acknowledged, Answered, Output, Stalled, ViewReplaced
from dreadclock.client.protocol import ClientProtocol
from dreadclock.wire.commands import COMMAND
from dreadclock.wire.errors import ProtocolViolation, Refused
from dreadclock.wire.records import Record
from dreadclock.wire.views import View

FOLDER = Path(__file__).parents[2] / "golden" / "transcripts"
Json = Any
Parts = dict[str, dict[str, Json]]  # a view, field by field


def transcript_files() -> list[Path]:
    """List the transcripts."""
    return sorted(FOLDER.glob("*.json"))


def taken(client: ClientProtocol, step: Mapping[str, Any]) -> Sequence[Output]:
    """Do with a client what a step says. It must refuse what it must not take, and nothing else."""
    try:
        outputs = _done(client, step)
    except (ProtocolViolation, RuntimeError):
        assert step.get("violation") or step.get("full"), step
        return ()
    assert not step.get("violation"), step
    assert not step.get("full"), step
    return outputs


def _done(client: ClientProtocol, step: Mapping[str, Any]) -> Sequence[Output]:
    match step["do"]:
        case "receive":
            return client.receive("\n".join(step["frame"]))
        case "give_up":
            return client.give_up()
        case "submit":
            client.submit(COMMAND.validate_json(json.dumps(step["command"])))
        case other:
            {"connect": client.connect, "closed": client.disconnect, "resend": client.resend}[other]()
    return ()


# Views


def written_view(view: View) -> Parts:
    """Write a view as transcripts do."""
    parts = _json(view)
    for channel, part in view.channels.items():
        fields = parts[channel]
        for name, value in part:
            if isinstance(value, dict):
                fields[name] = [[key, fields[name][key]] for key in value]
        fields["recent"] = [record.seq for record in part.recent]
    return parts


def written_recent(view: View) -> Json:
    """Write the records that a view remembers."""
    return {channel: fields["recent"] for channel, fields in _json(view).items()}


def _json(view: View) -> Parts:
    parts: Parts = json.loads(view.model_dump_json(exclude_none=True))["channels"]
    return parts


def changes_between(before: Parts, after: Parts) -> Parts:
    """Say what changed; a channel that is new is told whole."""
    if before.keys() != after.keys():
        return after
    changes: Parts = {}
    for channel, part in after.items():
        known = before[channel]
        changed = {name: _change(known.get(name), value) for name, value in part.items() if known.get(name) != value}
        if changed:
            changes[channel] = changed
    return changes


def changed_by(before: Parts, changes: Parts) -> Parts:
    """Return a view after such changes."""
    if not before.keys() >= changes.keys():
        return changes
    after = dict(before)
    for channel, fields in changes.items():
        applied = {name: _applied(before[channel].get(name), change) for name, change in fields.items()}
        after[channel] = {**before[channel], **applied}
    return after


def _change(known: Json, value: Json) -> Json:
    if not _is_pairs(value) and not _is_pairs(known):
        return value
    old, new = dict(map(tuple, known or [])), dict(map(tuple, value))
    put = [[key, thing] for key, thing in new.items() if key not in old or old[key] != thing]
    change = {"put": put, "gone": [key for key in old if key not in new]}
    return change if _applied(known, change) == value else value


def _applied(known: Json, change: Json) -> Json:
    if not isinstance(change, Mapping) or change.keys() != {"put", "gone"}:
        return change
    things = {key: thing for key, thing in known or [] if key not in change["gone"]}
    things.update(change["put"])
    return [[key, thing] for key, thing in things.items()]


def _is_pairs(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, list) and len(each) == 2 for each in value)


# What a client tells


def written_output(output: Output) -> Json:
    """Write what a client tells."""
    match output:
        case Record():
            return {"type": "happened", "channel": output.channel, "seq": output.seq}
        case ViewReplaced(reason=reason, differs=differs):
            return {"type": "view_replaced", "reason": reason} | ({"differs": differs} if differs else {})
        case Answered(ticket=ticket, outcome=Acknowledged() as done):
            records = [[record.channel, record.seq] for record in done.records]
            fields = {"positions": done.positions, "records": records, "complete": done.complete}
            return {"type": "answered", "n": ticket.n, "done": fields}
        case Answered(ticket=ticket, outcome=Refused() as refused):
            return {"type": "answered", "n": ticket.n, "refused": written_refusal(refused)}
        case Stalled(refusal=refusal):
            return {"type": "stalled", "refused": written_refusal(refusal)}
    raise TypeError(output)


def written_refusal(refused: Refused) -> Json:
    """Write a refusal, but for its sentence, whose wording may change."""
    return {"code": refused.code, "details": refused.details}
