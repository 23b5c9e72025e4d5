"""What becomes of a character's sheet when its player or the gm writes on it. Source: rules.md B18."""

from collections.abc import Mapping

from dreadclock.wire.things import Character, CharacterStatus, Sheet, SheetChange, SheetPart

_FIELDS = tuple(Sheet.model_fields)
_Pair = tuple[SheetPart, str | None, int | None, int | None]


def written_by_gm(before: Character, changes: Mapping[str, object]) -> Character:
    """Return a character as the gm writes it; a level that she names is approved, and what waits takes it over."""
    approved = None if "level" in changes else before.approved_level
    return _with_wish(before.model_copy(update={**changes, "approved_level": approved}), changes)


def written_by_player(before: Character, changes: Mapping[str, object]) -> Character:
    """Return a character as its player writes it; races go on counting the level that the gm approved last."""
    after = before.model_copy(update=changes)
    approved = before.approved_level or before.level
    counted = None if before.newcomer or after.level == approved else approved
    return _with_wish(after.model_copy(update={"approved_level": counted}), changes)


def _with_wish(after: Character, changes: Mapping[str, object]) -> Character:
    if after.proposed is None:
        return after
    written = {name: value for name, value in changes.items() if name in _FIELDS}
    return asking(after, after.proposed.model_copy(update=written))


def asking(character: Character, sheet: Sheet) -> Character:
    """Return a character whose player asks for a sheet; for the one that she has, nothing waits."""
    return character.model_copy(update={"proposed": None if sheet == character.sheet else sheet})


def waits(character: Character, *, refusable: bool = False) -> bool:
    """Tell whether something on a sheet waits for the gm, or something that she can refuse: a newcomer is there."""
    asked = character.proposed is not None or character.approved_level is not None
    return asked or (bool(character.newcomer) and not refusable)


def approved(character: Character) -> Character:
    """Return a character with all that waits on its sheet approved."""
    sheet = character.proposed or character.sheet
    return character.model_copy(update={**dict(sheet), "proposed": None, "newcomer": None, "approved_level": None})


def refused(character: Character) -> Character:
    """Return a character without what waited on its sheet; a level that was written stands as it was approved."""
    level = character.approved_level or character.level
    return character.model_copy(update={"level": level, "proposed": None, "approved_level": None})


def counted_level(character: Character) -> int | None:
    """Return the level that counts for a race; None of a newcomer and of whoever is out of play."""
    if character.newcomer or character.status is not CharacterStatus.IN_PLAY:
        return None
    return character.approved_level or character.level


def changes_of(before: Sheet, after: Sheet) -> tuple[SheetChange, ...] | None:
    """Say what differs between two sheets: the level, attributes and specials by name, the reflex."""
    specials = ({each.name: each.dice for each in sheet.specials} for sheet in (before, after))
    pairs: list[_Pair] = [(SheetPart.LEVEL, None, before.level, after.level)]
    pairs += _differing(SheetPart.ATTRIBUTE, before.attributes, after.attributes)
    pairs += _differing(SheetPart.SPECIAL, *specials)
    told = [*pairs, (SheetPart.REFLEX, None, before.reflex, after.reflex)]
    changes = tuple(SheetChange(what=what, name=name, was=was, now=now) for what, name, was, now in told if was != now)
    return changes or None


def _differing(what: SheetPart, before: Mapping[str, int], after: Mapping[str, int]) -> list[_Pair]:
    return [(what, name, before.get(name), after.get(name)) for name in sorted({*before, *after})]
