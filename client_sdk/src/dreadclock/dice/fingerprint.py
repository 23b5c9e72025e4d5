"""Write the hash of a log as six words. Two people can read them aloud to compare their logs up to the same record."""

from dreadclock.wire.base import HeadHash

_CONSONANTS = "bdfghjklmnprstvz"  # 4 bits each
_VOWELS = "aiou"  # 2 bits each
WORDS = 6


def six_words(head: HeadHash) -> tuple[str, ...]:
    """Return the first 96 bits of a channel's hash as six words of five letters."""
    return tuple(_word(int(head[start : start + 4], 16)) for start in range(0, 4 * WORDS, 4))


def _word(bits: int) -> str:
    """Write 16 bits as a word: consonants and vowels in turn, the highest bits first."""
    return "".join(
        (_VOWELS if width == 3 else _CONSONANTS)[bits >> shift & width]
        for shift, width in ((12, 15), (10, 3), (6, 15), (4, 3), (0, 15))
    )
