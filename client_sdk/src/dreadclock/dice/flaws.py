"""What can be wrong with a roll or with its lane, each with a name of its own and a sentence."""

from enum import StrEnum


class Flaw(StrEnum):
    """What does not fit."""

    UNPROVEN = "unproven"
    LANE = "lane"
    OPENING = "opening"
    ANCHOR = "anchor"
    SLOT = "slot"
    KEY = "key"
    TOKEN = "token"
    WITNESSES = "witnesses"
    START = "start"
    FACES = "faces"
    # what only the roller can know
    NOT_SENT = "not_sent"
    REFUSED = "refused"
    DROPPED = "dropped"
    WITHOUT_TOKEN = "without_token"
    OTHER_THING = "other_thing"
    DENIED = "denied"


SENTENCES = {
    Flaw.UNPROVEN: "it says neither what its faces follow from nor that its dice are physical",
    Flaw.LANE: "its lane is not an open one of the seat that rolled",
    Flaw.OPENING: "the lane does not begin as lanes do",
    Flaw.ANCHOR: "the lane's anchor was used before",
    Flaw.SLOT: "its slot is not the next of its lane",
    Flaw.KEY: "its key does not lead to those that the server has shown",
    Flaw.TOKEN: "its token does not lead to those that the roller has shown",
    Flaw.WITNESSES: "it does not count the witnesses that there were",
    Flaw.START: "it does not go on where the command's last roll ended",
    Flaw.FACES: "its faces are not those that follow from its key, token and witness",
    Flaw.NOT_SENT: "it was rolled for your seat; it may have been another device of yours",
    Flaw.REFUSED: "the server refused this roll, and rolled all the same",
    Flaw.DROPPED: "the server says that it was done, and there is no such roll in the log",
    Flaw.WITHOUT_TOKEN: "it is not in the slot that this client showed a token for",
    Flaw.OTHER_THING: "it is not what this client asked for",
    Flaw.DENIED: "the server turned away a token that fits",
}
