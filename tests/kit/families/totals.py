"""Two characters who roll totals: commands, and the events that follow from them."""

from typing import Any

from dreadclock.rules.odds import total as exact_odds
from dreadclock.wire.events import Event, LuckPushed, TotalFailed, TotalFailure, TotalRolled, TotalSucceeded
from dreadclock.wire.things import Character, Push, PushOdds, TotalOdds
from kit.tables import ANN, BO, GM, Table, loaded

SHEET = {
    "attributes": {"Strength": 2, "Precision": 3},
    "specials": [{"name": "Delivery driver"}, {"name": "Climber", "starred": True}],
}
Fields = dict[str, Any]


def with_characters(table: Table) -> Table:
    """Bring Ann's Ada and Bo's Bea into play."""
    for character_id, owner in (("ada", ANN), ("bea", BO)):
        order = {"type": "add_character", "id": character_id, "name": character_id.capitalize(), **SHEET}
        table.do({**order, "owner": owner.seat_id})
    return table


def at_table(**policy: Any) -> Table:
    """Open a room in which no roll waits for the gm, unless its policy says so."""
    return with_characters(Table(**{"check_approval": "open", **policy}))


def propose(total_id: str = "leap", attribute: str | int = 2, **more: Any) -> Fields:
    return {"type": "propose_total", "id": total_id, "character_id": "ada", "attribute": attribute, **more}


def order(name: str, total_id: str = "leap", **more: Any) -> Fields:
    return {"type": name, "total_id": total_id, **more}


def require(number: int, total_id: str = "leap", **more: Any) -> Fields:
    return order("set_required", total_id, required=number, **more)


def proposed(total_id: str = "leap", attribute: str | int = 2, table: Table | None = None, **more: Any) -> Table:
    """Propose a total for Ada that is ready to roll."""
    table = table or at_table()
    table.do(propose(total_id, attribute, **more), by=GM)
    return table


def rolled(
    *faces: int, number: int | None = None, total_id: str = "leap", table: Table | None = None, **more: Any
) -> Table:
    """Roll a total for Ada that requires a number, or none yet; `more` goes with the number."""
    table = proposed(total_id, len(faces), table)
    if number is not None:
        table.do(require(number, total_id, **more))
    table.do(order("roll_total", total_id), by=ANN, dice=loaded(*faces))
    return table


def offered(*faces: int, number: int = 99, total_id: str = "leap", table: Table | None = None, **stake: Any) -> Table:
    """Offer a push of a total that missed."""
    table = rolled(*faces, number=number, total_id=total_id, table=table)
    table.do(order("offer_push", total_id, **stake))
    return table


def crisis(table: Table, total_id: str, **stake: Any) -> list[Event]:
    """Let Ada push too far, and return what came of it."""
    offered(1, total_id=total_id, table=table, **stake)
    return table.do(order("push_luck", total_id), by=ANN, dice=loaded(1))[2:]


def finished(table: Table, count: int, start: int = 0) -> None:
    """Let the gm roll totals for Bea that succeed at once."""
    for number in range(start, start + count):
        table.do({**propose(f"past-{number}", 1), "character_id": "bea"})
        table.do(require(1, f"past-{number}"))
        table.do(order("roll_total", f"past-{number}"), dice=loaded(1))


def ada(table: Table) -> Character:
    return table.view.characters["ada"]


def odds(pool: int, number: int | None = None) -> TotalOdds:
    if number is None:
        return TotalOdds(mean=ratio(exact_odds.mean(pool)))
    return TotalOdds(
        mean=ratio(exact_odds.mean(pool)),
        reaches=ratio(exact_odds.reaches(pool, number)),
        reaches_pushing=ratio(exact_odds.reaches_at_all(pool, number)),
    )


def ratio(number: Any) -> str:
    return f"{number.numerator}/{number.denominator}"


def roll_of(*faces: int, total_id: str = "leap", enough: bool | None = None, physical: bool = False) -> TotalRolled:
    kept = tuple(sorted(set(faces)))
    return TotalRolled(total_id=total_id, faces=faces, kept=kept, total=sum(kept), enough=enough, physical=physical)


def push_to(
    *kept: int, face: int, total_id: str = "leap", enough: bool = False, crisis: bool = False, physical: bool = False
) -> LuckPushed:
    push = Push(face=face, kept=kept, total=sum(kept), enough=enough, crisis=crisis, physical=physical)
    return LuckPushed(total_id=total_id, push=push)


def succeeded(total_id: str = "leap") -> TotalSucceeded:
    return TotalSucceeded(total_id=total_id)


def failed(total_id: str = "leap", reason: TotalFailure = TotalFailure.STOPPED) -> TotalFailed:
    return TotalFailed(total_id=total_id, reason=reason)


def push_odds(crisis: str, reaches: str | None = None, pushing: str | None = None) -> PushOdds:
    return PushOdds(crisis=crisis, reaches=reaches, reaches_pushing=pushing)
