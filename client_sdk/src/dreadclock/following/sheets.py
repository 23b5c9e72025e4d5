"""What becomes of a character's sheet when its player or the gm writes on it. Source: rules.md B18."""

from collections.abc import Mapping

from dreadclock.wire.things import Character, CharacterStatus, Sheet

_FIELDS = tuple(Sheet.model_fields)


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
