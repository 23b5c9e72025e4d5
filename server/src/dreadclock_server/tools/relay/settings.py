"""The settings of a relay: a TOML file. The file does not contain secrets: it says where to find each secret."""

import os
import re
import tomllib
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import SplitResult, urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from dreadclock.client.trust.device import read_regular
from dreadclock.narration import ENGLISH, languages
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import DreadclockError
from dreadclock.wire.fold import FOLDS

RETRIES_S = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)  # the schedule of Standard Webhooks 1.0.0
SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"

_FOUND = re.compile(r"(?P<how>env|file):(?P<where>.+)")
_ENV = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORDS_OF_PYDANTIC = "Value error, "
EVENTS = frozenset(str(model.model_fields["type"].default) for model in FOLDS)


class BadSettings(DreadclockError, ValueError):
    """The settings of a relay are invalid. The message shows no value that might be a secret."""


def _secret(text: str) -> str:
    match = _FOUND.fullmatch(text)
    if match is None or (match["how"] == "env" and not _ENV.fullmatch(match["where"])):
        raise ValueError("say where the secret is, as env:VARIABLE or file:PATH; it has no place in this file itself")
    return text


def _secret_or_address(text: str) -> str:
    return text if text.startswith(("http://", "https://")) else _secret(text)


def _http(text: str) -> str:
    """Return the address of a service. Raises ValueError if it uses no TLS and is not on this machine."""
    if is_private(parts_of(text)):
        return text
    raise ValueError("an address must begin with https://, or with http:// and a loopback host")


def _websocket(text: str) -> str:
    parts = parts_of(text)
    if parts.scheme not in ("ws", "wss") or not parts.hostname:
        raise ValueError("the address of OBS must begin with ws:// or wss:// and a host")
    return text


def _event(tag: str) -> str:
    if tag not in EVENTS:
        raise ValueError("there is no event of this type")
    return tag


def _language(text: str) -> str:
    if text not in languages():
        raise ValueError(f"there are words in {' and '.join(languages())} only")
    return text


def _public_too(channels: tuple[Channel, ...]) -> tuple[Channel, ...]:
    if Channel.PUBLIC not in channels or len({*channels}) != len(channels):
        raise ValueError('channels are ["public"], or ["public", "gm"]')
    return tuple(channel for channel in Channel if channel in channels)


def parts_of(url: str) -> SplitResult:
    """Parse an address. Raises BadSettings if it is malformed. The error does not show the address."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise BadSettings("its address is malformed") from None
    return parts


def is_private(parts: SplitResult) -> bool:
    """Return whether an address uses TLS or is on this machine, so that nobody else can read the calls to it."""
    return parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(parts.hostname))


def _is_loopback(host: str | None) -> bool:
    try:
        return host == "localhost" or (host is not None and ip_address(host).is_loopback)
    except ValueError:
        return False


_NO_OTHERS: dict[str, Any] = {"additionalProperties": False}  # in JSON Schema: refuses other keys
_PLACE: dict[str, Any] = {"pattern": "^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$"}
Secret = Annotated[str, AfterValidator(_secret), Field(json_schema_extra=_PLACE)]
TargetName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,32}$")]
Snowflake = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,20}$")]
Event = Annotated[str, AfterValidator(_event), Field(json_schema_extra={"enum": sorted(EVENTS)})]
Channels = Annotated[tuple[Channel, ...], AfterValidator(_public_too)]
TimeoutS = Annotated[float, Field(gt=0, le=30)]


class Part(BaseModel):
    """A table of the TOML file. Unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class TargetSettings(Part):
    """The settings that all targets have."""

    channels: Channels = (Channel.PUBLIC,)
    """The channels whose events the target gets: "public", and "gm" for what only the gm sees."""
    timeout_s: TimeoutS = 20.0
    """Give up a call without an answer after this many seconds."""


class DiscordSettings(TargetSettings):
    """A webhook of a Discord channel."""

    kind: Literal["discord"]
    url: Secret
    """Where to find the webhook's address. The address is a secret: whoever has it can write there."""
    tracker: bool = True
    """Whether to post one message with the current state of the table, and edit it after each change."""
    story: bool = False
    """Whether to post messages with a sentence for each event: the story."""
    story_thread: Snowflake | None = None
    """The id of a thread in that channel, for the story."""
    forum_post: Annotated[str, StringConstraints(min_length=1, max_length=100)] | None = None
    """For the webhook of a forum: the title of the post that holds the tracker and the story."""
    from_beginning: bool = False
    """Whether a new story begins with the room's first event, and not with the next event."""

    @model_validator(mode="after")
    def _does_something(self) -> Self:
        if not (self.tracker or self.story):
            raise ValueError("with neither tracker nor story there is nothing to do")
        if self.forum_post is not None and (self.story_thread is not None or not self.tracker):
            raise ValueError("a forum_post needs a tracker, and contains the story: remove story_thread")
        return self


class WebhookSettings(TargetSettings):
    """A receiver of Standard Webhooks 1.0.0."""

    kind: Literal["webhook"]
    url: Annotated[str, AfterValidator(_secret_or_address)]
    """The receiver's address, or where to find it."""
    secrets: Annotated[tuple[Secret, ...], Field(min_length=1, max_length=4)]
    """Where to find each secret (`whsec_...`). Events are signed with every secret, so that you can replace
    secrets one by one.
    """
    events: Annotated[tuple[Event, ...], Field(min_length=1)] | None = None
    """The types of events to send. Without this setting, all are sent."""
    from_beginning: bool = False
    """Whether a new receiver gets the room's whole log, and not only events from now on."""
    allow_http: bool = False
    """Whether to permit http:// to other machines. Everyone between the machines can then read everything."""
    retries_s: Annotated[tuple[Annotated[float, Field(ge=0, le=86_400)], ...], Field(max_length=20)] = RETRIES_S
    """The seconds between tries. After the last try the target is stopped."""


class DddiceSettings(TargetSettings):
    """A room of dddice, where 3D dice show the faces that were rolled here."""

    kind: Literal["dddice"]
    key: Secret
    """Where to find the API key."""
    room: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    """The room's slug."""
    theme: Annotated[str, StringConstraints(min_length=1, max_length=100)] = "dddice-standard"
    """The theme of the dice. The owner of the API key must have it."""
    base: Annotated[str, AfterValidator(_http)] = "https://dddice.com/api/1.0"
    """The address of the API."""


class Cue(Part):
    """What OBS does when something happens."""

    events: Annotated[tuple[Event, ...], Field(min_length=1)]
    """The types of events that trigger this cue."""
    scene: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    """The OBS scene to switch to."""
    source: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    """The OBS text source to fill."""
    text: Annotated[str, StringConstraints(max_length=500)] | None = None
    """The text for the source. Without this setting, it is the sentence about the event."""

    @model_validator(mode="after")
    def _does_something(self) -> Self:
        if self.scene is None and self.source is None:
            raise ValueError("a cue needs a scene to switch to, or a source to fill, or both")
        return self


class ObsSettings(TargetSettings):
    """An OBS with obs-websocket 5, which is part of OBS 28 and later."""

    kind: Literal["obs"]
    url: Annotated[str, AfterValidator(_websocket)] = "ws://127.0.0.1:4455"
    """The address of obs-websocket."""
    password: Secret | None = None
    """Where to find the password of obs-websocket. Leave this out if obs-websocket needs no password."""
    when: Annotated[tuple[Cue, ...], Field(min_length=1, max_length=64)]
    """The cues. A cue says what OBS does at some types of events."""


Target = Annotated[
    DiscordSettings | WebhookSettings | DddiceSettings | ObsSettings,
    Field(discriminator="kind"),
]


class RelaySettings(Part):
    """All settings of a relay."""

    link: Secret
    """Where to find the link to a seat. A spectator's link is enough for what everyone sees."""
    lang: Annotated[str, AfterValidator(_language)] = ENGLISH
    """The language of the texts."""
    state: str | None = None
    """The folder where the relay notes what it has sent. Without this setting, it is the user's state folder."""
    targets: Annotated[dict[TargetName, Target], Field(min_length=1, max_length=32, json_schema_extra=_NO_OTHERS)]
    """The targets by name."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the settings."""
    made = RelaySettings.model_json_schema()
    return {"$schema": SCHEMA_ID, **made, "title": "Settings of dreadclock relay"}


def read_settings(path: Path) -> RelaySettings:
    """Read the settings in a file. Raises BadSettings if they are not valid. The message is the first problem."""
    try:
        return RelaySettings.model_validate(tomllib.loads(read_regular(path).decode()))
    except OSError as error:
        raise BadSettings(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadSettings(f"{path} is not written in UTF-8") from None
    except ValidationError as error:
        raise BadSettings(f"{path}: {_problem(error)}") from None
    except (ValueError, RecursionError) as error:  # also if numbers or nesting are too large for Python
        raise BadSettings(f"{path} is not valid TOML: {error}") from None


def _problem(error: ValidationError) -> str:
    """Return a sentence about the first problem: the setting and what is wrong, without its value."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    steps = [str(step) for step in first["loc"]]
    if steps[:1] == ["targets"] and len(steps) > 2:
        del steps[2]  # pydantic adds the kind here, which is no key in the file
    said = first["msg"].removeprefix(_WORDS_OF_PYDANTIC)
    if first["type"] == "extra_forbidden":
        said = "there is no such setting"
    elif first["type"] == "missing":
        said = "it is missing"
    elif first["type"].startswith("union_tag"):
        said = "its kind must be discord, webhook, dddice or obs"
    return ": ".join(part for part in (".".join(steps), said) if part)


def read_secret(place: str, folder: Path) -> str:
    """Return the secret at `env:VARIABLE` or `file:PATH`. The path is relative to `folder`.

    Raises BadSettings if the secret is missing, empty or no text.
    """
    how, _, where = place.partition(":")
    if how == "env":
        value = os.environ.get(where, "")
    else:
        try:
            value = read_regular(folder / where).decode()
        except OSError as error:
            raise BadSettings(f"{where} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise BadSettings(f"{where} holds no text") from None
    if not value.strip():
        raise BadSettings(f"{where} is empty" if how == "file" else f"the variable {where} is not set")
    return value.strip()


def others_may_read(place: str, folder: Path) -> bool:
    """Return whether a secret is in a file that other users of this machine may read."""
    how, _, where = place.partition(":")
    return how == "file" and os.name == "posix" and bool((folder / where).stat().st_mode & 0o077)
