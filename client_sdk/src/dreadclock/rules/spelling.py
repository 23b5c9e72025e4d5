"""Compares names that people type."""

import string
import unicodedata


def spelled(text: str) -> str:
    """Return a name in a form for comparing: without case, invisible characters, and surrounding punctuation."""
    visible = (char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")
    return "".join(visible).casefold().strip(string.whitespace + string.punctuation)
