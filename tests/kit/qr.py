"""A small reader of QR codes: byte mode, levels L to H, versions 1 to 9; it corrects no errors.

After ISO/IEC 18004. It knows the code by its grid alone, and nothing of the one who wrote it.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

_FORMAT_MASK = 0b101010000010010
_LEVELS = {0b01: "L", 0b00: "M", 0b11: "Q", 0b10: "H"}
_MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda y, x: (y + x) % 2 == 0,
    lambda y, x: y % 2 == 0,
    lambda y, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: y * x % 2 + y * x % 3 == 0,
    lambda y, x: (y * x % 2 + y * x % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2 == 0,
)
_ALIGNED = {
    1: (),
    2: (6, 18),
    3: (6, 22),
    4: (6, 26),
    5: (6, 30),
    6: (6, 34),
    7: (6, 22, 38),
    8: (6, 24, 42),
    9: (6, 26, 46),
}
# Data codewords of each block, by version: L, M, Q, H (the standard's table 9).
_BLOCKS: dict[int, dict[str, tuple[int, ...]]] = {
    1: {"L": (19,), "M": (16,), "Q": (13,), "H": (9,)},
    2: {"L": (34,), "M": (28,), "Q": (22,), "H": (16,)},
    3: {"L": (55,), "M": (44,), "Q": (17,) * 2, "H": (13,) * 2},
    4: {"L": (80,), "M": (32,) * 2, "Q": (24,) * 2, "H": (9,) * 4},
    5: {"L": (108,), "M": (43,) * 2, "Q": (15, 15, 16, 16), "H": (11, 11, 12, 12)},
    6: {"L": (68,) * 2, "M": (27,) * 4, "Q": (19,) * 4, "H": (15,) * 4},
    7: {"L": (78,) * 2, "M": (31,) * 4, "Q": (14, 14, 15, 15, 15, 15), "H": (13, 13, 13, 13, 14)},
    8: {"L": (97,) * 2, "M": (38, 38, 39, 39), "Q": (18,) * 4 + (19,) * 2, "H": (14,) * 4 + (15,) * 2},
    9: {"L": (116,) * 2, "M": (36,) * 3 + (37,) * 2, "Q": (16,) * 4 + (17,) * 4, "H": (12,) * 4 + (13,) * 4},
}


def read_qr(rows: Sequence[str]) -> str:
    """Read a code, given as rows of `0` (light) and `1` (dark) without a margin."""
    version = (len(rows) - 17) // 4
    level, mask = _format(rows)
    bits = "".join("01"[(rows[y][x] == "1") != _MASKS[mask](y, x)] for y, x in _path(version))
    data = _unwoven([int(bits[i : i + 8], 2) for i in range(0, len(bits) - 7, 8)], _BLOCKS[version][level])
    stream = "".join(f"{byte:08b}" for byte in data)
    assert stream[:4] == "0100", "it is not in byte mode"
    count = int(stream[4:12], 2)
    return bytes(int(stream[i : i + 8], 2) for i in range(12, 12 + 8 * count, 8)).decode()


def _format(rows: Sequence[str]) -> tuple[str, int]:
    """Read the level of correction and the number of the mask, beside the upper left corner."""
    places = [(8, x) for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [(y, 8) for y in (7, 5, 4, 3, 2, 1, 0)]
    value = int("".join(rows[y][x] for y, x in places), 2) ^ _FORMAT_MASK
    return _LEVELS[value >> 13], value >> 10 & 0b111


def _path(version: int) -> Iterator[tuple[int, int]]:
    """Walk over the modules that hold data, in the order of their bits: in pairs of columns, from the right."""
    size, up = 17 + 4 * version, True
    taken = _fixed(version)
    for right in (*range(size - 1, 6, -2), 5, 3, 1):
        for y in range(size - 1, -1, -1) if up else range(size):
            yield from ((y, x) for x in (right, right - 1) if (y, x) not in taken)
        up = not up


def _fixed(version: int) -> set[tuple[int, int]]:
    """List the modules that hold no data: finders, timing, alignment, format and version."""
    size = 17 + 4 * version
    corners = ((0, 0, 9, 9), (0, size - 8, 9, 8), (size - 8, 0, 8, 9))
    taken = {(y + i, x + j) for y, x, high, wide in corners for i in range(high) for j in range(wide)}
    taken |= {(6, i) for i in range(size)} | {(i, 6) for i in range(size)}
    centres = _ALIGNED[version]
    for y in centres:
        for x in centres:
            if (y, x) not in ((6, 6), (6, centres[-1]), (centres[-1], 6)):
                taken |= {(y + i, x + j) for i in range(-2, 3) for j in range(-2, 3)}
    if version >= 7:
        taken |= {(i, size - 11 + j) for i in range(6) for j in range(3)}
        taken |= {(size - 11 + j, i) for i in range(6) for j in range(3)}
    return taken


def _unwoven(codewords: Sequence[int], lengths: Sequence[int]) -> list[int]:
    """Put the data of all blocks, which are woven into each other codeword by codeword, into its order."""
    blocks: list[list[int]] = [[] for _ in lengths]
    left = iter(codewords)
    for row in zip_longest(*(range(length) for length in lengths)):
        for block, place in zip(blocks, row, strict=True):
            if place is not None:
                block.append(next(left))
    return [codeword for block in blocks for codeword in block]
