"""The numbers of a room side by side: as the model has them, and as the server shows them to the gm."""

from typing import Any

from dreadclock.rules.total import CrisisKind
from dreadclock.wire.base import Channel
from dreadclock.wire.views import View
from kit.model.room import Model

Picture = dict[str, object]
SAME = {  # what both call the same
    "countdown": ("pool", "status", "speed", "owner", "bound_to", "bound_id", "about", "fate", "repeats", "made_by"),
    "clock": ("value", "size", "made_by"),
    "scene": ("status", "aside", "turn", "sixes_add"),
    "situation": ("status", "outcome"),
    "challenge": ("status",),
    "effort": (),
    "roll": (),
    "consequence": (),
    "check": ("status", "contest", "made_by"),
    "total": ("status", "pool", "enough", "secret", "crisis", "made_by"),
    "character": ("status", "owner", "level", "made_by"),
}


def of_model(model: Model) -> Picture:
    """Picture what the model holds."""
    room = ({each: model.lent.get(each) for each in model.seats}, model.turn, model.closed, _policy(vars(model.policy)))
    picture: Picture = {"room": room}
    for key, one in model.things.items():
        picture[key] = _thing(_MODEL, one.kind, model, one, model.seen_by(one) == "public")
    return picture


def of_view(view: View) -> Picture:
    """Picture what the gm sees of a room."""
    picture: Picture = {
        "room": (
            {each.id: each.lent_to for each in view.seats.values()},
            view.turn,
            view.public.closed,
            _policy(dict(view.policy)),
        )
    }
    for kind in SAME:
        hidden = getattr(view.channels[Channel.GM], f"{kind}s")
        for key, one in getattr(view, f"{kind}s").items():
            picture[key] = _thing(_VIEW, kind, view, one, key not in hidden)
    return picture


def _policy(fields: dict[str, object]) -> list[tuple[str, str]]:
    return sorted((key, str(value)) for key, value in fields.items())


def _thing(others: dict[str, Any], kind: str, room: Model | View, one: Any, is_public: bool) -> object:
    more = others[kind](room, one) if kind in others else ()
    return (kind, is_public, *(getattr(one, name) for name in SAME[kind]), *more)


def _boxes(kinds: list[str]) -> tuple[int, int]:
    return kinds.count("physical"), kinds.count("mental")


_MODEL: dict[str, Any] = {
    "situation": lambda m, one: (one.rounds,),
    "effort": lambda m, one: (one.of,),
    "check": lambda m, one: (
        *([(part.who, part.side, part.rest, part.cost, _claims(m, part)) for part in one.parts], one.outcomes),
        *(one.margins, one.winner),
    ),
    "total": lambda m, one: (one.kept, None if one.secret else one.required),
    "character": lambda m, one: (
        *(one.approved, one.newcomer, one.wish and one.wish["level"], one.wish and one.wish["reflex"]),
        *(one.due, _boxes([kind for kind, _ in one.crises.values()]), [said for _, said in one.crises.values()]),
        *((one.momentum, one.interference), one.states, sorted((name, *track) for name, track in one.tracks.items())),
        *([(each.dice, each.benefits) for each in one.bonuses], [choice.check for choice in one.choices]),
    ),
}
_VIEW: dict[str, Any] = {
    "situation": lambda v, one: (one.round,),
    "effort": lambda v, one: (one.challenge_id,),
    "check": lambda v, one: (
        [(part.character_id, part.side, _rest(part), _cost(one, part), list(part.claims or ())) for part in one.parts],
        *(_outcomes(one), _margins(one), one.result and one.result.winner),
    ),
    "total": lambda v, one: (list(one.kept), one.required),
    "character": lambda v, one: (
        *(one.approved_level, bool(one.newcomer)),
        *(one.proposed and one.proposed.level, one.proposed and one.proposed.reflex),
        *(one.crisis_due, (one.boxes(CrisisKind.PHYSICAL), one.boxes(CrisisKind.MENTAL))),
        *([crisis.description is not None for crisis in one.crises], (one.momentum, one.interference)),
        *(list(one.states), [(name, track.value, track.most) for name, track in one.tracks.items()]),
        *([(bonus.dice, bonus.benefits) for bonus in one.bonuses], [choice.check_id for choice in one.choices]),
    ),
}


def _claims(model: Model, part: Any) -> list[str]:
    """Return what a part claims of what still lies ready, or was rolled with."""
    ready = {each.key for each in model.things[part.who].bonuses}
    return [key for key in part.claims if part.rest is not None or key in ready]


def _cost(check: Any, part: Any) -> str | None:
    cost = check.cost_of(part)
    return cost and str(cost.stage)


def _rest(part: Any) -> list[int] | None:
    return None if part.roll is None else sorted(part.roll.remaining)


def _margins(check: Any) -> tuple[int, int]:
    if check.result is None:
        return 0, 0
    return check.result.acting.margin, check.result.opposing.margin if check.result.opposing else 0


def _outcomes(check: Any) -> tuple[str, str | None] | None:
    if check.result is None:
        return None
    return check.result.acting.outcome, check.result.opposing and check.result.opposing.outcome
