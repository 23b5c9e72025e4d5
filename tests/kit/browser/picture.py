"""What a page shows of the room's things, held against a view of the server's."""

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Page

from dreadclock.narration import Narrator
from dreadclock.wire.families.pushes import TotalStatus
from dreadclock.wire.things import Challenge, Character, Check, Clock, Countdown, Part, Scene, Situation, Total
from dreadclock.wire.views import View
from kit.browser.labels import label
from kit.browser.scripts import script

NO_THINGS = ("seat", "crisis", "ruling", "sheet")  # people, and cards that ask the gm something about a thing
NOT_DRAWN = "is not drawn"
MOST_STUDS = 12  # of a dial: more challenges are counted
LATEST_ROLLS = 6  # of those that are plain, as many are on the page

FACES = range(1, 7)


@dataclass(frozen=True)
class Shown:
    """One thing as it should be seen: all its drawings, as they are read aloud, and words that must be there."""

    state: str | None  # None: whatever it is for a moment
    images: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    dice: tuple[str, ...] | None = None  # as they are drawn: `5`, `6x` (struck out, or faded), `_` (yet to be rolled)


async def differences(page: Page, view: View) -> list[str]:
    """Return where a page's things are not what the view says; empty if they are."""
    seen: dict[str, dict[str, Any]] = await page.evaluate(script("read"))
    drawn = {thing: each for thing, each in seen.items() if thing.partition(":")[0] not in NO_THINGS}
    small = {thing.partition(":")[2] for thing, each in drawn.items() if each.pop("small")}
    wanted = things(view, small)
    found = [f"{thing} {NOT_DRAWN}" for thing in wanted.keys() - drawn.keys()]
    found += [f"{thing} is drawn" for thing in drawn.keys() - wanted.keys()]
    for thing in wanted.keys() & drawn.keys():
        found += [f"{thing}: {each}" for each in _compared(wanted[thing], **drawn[thing])]
    return sorted(found)


def _compared(wanted: Shown, state: str, images: Sequence[str], dice: Sequence[str], text: str) -> Iterable[str]:
    if wanted.state not in (state, None):
        yield f"its state is {state!r}, not {wanted.state!r}"
    if tuple(images) != wanted.images:
        yield f"its drawings say {list(images)}, not {list(wanted.images)}"
    if wanted.dice not in (None, tuple(map(str, dice))):
        yield f"its dice show {list(dice)}, not {wanted.dice}"
    yield from (f"{words!r} is not in {text!r}" for words in wanted.words if " ".join(words.split()) not in text)


def things(view: View, small: Container[str] = ()) -> dict[str, Shown]:
    """Say what there is to see, by kind and id. `small`: the ids of the scenes of which only the rings are drawn."""
    shown = {f"countdown:{id_}": _countdown(view, each) for id_, each in view.countdowns.items()}
    shown |= {f"scene:{id_}": _scene(view, each, whole=id_ not in small) for id_, each in view.scenes.items()}
    situations = {id_: each for id_, each in view.situations.items() if each.scene_id not in small}
    shown |= {f"situation:{id_}": _situation(view, each) for id_, each in situations.items()}
    challenges = {id_: each for id_, each in view.challenges.items() if each.situation_id in situations}
    for id_, challenge in challenges.items():
        shown[f"challenge:{id_}"] = Shown(challenge.status, (), (challenge.name, _left(view, challenge)))
    shown |= {f"effort:{id_}": Shown("") for id_, each in view.efforts.items() if each.challenge_id in challenges}
    for id_, clock in view.clocks.items():
        if clock.kind == "free":
            shown[f"clock:{id_}"] = Shown("full" if clock.done else "running", (_dial(clock),), (clock.name,))
    for id_, sealed in view.sealed.items():
        words = (sealed.name, label("sealed.kind", kind=label(f"kind.{sealed.kind}")))
        dice = () if sealed.kind in ("clock", "scene", "situation") else ("?",)
        shown[f"sealed:{id_}"] = Shown(None, (label("sealed.inside"),), words, dice)
    narrator = Narrator()
    for id_, consequence in view.consequences.items():
        shown[f"consequence:{id_}"] = Shown("", (), (narrator.follows(consequence, view),))
    shown |= _rolled(view)
    shown |= {f"character:{id_}": _character(each) for id_, each in view.characters.items()}
    return shown


def _rolled(view: View) -> dict[str, Shown]:
    shown: dict[str, Shown] = {}
    for id_, check in view.checks.items():
        shown[f"check:{id_}"] = _check(view, check)
        shown |= {f"part:{id_}:{part.character_id}": _part(view, check, part) for part in check.parts}
    shown |= {f"total:{id_}": _total(view, each) for id_, each in view.totals.items()}
    for id_, roll in list(view.rolls.items())[-LATEST_ROLLS:]:
        said = label("rolled_plainly", faces=_digits(roll.faces))
        shown[f"roll:{id_}"] = Shown("", (_by_hand(said, roll.physical),), dice=tuple(map(str, roll.faces)))
    return shown


def _countdown(view: View, countdown: Countdown) -> Shown:
    said = label("countdown.left", pool=countdown.pool)
    if countdown.last_faces:
        said += f"; {label('last_roll', faces=_digits(countdown.last_faces))}"
    rolls = [each.event for each in view.public.recent if getattr(each.event, "countdown_id", None) == countdown.id]
    physical = [each.physical for each in rolls if each.type == "countdown_rolled"]
    words = [countdown.name, label(f"speed.{countdown.speed}")]
    for stage in countdown.stages if countdown.status != "cancelled" else ():
        reached = (
            "start" if stage.at == countdown.started_with else "reached" if countdown.pool <= stage.at else "ahead"
        )
        words.append(f"{label(f'stage.{reached}', at=stage.at)}: {stage.effect}")
    if countdown.status != "running":
        words.append(label(f"countdown.{countdown.status}"))
    images = (_by_hand(said, bool(physical and physical[-1])),)
    return Shown(countdown.status, images, tuple(words), _dice_of(countdown))


def _dice_of(countdown: Countdown) -> tuple[str, ...]:
    leaving = countdown.speed.expiring
    rolled = [f"{face}x" if face in leaving else f"{face}" for face in countdown.last_faces]
    stayed = sum(face not in leaving for face in countdown.last_faces)
    return (*rolled, *["_"] * (countdown.pool - stayed))


def _scene(view: View, scene: Scene, *, whole: bool) -> Shown:
    inside = [each for each in view.situations.values() if each.scene_id == scene.id and each.status == "open"]
    races = [each for each in inside if each.kind == "race"]
    clocks = {"scene": scene.clock_id} | ({"threat": scene.threat_id} if races and scene.threat_id else {})
    numbers = [
        label(f"ring.{ring}", value=view.clocks[id_].value, size=view.clocks[id_].size) for ring, id_ in clocks.items()
    ]
    said = numbers + (_said_of(view, inside, races) if whole else [])
    ended = () if scene.status == "open" else (label(f"scene.{scene.status}"),)
    return Shown(scene.status, (". ".join(said),), (scene.name, *(numbers if whole else ()), *ended))


def _said_of(view: View, inside: Sequence[Situation], races: Sequence[Situation]) -> list[str]:
    """Return what a dial says of its situations, of which the first race or the last one is in its middle."""
    challenges = [each for one in inside for each in view.challenges.values() if each.situation_id == one.id]
    overcome = sum(each.status == "overcome" for each in challenges)
    counted = label("challenges.overcome", done=overcome, number=len(challenges))
    studs = "; ".join(f"{each.name}: {_left(view, each)}" for each in challenges)
    named = counted if len(challenges) > MOST_STUDS else studs
    return [*(_to_win(view, each) for each in [*races[:1], *inside[-1:]][:1]), *([named] if named else [])]


def _to_win(view: View, situation: Situation) -> str:
    clock = view.clocks[situation.clock_id]
    return label("situation.left", value=clock.value, size=clock.size)


def _left(view: View, challenge: Challenge) -> str:
    return (
        _dial(view.clocks[challenge.clock_id]) if challenge.status == "open" else label(f"challenge.{challenge.status}")
    )


def _situation(view: View, situation: Situation) -> Shown:
    if situation.status == "open":
        marks = [_to_win(view, situation), label("situation.round", round=situation.round + 1)]
    else:
        marks = [label(f"outcome.{situation.outcome}" if situation.outcome else f"situation.{situation.status}")]
    return Shown(situation.status, (), (situation.name, *marks))


def _check(view: View, check: Check) -> Shown:
    words = [view.characters[check.leader.character_id].name, check.purpose or "", *_standing(view, check)]
    for side in (check.result.acting, check.result.opposing) if check.result else ():
        if side is not None:
            outcome = label(f"outcome.{side.outcome}")
            words.append(label("check.result", outcome=outcome, highest=side.highest or "–", margin=side.margin))
    if check.cost is not None:
        words += [label(f"cost.{check.cost.stage}"), check.cost.cost or ""]
    return Shown(check.status, (), tuple(words))


def _standing(view: View, check: Check) -> list[str]:
    costs = (check.cost, *(part.cost for part in check.parts))
    chosen = any(choice.check_id == check.id for one in view.characters.values() for choice in one.choices)
    discussed = any(cost is not None and cost.stage not in ("applied", "declined") for cost in costs)
    if check.status != "resolved" or not (chosen or discussed):
        return [label(f"check.{check.status}")]
    return [label("check.choice")] * chosen  # where a cost is discussed, it says so itself


def _part(view: View, check: Check, part: Part) -> Shown:
    words = (view.characters[part.character_id].name,)
    if part.roll is None:
        return Shown("", (), words)
    faces, remaining = _digits(part.roll.faces) or "–", _digits(part.roll.remaining) or "–"
    said = _by_hand(label("rolled", faces=faces, remaining=remaining), part.roll.physical)
    dice = tuple(_struck(part.roll.faces, part.roll.remaining))
    alone = check.result is not None and len(check.parts) == 1  # then the check says it
    return Shown("", (said,), (*words, *([] if alone else [label(f"outcome.{part.roll.outcome}")])), dice)


def _struck(faces: Iterable[int], remaining: Iterable[int]) -> Iterable[str]:
    left = Counter(remaining)
    for face in faces:
        left[face] -= 1
        yield f"{face}" if left[face] >= 0 else f"{face}x"


def _total(view: View, total: Total) -> Shown:
    words = [view.characters[total.character_id].name, total.purpose or "", label(f"total.{total.status}")]
    images = []
    if total.faces:
        physical = total.physical or any(push.physical for push in total.pushes)
        faces, kept = _digits(total.faces), _digits(total.kept)
        images.append(_by_hand(label("total.dice", faces=faces, kept=kept, total=total.total), physical))
        words.append(label("total.sum", total=total.total))
    if total.pushes:
        images.append(label("total.pushes", faces=_digits([push.face for push in total.pushes])))
    again = {place for place, face in enumerate(total.faces) if face in total.faces[:place]}
    dice = [f"{face}x" if place in again else f"{face}" for place, face in enumerate(total.faces)]
    dice += [f"{push.face}x" if push.crisis else f"{push.face}" for push in total.pushes]
    if total.required is not None:
        words.append(label("total.required", required=total.required))
    if total.status is TotalStatus.OFFERED:
        images.append(_push_faces(view, total))
        dice += map(str, FACES)
    return Shown(total.status, tuple(images), tuple(words), tuple(dice))


def _push_faces(view: View, total: Total) -> str:
    """Say what each face of a push brings, as far as this viewer knows the number."""
    secret = view.secrets.get(total.id) if total.secret else None
    needed = total.required or (secret.required if secret else None)
    wins = [face for face in FACES if face not in total.kept and needed and total.total + face >= needed]
    known = "no" if needed is None else "yes" if wins else "none"
    return label("total.push_faces", breaks=_digits(total.kept), wins=_digits(wins), known=known)


def _character(character: Character) -> Shown:
    boxes = []
    for kind in ("physical", "mental"):
        number = sum(each.kind == kind for each in character.crises)
        boxes.append(label("crises", kind=label(f"crisis.{kind}"), number=number, boxes=3))
    words = [character.name]
    words += [label(token) for token in ("momentum", "interference") if getattr(character, token)]
    words += [crisis.description for crisis in character.crises if crisis.description]
    return Shown(character.status, tuple(boxes), tuple(words))


def _dial(clock: Clock) -> str:
    return label(f"dial.{clock.direction}", value=clock.value, size=clock.size)


def _by_hand(said: str, physical: bool) -> str:
    return f"{said} ({label('physical')})" if physical else said


def _digits(faces: Iterable[int]) -> str:
    return " ".join(map(str, faces))
