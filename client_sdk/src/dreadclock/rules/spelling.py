"""When two texts that people write name the same thing."""

import string
import unicodedata


def spelled(text: str) -> str:
    """Leave out what does not make two names differ: case, invisible characters, marks around them."""
    visible = (char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")
    return "".join(visible).casefold().strip(string.whitespace + string.punctuation)
