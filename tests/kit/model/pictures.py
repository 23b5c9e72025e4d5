"""The numbers of a room side by side: as the model has them, and as the server shows them to the gm."""

from typing import Any

from dreadclock.rules.total import CrisisKind
from dreadclock.wire.base import Channel
from dreadclock.wire.views import View
from kit.model.room import Model

Picture = dict[str, object]


def of_model(model: Model) -> Picture:
    """Picture what the model holds."""
    room = (sorted(model.seats), model.turn, model.closed, sorted((key, str(each)) for key, each in _policy(model)))
    return {"room": room} | {key: (one.kind, *_MODEL[one.kind](model, one)) for key, one in model.things.items()}


def of_view(view: View) -> Picture:
    """Picture what the gm sees of a room."""
    policy = sorted((key, str(value)) for key, value in view.policy)
    picture: Picture = {"room": (sorted(view.seats), view.turn, view.public.closed, policy)}
    for kind, make in _VIEW.items():
        for key, one in getattr(view, f"{kind}s").items():
            picture[key] = (kind, *make(view, one))
    return picture


def _policy(model: Model) -> list[tuple[str, object]]:
    return list(vars(model.policy).items())


def _is_public(view: View, field: str, key: str) -> bool:
    return key not in getattr(view.channels[Channel.GM], field)


def _boxes(kinds: list[str]) -> tuple[int, int]:
    return kinds.count("physical"), kinds.count("mental")


_MODEL: dict[str, Any] = {
    "countdown": lambda m, one: (one.pool, one.status, m.seen_by(one) == "public"),
    "clock": lambda m, one: (one.value, one.size, m.seen_by(one) == "public"),
    "scene": lambda m, one: (one.status, one.aside, one.turn, m.seen_by(one) == "public"),
    "situation": lambda m, one: (one.status, one.outcome, one.rounds, m.seen_by(one) == "public"),
    "challenge": lambda m, one: (one.status,),
    "effort": lambda m, one: (one.of,),
    "roll": lambda m, one: (m.seen_by(one) == "public",),
    "check": lambda m, one: (
        one.status,
        one.contest,
        [(part.who, part.side, part.rest, part.cost, _claims(m, part)) for part in one.parts],
        one.outcomes,
        one.margins,
        one.winner,
        m.seen_by(one) == "public",
    ),
    "total": lambda m, one: (
        one.status,
        one.pool,
        one.kept,
        one.enough,
        None if one.secret else one.required,
        one.secret,
        one.crisis,
    ),
    "character": lambda m, one: (
        one.status,
        one.owner,
        (one.level, one.approved, one.newcomer, one.wish and one.wish["level"], one.wish and one.wish["reflex"]),
        one.due,
        _boxes([kind for kind, _ in one.crises.values()]),
        [said for _, said in one.crises.values()],
        (one.momentum, one.interference),
        (one.states, sorted((name, *track) for name, track in one.tracks.items())),
        [(each.dice, each.benefits) for each in one.bonuses],
        [choice.check for choice in one.choices],
    ),
}
_VIEW: dict[str, Any] = {
    "countdown": lambda v, one: (one.pool, one.status, _is_public(v, "countdowns", one.id)),
    "clock": lambda v, one: (one.value, one.size, _is_public(v, "clocks", one.id)),
    "scene": lambda v, one: (one.status, one.aside, one.turn, _is_public(v, "scenes", one.id)),
    "situation": lambda v, one: (one.status, one.outcome, one.round, _is_public(v, "situations", one.id)),
    "challenge": lambda v, one: (one.status,),
    "effort": lambda v, one: (one.challenge_id,),
    "roll": lambda v, one: (_is_public(v, "rolls", one.id),),
    "check": lambda v, one: (
        one.status,
        one.contest,
        [(part.character_id, part.side, _rest(part), _cost(one, part), list(part.claims or ())) for part in one.parts],
        _outcomes(one),
        _margins(one),
        one.result and one.result.winner,
        _is_public(v, "checks", one.id),
    ),
    "total": lambda v, one: (
        one.status,
        one.pool,
        list(one.kept),
        one.enough,
        one.required,
        one.secret,
        one.crisis,
    ),
    "character": lambda v, one: (
        one.status,
        one.owner,
        (
            one.level,
            one.approved_level,
            bool(one.newcomer),
            one.proposed and one.proposed.level,
            one.proposed and one.proposed.reflex,
        ),
        one.crisis_due,
        (one.boxes(CrisisKind.PHYSICAL), one.boxes(CrisisKind.MENTAL)),
        [crisis.description is not None for crisis in one.crises],
        (one.momentum, one.interference),
        (list(one.states), [(name, track.value, track.most) for name, track in one.tracks.items()]),
        [(bonus.dice, bonus.benefits) for bonus in one.bonuses],
        [choice.check_id for choice in one.choices],
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
