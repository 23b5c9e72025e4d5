"""Characters who make checks: commands about them, and the events that follow."""

from fractions import Fraction
from typing import Any

from dreadclock.rules.check import Outcome
from dreadclock.rules.contest import DecidedBy, Side
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Faces, Kind
from dreadclock_server.core.draft import Actor
from kit.tables import ANN, BO, CLERK, GM, WATCHER, Table, loaded

CAST: dict[str, dict[str, Any]] = {
    "han": {"name": "Han", "owner": ANN.seat_id, "attributes": {"agility": 4, "combat": 3}, "reflex": 4},
    "chen": {"name": "Chen", "owner": BO.seat_id, "attributes": {"agility": 2}, "reflex": 2},
    "guard": {"name": "Guard"},  # whom the gm plays
}
OPPOSING = Side.OPPOSING
PUBLIC, HIDDEN = Channel.PUBLIC, Channel.GM
FUMBLE, FAIL, SUCCESS, TRIUMPH = Outcome


def cast(table: Table) -> Table:
    """Bring Han (Ann's), Chen (Bo's) and a guard into play."""
    for character_id, fields in CAST.items():
        table.do({"type": "add_character", "id": character_id, **fields})
    return table


def seated(**policy: Any) -> Table:
    """Open a table with the cast at it, where checks need no approval unless the policy says so."""
    return cast(Table(**{"check_approval": "open", **policy}))


def diving(*, by: Actor = GM, **policy: Any) -> Table:
    """Propose Han's check of three dice."""
    table = seated(**policy)
    table.do(propose(), by=by)
    return table


def parts_of(table: Table) -> tuple[t.Part, ...]:
    return table.view.checks["dive"].parts


def adjusted(events: list[Any]) -> Any:
    """Return the check of the only event, which adjusts it."""
    [event] = events
    assert isinstance(event, e.CheckAdjusted)
    return event.check


# Commands


def propose(character: str = "han", score: int | None = 3, **more: Any) -> dict[str, Any]:
    return {"type": "propose_check", "id": "dive", "character_id": character, "score": score, **more}


def aid(character: str, score: int | None = 2, check: str = "dive", **more: Any) -> dict[str, Any]:
    return {"type": "help_check", "check_id": check, "character_id": character, "score": score, **more}


def oppose(character: str = "chen", score: int | None = 2, check: str = "dive", **more: Any) -> dict[str, Any]:
    return {**aid(character, score, check, **more), "type": "oppose_check"}


def adjust(check: str = "dive", **fields: Any) -> dict[str, Any]:
    return {"type": "adjust_check", "check_id": check, **fields}


def roll(character: str | None = None, check: str = "dive", faces: Faces | None = None) -> dict[str, Any]:
    return {"type": "roll_check", "check_id": check, "character_id": character, "faces": faces}


def withdraw(check: str = "dive") -> dict[str, Any]:
    return {"type": "withdraw_check", "check_id": check}


def venture(level: int = 1, benefits: str = "check", beneficiary: str | None = None) -> dict[str, Any]:
    return {"level": level, "benefits": benefits, "beneficiary": beneficiary, "what": "a feint"}


def choose(effect: str, character: str = "han", check: str = "dive") -> dict[str, Any]:
    return {"type": "choose_effect", "check_id": check, "character_id": character, "effect": effect}


def cost(text: str = "exhausted", check: str = "dive", **more: Any) -> dict[str, Any]:
    return {"type": "propose_cost", "check_id": check, "cost": text, **more}


def answer(said: str, terms: str | None = None, check: str = "dive", **more: Any) -> dict[str, Any]:
    return {"type": "answer_cost", "check_id": check, "answer": said, "terms": terms, **more}


def settle(apply: bool, check: str = "dive", **more: Any) -> dict[str, Any]:
    return {"type": "settle_failure", "check_id": check, "apply": apply, **more}


def update(character: str = "han", **fields: Any) -> dict[str, Any]:
    return {"type": "update_character", "character_id": character, **fields}


FALLING: dict[str, Any] = {"fumble_effects": ["fall"], "or_interference": ["fall"]}  # that leave interference to choose

# Evenings


def rolled_out(table: Table, order: dict[str, Any], *faces: int) -> list[e.Event]:
    """Let the gm propose a check of one character and roll it."""
    table.do(order)
    return table.do(roll(order["character_id"], order["id"]), dice=loaded(*faces))


def charm(table: Table, character: str = "han") -> None:
    """Give a character momentum."""
    rolled_out(table, propose(character, 2, id=f"charm-{character}"), 6, 6, 2, 2)


def jinx(table: Table, character: str = "han") -> None:
    """Give a character interference."""
    rolled_out(table, propose(character, 1, id=f"jinx-{character}"), 1)


def tempt(table: Table, character: str = "han", check: str = "feat", *stunts: str) -> list[e.Event]:
    """Let a character triumph where there are stunts to choose from."""
    table.do(propose(character, 2, id=check))
    table.do(adjust(check, stunts=list(stunts or ("slide",))))
    return table.do(roll(character, check), dice=loaded(6, 6, 2, 2))


def trip(table: Table, character: str = "han", check: str = "slip") -> list[e.Event]:
    """Let a character fumble where she may fall or be under interference."""
    table.do(propose(character, 1, id=check))
    table.do(adjust(check, **FALLING))
    return table.do(roll(character, check), dice=loaded(1))


def reward(
    table: Table, character: str = "han", level: int = 1, benefits: str = "check", declarer: str = "guard"
) -> t.Bonus:
    """Let a venture of somebody's come off for a character, and return what lies ready for it."""
    name = f"reward-{benefits}" if declarer == "guard" else f"reward-{benefits}-{declarer}"
    order = propose(declarer, 4, id=name, venture=venture(level, benefits, character))
    rolled_out(table, order, 5, 5, 5, 5)
    return table.view.characters[character].bonuses[-1]


def kill(table: Table, character: str) -> None:
    table.happen(e.CharacterDied(character_id=character))


def hurt(table: Table, character: str) -> None:
    """Leave a character with a crisis of a kind that is yet to be said."""
    table.happen(e.CrisisDue(character_id=character, total_id="total-1"))


# Things and events


def part(character: str = "han", score: int = 3, **more: Any) -> t.Part:
    claims = {"claims": (), "claim": bool(more.get("claims"))}
    return t.Part(character_id=character, score=score, **{**claims, **more})


def ventured(level: int = 1, benefits: str = "check", beneficiary: str = "han") -> t.Venture:
    return t.Venture(level=level, benefits=t.Benefit(benefits), beneficiary=beneficiary, what="a feint")


def odds(*chances: str, interference: str | None = None, **contest: str) -> t.CheckOdds:
    """Give the odds of a fumble, a fail, a success and a triumph; for one part `interference` is a fumble's."""
    fumble, fail, success, triumph = chances
    return t.CheckOdds(
        fumble=fumble, fail=fail, success=success, triumph=triumph, interference=interference or fumble, **contest
    )


def plain_odds(dice: int) -> t.CheckOdds:
    """Work out the odds of `dice` plain dice by the closed formulas."""
    fumble = Fraction(1, 6**dice)
    fail = Fraction(1, 2**dice) - fumble
    triumph = 1 - Fraction(5, 6) ** dice * (1 + Fraction(dice, 6))
    return odds(*(f"{f.numerator}/{f.denominator}" for f in (fumble, fail, 1 - fumble - fail - triumph, triumph)))


def proposed(*parts: t.Part, odds: t.CheckOdds | None, by: str = "player-1", **more: Any) -> e.CheckProposed:
    check = t.Check(
        **{"id": "dive", "seat_id": by, "parts": parts, "odds": odds, "status": t.CheckStatus.READY, **more}
    )
    return e.CheckProposed(check=check)


def shown(
    *faces: int, outcome: Outcome, pool: int | None = None, remaining: Faces | None = None, **more: Any
) -> t.PartRoll:
    """Make a roll; all faces remain, and all were rolled at first, unless said otherwise."""
    rest = faces if remaining is None else remaining
    return t.PartRoll(
        pool=len(faces) if pool is None else pool,
        faces=faces,
        remaining=rest,
        outcome=outcome,
        highest=max(rest, default=None),
        margin=rest.count(max(rest)) - 1 if rest else 0,
        **{"removed": 0, **more},
    )


def rolled(one: t.Part, dice: t.PartRoll, check: str = "dive") -> e.CheckRolled:
    return e.CheckRolled(check_id=check, part=one.model_copy(update={"roll": dice}))


def side(outcome: Outcome, highest: int | None, margin: int = 0) -> t.SideResult:
    return t.SideResult(outcome=outcome, highest=highest, margin=margin)


def resolved(outcome: Outcome, highest: int | None, margin: int = 0, check: str = "dive") -> e.CheckResolved:
    return e.CheckResolved(check_id=check, result=t.CheckResult(acting=side(outcome, highest, margin)))


def contested(
    acting: t.SideResult, opposing: t.SideResult, winner: Side, by: DecidedBy, deals: Faces = ()
) -> e.CheckResolved:
    result = t.CheckResult(acting=acting, opposing=opposing, winner=winner, decided_by=by, deals=deals)
    return e.CheckResolved(check_id="dive", result=result)


def momentum(character: str = "han", check: str = "dive", held: bool = True) -> e.MomentumGained:
    return e.MomentumGained(character_id=character, check_id=check, momentum=held, interference=False)


def momentum_spent(character: str = "han", check: str = "dive") -> e.MomentumSpent:
    return e.MomentumSpent(character_id=character, check_id=check, momentum=False, interference=False)


def interference(character: str = "han", check: str = "dive", held: bool = True) -> e.InterferenceGained:
    return e.InterferenceGained(character_id=character, check_id=check, momentum=False, interference=held)


def interference_spent(character: str = "han", check: str = "dive") -> e.InterferenceSpent:
    return e.InterferenceSpent(character_id=character, check_id=check, momentum=False, interference=False)


def bonus(
    dice: int = 1, benefits: str = "check", check: str = "dive", declarer: str = "han", number: int = 1
) -> t.Bonus:
    """Make what a venture of the check's `number`th part came to."""
    name = f"{check}-v{number}"
    return t.Bonus(id=name, declarer=declarer, check_id=check, dice=dice, benefits=t.Benefit(benefits), what="a feint")


def earned(character: str, one: t.Bonus, *before: t.Bonus) -> e.VentureEarned:
    return e.VentureEarned(character_id=character, bonus=one, bonuses=(*before, one))


def paid(character: str, into: str, *bonuses: t.Bonus, left: tuple[t.Bonus, ...] = ()) -> e.VenturePaid:
    return e.VenturePaid(character_id=character, into=into, paid=bonuses, bonuses=left)


def lapsed(character: str, *bonuses: t.Bonus, left: tuple[t.Bonus, ...] = ()) -> e.VentureLapsed:
    return e.VentureLapsed(character_id=character, lapsed=bonuses, bonuses=left)


# What checks bring to characters

SLIDE = t.Choice(check_id="feat", instead_of=t.EffectKind.MOMENTUM, offered=("slide",))
FALL = t.Choice(check_id="slip", instead_of=t.EffectKind.INTERFERENCE, offered=("fall",))
PLAIN_ROLL = {"type": "roll_dice", "pool": 1, "character_id": "han"}


def together(*, han: int = 1, chen: int = 1, **venture_of_chen: Any) -> Table:
    """Let Chen help Han."""
    table = seated()
    table.do(propose(score=han))
    table.do(aid("chen", chen, **venture_of_chen))
    return table


def finish(table: Table, han: tuple[int, ...], chen: tuple[int, ...]) -> list[Any]:
    """Roll both parts, and return what comes after the last roll."""
    table.do(roll("han"), dice=loaded(*han))
    return table.do(roll("chen"), dice=loaded(*chen))[1:]


def roll_of(events: list[Any]) -> t.PartRoll:
    """Return the roll of the only part that was rolled."""
    [event] = [each for each in events if isinstance(each, e.CheckRolled)]
    assert event.part.roll is not None
    return event.part.roll


def offered(character: str, choice: t.Choice, *before: t.Choice) -> e.EffectsOffered:
    return e.EffectsOffered(character_id=character, choice=choice, choices=(*before, choice))


def chosen(effect: str, choice: t.Choice, left: tuple[t.Choice, ...] = (), character: str = "han") -> e.EffectChosen:
    return e.EffectChosen(character_id=character, check_id=choice.check_id, effect=effect, choices=left)


def holds(table: Table, character: str = "han") -> tuple[bool, bool]:
    one = table.view.characters[character]
    return one.momentum, one.interference


# Checks that not everyone sees

CHANGED = e.SealedChanged(kind=Kind.CHECK, id="dive", name="A check")
OUTSIDERS = (ANN, BO, WATCHER, CLERK)


def secret(score: int = 3, **more: Any) -> dict[str, Any]:
    return propose(score=score, id="gm-dive", visibility="gm", **more)


def sealed(score: int = 3) -> Table:
    table = seated()
    table.do(propose(score=score, visibility="sealed", purpose="a trap"))
    return table


def reveal(check: str = "dive") -> dict[str, Any]:
    return {"type": "reveal", "thing_id": check}


def revealed(events: list[Any]) -> t.Check:
    [event] = [each for each in events if isinstance(each, e.Revealed)]
    [check] = event.things.checks
    return check
