"""What decisions need from outside the core: the wall time, and random parts of ids."""

import secrets
import time


def now_ms() -> int:
    """Return the wall time in ms."""
    return time.time_ns() // 1_000_000


def fresh() -> str:
    """Return the random part of an id that must say nothing about other ids."""
    return secrets.token_hex(6)
