"""Links as QR codes, for those who hold a phone up to the gm's screen."""

import segno


def rows_of(text: str) -> tuple[str, ...] | None:
    """Return a text as a QR code: rows of `0` (light) and `1` (dark), without a margin; None if it is too long.

    That takes 3 ms for a usual link, 16 for one of 400 characters: it belongs in a thread.
    A code of 15 % that cannot be read (level M) can still be; more, where that takes no more room.
    """
    try:
        code = segno.make_qr(text, error="m")
    except segno.DataOverflowError:
        return None
    return tuple("".join("1" if dark else "0" for dark in row) for row in code.matrix)
