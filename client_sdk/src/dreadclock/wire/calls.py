"""The table of REST calls. The client, the server's routes and the OpenAPI description all use this table.

Most bodies and answers are models of `rest.py`. The server adds a handler and a rate limit to each row
(`gateway/rest/routes.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Literal, TypeVar
from urllib.parse import urlencode

from pydantic import Field, StringConstraints

from dreadclock.wire import rest
from dreadclock.wire.commands import Command
from dreadclock.wire.frames import Pending, RefusedFrame, WaitingKnock
from dreadclock.wire.records import Record
from dreadclock.wire.streams import EventId
from dreadclock.wire.views import View

Answer = TypeVar("Answer")
_JSON = ("application/json",)


@dataclass(frozen=True, slots=True, eq=False)
class Call(Generic[Answer]):
    """A REST call.

    `name`: the `operationId`. `route`: method and path. `answer`: a model, a tuple type for a list of models, None for
    status 204, or the name of a type that our client does not parse. `body`: a model, or `str` for JSON lines. `query`
    and `headers`: the type of each parameter. `needed`: the required query parameters; all others are optional.
    `media`: the media types that the caller may ask for. `others`: by status, the types of answers with
    other statuses. Every call may also be refused. The answer is a `Problem`, unless `others` has another type.
    """

    name: str
    route: str
    summary: str
    answer: type[Answer] | str | None = None
    status: int = 200
    body: Any = None
    query: Mapping[str, Any] = field(default_factory=dict)
    needed: tuple[str, ...] = ()
    headers: Mapping[str, Any] = field(default_factory=dict)
    media: tuple[str, ...] = _JSON
    others: Mapping[int, Any] = field(default_factory=dict)

    @property
    def method(self) -> str:
        """The HTTP method."""
        return self.route.partition(" ")[0]

    @property
    def path(self) -> str:
        """The path, with the names of its variable parts in braces."""
        return self.route.partition(" ")[2]

    def address(self, server: str, query: Mapping[str, object] | None = None, **path: str) -> str:
        """Return the URL of the call on a server. `path`: the values of the variable parts. `query`: the parameters."""
        return server + self.path.format(**path) + (f"?{urlencode(query)}" if query else "")


_Number = Annotated[int, Field(ge=0, le=999_999)]
_WaitS = Annotated[int, Field(ge=0, le=25)]
_Key = Annotated[str, StringConstraints(min_length=1, max_length=200)]
_NoStyle = Annotated[str, Field(json_schema_extra={"enum": ["none"]})]
_Few = Annotated[int, Field(ge=0, le=60)]
_Several = tuple[_Few, ...]
_Speed = Literal["slow", "medium", "fast"]
_Flag = Literal["", "true", "1", "false", "0"]
_Ratio = Annotated[str, StringConstraints(pattern="^[0-9]{1,6}(/[0-9]{1,6})?$")]
_Ratios = tuple[_Ratio, ...]
_Faces = Annotated[str, StringConstraints(pattern="^[1-6](,[1-6])*$")]
_SIDE: dict[str, Any] = {
    **dict.fromkeys(("bonus", "penalty", "venture"), _Few),
    **dict.fromkeys(("momentum", "interference"), _Flag),
    "helper": tuple[str, ...],
}
_CONTEST = {**_SIDE, "reflex": _Few}


def _room(
    name: str, route: str, summary: str, answer: type[Answer] | str | None = None, status: int = 200, **more: Any
) -> Call[Answer]:
    """Return a call about a room. `route` is given without `/api/rooms/{room}`."""
    return Call(name, route.replace(" ", " /api/rooms/{room}"), summary, answer, status, **more)


OPEN_ROOM = Call("open_room", "POST /api/rooms", "Open a room", rest.RoomOpening, 201, body=rest.OpenRoom)
OPEN_IN_PLAY = Call(
    "open_in_play", "POST /api/rooms/in-play", "Open a demo room", rest.TableInPlay, 201, body=rest.OpenInPlay
)
ACT_IN_PLAY = _room(
    "act_in_play",
    "POST /in-play",
    "Pause or resume a demo room, or take it over; pages that watch it send `watch` every few seconds",
    rest.InPlayState,
    body=rest.InPlayWish,
)
IMPORT_ROOM = Call(
    "import_room",
    "POST /api/rooms/import",
    "Open a room that continues an export; ?title= renames it",
    rest.RoomOpening,
    201,
    body=str,
    query={"title": str},
)
GET_VIEW = _room("get_view", "GET ", "Return the caller's view of the room", View)
DELETE_ROOM: Call[None] = _room(
    "delete_room",
    "DELETE ",
    "Delete the room; ?confirm= must be its title",
    None,
    204,
    query={"confirm": str},
    needed=("confirm",),
)
MAKE_GM_LINK = _room(
    "make_gm_link", "POST /gm-link", "Make another link for the gm; takes the operator's key", rest.Grant, 201
)
INVITE = _room(
    "invite", "POST /invites", "Make a token for a new or an existing seat", rest.Grant, 201, body=rest.Invite
)
KNOCK = _room("knock", "POST /knocks", "Ask for a seat, without a token", rest.Knocking, 201, body=rest.Knock)
LIST_KNOCKS = _room("list_knocks", "GET /knocks", "List the knocks that wait for an answer", tuple[WaitingKnock, ...])
GET_KNOCK = _room(
    "get_knock",
    "GET /knocks/{knock}",
    "Return the state of a knock, for whoever has its secret; ?wait_s= waits for the gm's answer",
    rest.KnockState,
    query={"wait_s": _WaitS},
)
WITHDRAW_KNOCK: Call[None] = _room(
    "withdraw_knock",
    "DELETE /knocks/{knock}",
    "Withdraw a knock, or confirm its seat",
    None,
    204,
    query={"wait_s": _WaitS},  # ignored, but part of the published description
)
ANSWER_KNOCK = _room(
    "answer_knock", "POST /knocks/{knock}/answer", "Accept or turn away a knock", rest.KnockState, body=rest.KnockAnswer
)
LIST_TOKENS = _room(
    "list_tokens", "GET /tokens", "List the room's tokens, never their secrets", tuple[rest.TokenInfo, ...]
)
REVOKE_TOKEN: Call[None] = _room(
    "revoke_token", "DELETE /tokens/{token_id}", "Revoke a token and close its connections", None, 204
)
GET_ADDRESSES = _room(
    "get_addresses", "GET /addresses", "List addresses at which other devices reach the server", rest.Addresses
)
DRAW_QR = _room("draw_qr", "POST /qr", "Draw a link as a QR code", rest.QrCode, body=rest.QrRequest)
GET_SIZE = _room("get_size", "GET /size", "Return the size of the room's log, and its limit", rest.RoomSize)
GET_UNDOABLE = _room(
    "get_undoable", "GET /undoable", "List commands that the caller may undo, newest first", tuple[rest.Undoable, ...]
)
SEND_COMMAND = _room(
    "send_command",
    "POST /commands",
    "Submit a command; with the same Idempotency-Key it is applied once, however often it is sent",
    rest.CommandAnswer,
    body=Command,
    headers={"Idempotency-Key": _Key},
    others={202: Pending, **dict.fromkeys((403, 404, 409), RefusedFrame)},
)
GET_LOG = _room(
    "get_log",
    "GET /log",
    "Return the caller's records after the numbers ?public= and ?gm=, as JSON lines or as a JSON array",
    tuple[Record, ...],
    query={"public": _Number, "gm": _Number, "limit": _Number},
    media=("application/json", "application/jsonl"),
)
GET_RECAP = _room(
    "get_recap",
    "GET /recap",
    "Return a page about the evening, for a seat or for whoever has a link to it",
    str,
    query={"lang": rest.Language, "zone": rest.Zone, "style": _NoStyle},
    media=("text/html",),
)
SHARE_RECAP = _room(
    "share_recap", "POST /recaps", "Make a link to a recap of what was public so far", rest.RecapGrant, 201
)
LIST_RECAPS = _room("list_recaps", "GET /recaps", "List the links to recaps", tuple[rest.SharedRecap, ...])
WITHDRAW_RECAP: Call[None] = _room("withdraw_recap", "DELETE /recaps/{recap_id}", "Revoke a link to a recap", None, 204)
GET_EVENTS: Call[Any] = _room(
    "get_events",
    "GET /events",
    "Stream the room's events, from its present view or from Last-Event-ID, until either side closes",
    "StreamEvent",
    headers={"Last-Event-ID": EventId},
    media=("application/x-ndjson", "text/event-stream"),
)


def _odds(name: str, subject: str, answer: str, query: Mapping[str, Any], *needed: str) -> Call[Any]:
    path = "/api/odds/" + name.replace("odds", "").strip("_")
    return Call(name, f"GET {path}", f"Return {subject}", answer, query=query, needed=needed)


COUNTDOWN_ODDS = _odds(
    *("countdown_odds", "the exact odds of a countdown", "CountdownReport"),
    {"pool": _Few, "speed": _Speed, "stage": _Several, "rolls": _Few},
    "pool",
)
ODDS_TABLE = _odds("odds_table", "the mean rolls of countdowns of 1 to 10 dice, rounded", "TableReport", {})
RACE_ODDS = _odds(
    *("race_odds", "the exact odds of a race", "RaceReport"),
    {"situation": _Few, "threat": _Few, "chance": _Ratios, "efforts": _Several, "rounds_per_effort": _Ratio},
    *("situation", "threat", "chance"),
)
CHECK_ODDS = _odds("check_odds", "the exact odds of a check", "CheckReport", {"dice": _Few, **_SIDE}, "dice")
CONTEST_ODDS = _odds(
    *("contest_odds", "the exact odds of a contest", "ContestReport"),
    {"dice": _Few, "against": _Few, **_CONTEST, **{f"against_{name}": kind for name, kind in _CONTEST.items()}},
    *("dice", "against"),
)
TOTAL_ODDS = _odds(
    "total_odds", "the exact odds of a roll total", "TotalReport", {"dice": _Few, "required": _Few}, "dice"
)
PUSH_ODDS = _odds("push_odds", "the exact odds of a push", "PushReport", {"kept": _Faces, "required": _Few}, "kept")

CALLS: tuple[Call[Any], ...] = tuple(row for row in list(vars().values()) if isinstance(row, Call))
