"""Draws characters as rows of a picture."""

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
    """Draw each character: its crises, its open choices, what changes its next roll, its states and its scores."""
    return [_character(view, pen, character) for character in view.characters.values()]


def _character(view: View, pen: Pen, character: Character) -> Row:
    out = character.status is not CharacterStatus.IN_PLAY
    boxes = "  ".join(
        f"{pen.words(f'crisis.{kind}')} {_boxes(character, kind, pen.glyphs)}"
        for kind in CrisisKind
        if character.boxes(kind)
    )
    label = pen.labelled(2, character.name, character.id, LOST if out else "")
    is_waiting = character.choices or character.crisis_due or waits(character)
    rank = Rank.ENDED if out else Rank.WAITS if is_waiting else Rank.GOES_ON
    return Row((label, Text(boxes, "red"), remarks(*_said_of(view, pen, character))), rank)


def _boxes(character: Character, kind: CrisisKind, glyphs: Glyphs) -> str:
    marked = character.boxes(kind)
    return glyphs.marked * marked + glyphs.box * (BOXES - marked)


def _said_of(view: View, pen: Pen, character: Character) -> Iterator[str]:
    words = pen.words
    yield "" if character.status is CharacterStatus.IN_PLAY else words(f"character.{character.status}")
    yield pen.of(view, character.owner)
    yield words("character.crisis_due", id=pen.id_of(character.crisis_due)) if character.crisis_due else ""
    yield from _waiting(pen, character)
    for choice in character.choices:
        check, offered = pen.id_of(choice.check_id), " / ".join(map(isolated, choice.offered))
        said = "character.choice" if choice.or_token else "character.must_choose"
        yield words(said, instead=choice.instead_of, id=check, offered=offered)
    yield words("effect.momentum") if character.momentum else ""
    yield words("effect.interference") if character.interference else ""
    for bonus in character.bonuses:
        yield words("character.bonus", dice=bonus.dice, benefits=bonus.benefits, what=bonus.what)
    yield from character.states
    yield from (f"{name} {track.value}/{track.most}" for name, track in character.tracks.items())
    yield from _sheet(words, character)
    for crisis in character.crises:
        if crisis.description:
            yield words("character.crisis", kind=crisis.kind, description=crisis.description)


def _waiting(pen: Pen, character: Character) -> Iterator[str]:
    """Yield words about what waits for the gm's approval: a new character, a new level, or changes of the sheet.

    Source: rules.md B18.
    """
    yield pen.words("character.newcomer") if character.newcomer else ""
    if character.approved_level is not None:
        yield pen.words("character.approved_level", level=character.level, approved=character.approved_level)
    if character.proposed is not None:
        changes = pen.narrator.word("sheet_changes", changes_of(character.sheet, character.proposed))
        yield pen.words("character.proposed", changes=changes)


def _sheet(words: Words, character: Character) -> Iterator[str]:
    """Yield words for a character's attributes, reflex and special attributes."""
    yield from (f"{isolated(name)} {score}" for name, score in sorted(character.attributes.items()))
    yield "" if character.reflex is None else words("character.reflex", score=character.reflex)
    yield from (isolated(special.name) + "*" * special.starred for special in character.specials)
