"""How the gm begins what she keeps to herself, family by family, and puts more into it."""

from dreadclock.wire.things import ChallengeStatus, CheckStatus, SceneStatus, Situation, SituationStatus
from kit.leaks import Fields
from kit.leaks_pen import Move, Pen

CHARACTERS = ("ada", "bea", "foe")


def countdown(pen: Pen) -> Fields:
    """Start a countdown."""
    return {"type": "start_countdown", **countdown_fields(pen), **pen.note()}


def countdown_fields(pen: Pen, *, own_id: bool = False) -> Fields:
    """Describe a hidden countdown; with `own_id`, its id is not left to the server."""
    visibility = pen.one(pen.visibilities)
    chosen = pen.new_root(visibility)
    if own_id and not chosen:
        chosen = {"id": pen.root}
    return {
        **chosen,
        "name": pen.name(visibility),
        "pool": pen.one((3, 8, 20)),
        "speed": pen.one(("slow", "medium", "fast")),
        "stages": [{"at": at, "effect": pen.text()} for at in (1, 2, 6)],
        "ending": pen.text(),
        "stabilizable": True,
        "replenishable": True,
        "bound_to": pen.one(("turn", "nothing")),
        "visibility": visibility,
    }


def clock(pen: Pen) -> Fields:
    """Start a free-standing clock."""
    visibility = pen.one(pen.visibilities)
    chosen = pen.new_root(visibility)
    shape = {"size": pen.one((3, 9)), "direction": pen.one(("up", "down")), "visibility": visibility}
    return {"type": "start_clock", **chosen, "name": pen.name(visibility), **shape, **pen.note()}


def scene(pen: Pen) -> Fields:
    """Open a scene."""
    visibility = pen.one(pen.visibilities)
    chosen = pen.new_root(visibility)
    shape = {"clock": pen.one((3, 9)), "visibility": visibility}
    return {"type": "open_scene", **chosen, "name": pen.name(visibility), **shape, **pen.note()}


def situation_inside(pen: Pen) -> Fields:
    """Start a situation in a hidden scene, so that nobody knows of it."""
    scenes = [each for each in pen.hidden.scenes.values() if each.status is SceneStatus.OPEN]
    pen.about(pen.any_of(scenes).id)
    race: Fields = pen.one(({"kind": "standard"}, {"kind": "race", "level": 8, "difficulty": "easy"}))
    shape = {"scene_id": pen.root, "content": "social", "clock": pen.one((2, 5)), **race}
    return {"type": "start_situation", **pen.inner_id(), "name": pen.text(), **shape, **pen.note()}


def situation_hidden(pen: Pen) -> Fields:
    """Start a hidden situation in a scene that everyone sees."""
    scenes = [each for each in pen.public.scenes.values() if each.status is SceneStatus.OPEN]
    within = pen.any_of(scenes).id
    visibility = pen.one(pen.visibilities)
    chosen = pen.new_root(visibility)
    clock = 99 if pen.traceless else pen.one((2, 5))
    shape = {"scene_id": within, "kind": "standard", "content": "combat", "clock": clock, "visibility": visibility}
    return {"type": "start_situation", **chosen, "name": pen.name(visibility), **shape, **pen.note()}


def open_situation(pen: Pen) -> Situation:
    """Choose a hidden situation that is open."""
    found = [each for each in pen.hidden.situations.values() if each.status is SituationStatus.OPEN]
    chosen = pen.any_of(found)
    pen.about_situation(chosen)
    return chosen


def challenge(pen: Pen) -> Fields:
    """Put a challenge into a hidden situation."""
    within = open_situation(pen).id
    shape = {"situation_id": within, "kind": pen.one(("barrier", "puzzle", "foe")), "clock": pen.one((1, 4))}
    return {"type": "add_challenge", **pen.inner_id(), "name": pen.text(), **shape, **pen.note()}


def roll(pen: Pen) -> Fields:
    """Make a plain roll; of a sealed one everyone knows the name."""
    visibility = pen.one(pen.visibilities)
    chosen = pen.new_root(visibility)
    named = {"name": pen.name(visibility), "character_id": pen.one((None, *CHARACTERS))}
    shape = {"pool": pen.one((1, 4, 9)), "visibility": visibility, "purpose": pen.one(("damage", "other"))}
    return {"type": "roll_dice", **chosen, **_given(named), **shape, **pen.note()}


def check(pen: Pen) -> Fields:
    """Propose a check, perhaps as an effort against a challenge, hidden or not."""
    visibility = pen.one(pen.visibilities)
    hidden = [each.id for each in pen.hidden.challenges.values() if each.status is ChallengeStatus.OPEN]
    public = [each.id for each in pen.public.challenges.values() if each.status is ChallengeStatus.OPEN]
    target = pen.one((None, *hidden, *hidden, *([] if pen.traceless else public)))
    chosen = pen.new_root(visibility)
    effort = {"challenge_id": target} if target else None
    shape = {"character_id": pen.one(CHARACTERS), "score": pen.one((0, 2, 5)), "visibility": visibility}
    purpose = {"purpose": pen.text(), "effort": effort, "contest": pen.one((None, None, True))}
    return {"type": "propose_check", **chosen, **shape, **_given(purpose), **pen.note()}


def effects(pen: Pen) -> Fields:
    """Offer effects on a hidden check."""
    found = [each for each in pen.hidden.checks.values() if each.status is CheckStatus.READY]
    pen.about(pen.any_of(found).id)
    offered = {"stunts": [pen.text()], "fumble_effects": [pen.text(), pen.text()]}
    return {"type": "adjust_check", "check_id": pen.root, **offered, **pen.note()}


def companion(pen: Pen) -> Fields:
    """Let another character help with a hidden check or oppose it."""
    found = [each for each in pen.hidden.checks.values() if each.status is CheckStatus.READY]
    pen.about(pen.any_of(found).id)
    kind, shape = pen.one(("help_check", "oppose_check")), {"character_id": pen.one(CHARACTERS), "score": 2}
    return {"type": kind, "check_id": pen.root, **shape, **pen.note()}


def complication(pen: Pen) -> Fields:
    """Let something happen in a hidden situation, with a hidden countdown or a clock that it moves."""
    within = open_situation(pen).id
    free = [*pen.hidden.clocks, *([] if pen.traceless else pen.public.clocks)]
    told: Fields = {"type": "introduce_complication", "situation_id": within, "text": pen.kept(), **pen.note()}
    if pen.chance.random() < 0.5:
        return {**told, "countdown": countdown_fields(pen, own_id=True)}
    return {**told, "clock": {"clock_id": pen.any_of(free), "by": pen.one((1, 2, -1))}}


def open_complication(pen: Pen) -> Fields:
    """Let something happen in a situation that everyone sees, with a hidden countdown."""
    found = [each for each in pen.public.situations.values() if each.status is SituationStatus.OPEN]
    told = {"type": "introduce_complication", "situation_id": pen.any_of(found).id, "text": "Fog."}
    return {**told, "countdown": countdown_fields(pen, own_id=True), **pen.note()}


def _given(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if value is not None}


FIRST: tuple[Move, ...] = (countdown, clock, scene, situation_hidden, roll, check)
THEN: tuple[Move, ...] = (
    situation_inside,
    situation_inside,
    challenge,
    challenge,
    challenge,
    effects,
    companion,
    check,
    check,
)
