"""Characters as rows of a picture."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from dreadclock.rules.total import BOXES, CrisisKind
from dreadclock.wire.families.characters import changes_of, waits
from dreadclock.wire.plain import isolated
from dreadclock.wire.things import Character, CharacterStatus
from dreadclock.wire.views import View
from dreadclock_server.tools.canvas import LOST, Glyphs, Pen, Rank, Row, remarks
from dreadclock_server.tools.words import Words


def drawn_characters(view: View, pen: Pen) -> list[Row]:
    """Draw each character's crises, what waits for its next roll, and what its rolls are made of."""
    return [_character(view, pen, one) for one in view.characters.values()]


def _character(view: View, pen: Pen, one: Character) -> Row:
    out = one.status is not CharacterStatus.IN_PLAY
    boxes = "  ".join(
        f"{pen.words(f'crisis.{kind}')} {_boxes(one, kind, pen.glyphs)}" for kind in CrisisKind if one.boxes(kind)
    )
    label = pen.labelled(2, one.name, one.id, LOST if out else "")
    is_waiting = one.choices or one.crisis_due or waits(one)
    rank = Rank.ENDED if out else Rank.WAITS if is_waiting else Rank.GOES_ON
    return Row((label, Text(boxes, "red"), remarks(*_said_of(view, pen, one))), rank)


def _boxes(one: Character, kind: CrisisKind, glyphs: Glyphs) -> str:
    marked = one.boxes(kind)
    return glyphs.marked * marked + glyphs.box * (BOXES - marked)


def _said_of(view: View, pen: Pen, one: Character) -> Iterator[str]:
    words = pen.words
    yield "" if one.status is CharacterStatus.IN_PLAY else words(f"character.{one.status}")
    yield pen.of(view, one.owner)
    yield words("character.crisis_due", id=pen.id_of(one.crisis_due)) if one.crisis_due else ""
    yield from _waiting(pen, one)
    for choice in one.choices:
        check, offered = pen.id_of(choice.check_id), " / ".join(map(isolated, choice.offered))
        said = "character.choice" if choice.or_token else "character.must_choose"
        yield words(said, instead=choice.instead_of, id=check, offered=offered)
    yield words("effect.momentum") if one.momentum else ""
    yield words("effect.interference") if one.interference else ""
    for bonus in one.bonuses:
        yield words("character.bonus", dice=bonus.dice, benefits=bonus.benefits, what=bonus.what)
    yield from one.states
    yield from (f"{name} {track.value}/{track.most}" for name, track in one.tracks.items())
    yield from _sheet(words, one)
    for crisis in one.crises:
        if crisis.description:
            yield words("character.crisis", kind=crisis.kind, description=crisis.description)


def _waiting(pen: Pen, one: Character) -> Iterator[str]:
    """Say what of a character waits for the gm's approval. Source: rules.md B18."""
    yield pen.words("character.newcomer") if one.newcomer else ""
    if one.approved_level is not None:
        yield pen.words("character.approved_level", level=one.level, approved=one.approved_level)
    if one.proposed is not None:
        changes = pen.narrator.word("sheet_changes", changes_of(one.sheet, one.proposed))
        yield pen.words("character.proposed", changes=changes)


def _sheet(words: Words, one: Character) -> Iterator[str]:
    """Say what a character's rolls are made of."""
    yield from (f"{isolated(name)} {score}" for name, score in sorted(one.attributes.items()))
    yield "" if one.reflex is None else words("character.reflex", score=one.reflex)
    yield from (isolated(special.name) + "*" * special.starred for special in one.specials)
