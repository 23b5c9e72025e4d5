"""Plain rolls, and the lanes of the dice ledger."""

from enum import StrEnum

from dreadclock.wire.base import Count, Faces, Id, Model, Name, RollProof, Value32, Visibility


class RollPurpose(StrEnum):
    """What a plain roll is for."""

    DAMAGE = "damage"
    OTHER = "other"


class Roll(Model):
    """A plain roll."""

    id: Id
    seat_id: Id
    faces: Faces
    paid: Count = 0  # dice of ventures among them
    name: Name | None = None
    character_id: Id | None = None
    purpose: RollPurpose = RollPurpose.OTHER
    visibility: Visibility = Visibility.PUBLIC
    physical: bool = False
    proof: RollProof | None = None


class Lane(Model):
    """A lane of the dice ledger: both sides' chains, fixed before its first roll.

    In a seat's lane, the first token that each other seat shows in public after the lane was opened is folded into
    `witness`. A roll uses it as it stood when the lane was rolled last: `next_witness`. Absent is 32 zero bytes.

    The lane of a sealed thing is in public too, from `sealed_started` until everyone sees the thing: what is rolled
    in it shows later, so that `tokens` says which those in `witness` are, in order, and `used` stays 0.
    """

    label: str
    seat_id: Id | None = None  # absent in the lane of a hidden thing
    started_by: Id | None = None  # the seat that started the sealed thing, whose own tokens are no witnesses
    anchor: Value32 | None = None  # t_0 of the client's tokens, absent in a token-less lane
    key: Value32  # k_0 of the server's keys
    used: Count = 0  # rolls made
    token: Value32 | None = None  # the token that was shown last
    tokens_before: Count = 0  # tokens that the room had seen when the lane was opened
    witness: Value32 | None = None
    witnesses: Count = 0  # tokens in `witness`
    tokens: tuple[Value32, ...] | None = None  # those, in the lane of a sealed thing
    next_witness: Value32 | None = None
    next_witnesses: Count = 0  # tokens in `next_witness`
