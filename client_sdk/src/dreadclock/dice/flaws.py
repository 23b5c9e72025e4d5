"""What can be wrong with a roll, or with its lane: a name and a sentence for each flaw.

A lane is a series of rolls whose dice a seat and the server have fixed in advance.
"""

from enum import StrEnum

SENTENCES: dict[str, str] = {}  # by flaw, in the order of `Flaw`


def _flaw(name: str, sentence: str) -> str:
    """Return `name`, after adding its sentence to SENTENCES."""
    SENTENCES[name] = sentence
    return name


class Flaw(StrEnum):
    """What is wrong with a roll or a lane."""

    UNPROVEN = _flaw("unproven", "it has no proof of its faces, and does not say that its dice are physical")
    LANE = _flaw("lane", "its lane is not an open one of the seat that rolled")
    OPENING = _flaw("opening", "the lane does not begin as lanes do")
    ANCHOR = _flaw("anchor", "the lane's anchor was used before")
    SLOT = _flaw("slot", "its slot is not the next of its lane")
    KEY = _flaw("key", "its key does not lead to those that the server has shown")
    TOKEN = _flaw("token", "its token does not lead to those that the roller has shown")
    WITNESSES = _flaw("witnesses", "it does not count the witnesses that there were")
    START = _flaw("start", "it does not go on where the command's last roll ended")
    FACES = _flaw("faces", "its faces are not those that follow from its key, token and witness")
    # only the client that sent the command can find these
    NOT_SENT = _flaw("not_sent", "it was rolled for your seat; it may have been another device of yours")
    REFUSED = _flaw("refused", "the server refused this roll, and rolled all the same")
    DROPPED = _flaw("dropped", "the server says that it was done, and there is no such roll in the log")
    WITHOUT_TOKEN = _flaw("without_token", "it is not in the slot that this client showed a token for")
    OTHER_THING = _flaw("other_thing", "it is not what this client asked for")
    DENIED = _flaw("denied", "the server turned away a token that fits")
