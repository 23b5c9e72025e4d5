"""What a relay is told to do: a TOML file. Secrets stand in no such file, only where each of them is to be found."""

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

RETRIES_S = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)  # Standard Webhooks 1.0.0
SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"

_FOUND = re.compile(r"(?P<how>env|file):(?P<where>.+)")
_ENV = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORDS_OF_PYDANTIC = "Value error, "
EVENTS = frozenset(str(model.model_fields["type"].default) for model in FOLDS)


class BadSettings(DreadclockError, ValueError):
    """Settings of a relay cannot be used; the message shows no value that might be a secret."""


def _secret(text: str) -> str:
    match = _FOUND.fullmatch(text)
    if match is None or (match["how"] == "env" and not _ENV.fullmatch(match["where"])):
        raise ValueError("say where the secret is, as env:VARIABLE or file:PATH; it has no place in this file itself")
    return text


def _secret_or_address(text: str) -> str:
    return text if text.startswith(("http://", "https://")) else _secret(text)


def _http(text: str) -> str:
    """Check an address that tells nobody a secret on its way."""
    if is_private(parts_of(text)):
        return text
    raise ValueError("an address begins with https://, or with http:// and the loopback's name")


def _websocket(text: str) -> str:
    parts = parts_of(text)
    if parts.scheme not in ("ws", "wss") or not parts.hostname:
        raise ValueError("an address of OBS begins with ws:// or wss:// and a host")
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
    """Take an address apart. Raises BadSettings, which does not show it, if that cannot be done."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise BadSettings("its address is malformed") from None
    return parts


def is_private(parts: SplitResult) -> bool:
    """Tell whether nobody on the way to an address can read what is sent: by TLS, or because it is this machine."""
    return parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(parts.hostname))


def _is_loopback(host: str | None) -> bool:
    try:
        return host == "localhost" or (host is not None and ip_address(host).is_loopback)
    except ValueError:
        return False


_NO_OTHERS: dict[str, Any] = {"additionalProperties": False}  # than keys of the pattern
_PLACE: dict[str, Any] = {"pattern": "^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$"}
Secret = Annotated[str, AfterValidator(_secret), Field(json_schema_extra=_PLACE)]
TargetName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,32}$")]
Snowflake = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,20}$")]
Event = Annotated[str, AfterValidator(_event), Field(json_schema_extra={"enum": sorted(EVENTS)})]
Channels = Annotated[tuple[Channel, ...], AfterValidator(_public_too)]
TimeoutS = Annotated[float, Field(gt=0, le=30)]


class Part(BaseModel):
    """A table of the settings; a key that it does not know is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class TargetSettings(Part):
    """What all targets have in common."""

    channels: Channels = (Channel.PUBLIC,)
    """What is told there: what everyone at the table knows, and only with "gm" what the gm alone knows, too."""
    timeout_s: TimeoutS = 20.0
    """Seconds after which a call without an answer is given up."""


class DiscordSettings(TargetSettings):
    """A webhook of a Discord channel."""

    kind: Literal["discord"]
    url: Secret
    """Where the webhook's address is found: whoever has it may write there."""
    tracker: bool = True
    """Whether one message shows the table as it stands, and is edited in place."""
    story: bool = False
    """Whether what happens is told in messages, a sentence for each event."""
    story_thread: Snowflake | None = None
    """The id of a thread of that channel in which the story is told."""
    forum_post: Annotated[str, StringConstraints(min_length=1, max_length=100)] | None = None
    """For a webhook of a forum: the title of the post that is opened there, and in which all else is written."""
    from_beginning: bool = False
    """Whether a story that was never told before begins with the room, and not with now."""

    @model_validator(mode="after")
    def _does_something(self) -> Self:
        if not (self.tracker or self.story):
            raise ValueError("with neither tracker nor story there is nothing to do")
        if self.forum_post is not None and (self.story_thread is not None or not self.tracker):
            raise ValueError("a forum_post begins with its tracker, and has the story in it")
        return self


class WebhookSettings(TargetSettings):
    """A receiver of Standard Webhooks 1.0.0."""

    kind: Literal["webhook"]
    url: Annotated[str, AfterValidator(_secret_or_address)]
    """The receiver's address, or where it is found."""
    secrets: Annotated[tuple[Secret, ...], Field(min_length=1, max_length=4)]
    """Where each secret (`whsec_...`) is found; with more than one, each signs, so that they can be changed."""
    events: Annotated[tuple[Event, ...], Field(min_length=1)] | None = None
    """The types of events that are sent; all unless given."""
    from_beginning: bool = False
    """Whether a receiver that was never told before is sent the room's whole log, and not what happens from now on."""
    allow_http: bool = False
    """Whether the address may begin with http:// elsewhere than on this machine: everyone on the way can read it."""
    retries_s: Annotated[tuple[Annotated[float, Field(ge=0, le=86_400)], ...], Field(max_length=20)] = RETRIES_S
    """Seconds between one try and the next; after the last one the target is stopped."""


class DddiceSettings(TargetSettings):
    """A room of dddice, in which our faces are shown by its dice."""

    kind: Literal["dddice"]
    key: Secret
    """Where the API key is found."""
    room: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    """The room's slug."""
    theme: Annotated[str, StringConstraints(min_length=1, max_length=100)] = "dddice-standard"
    """The theme of the dice, one that the key's owner has."""
    base: Annotated[str, AfterValidator(_http)] = "https://dddice.com/api/1.0"
    """Where the API is."""


class Cue(Part):
    """What OBS does when something happens."""

    events: Annotated[tuple[Event, ...], Field(min_length=1)]
    """The types of events that it is for."""
    scene: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    """The scene that is switched to."""
    source: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    """The text source that is filled."""
    text: Annotated[str, StringConstraints(max_length=500)] | None = None
    """What it is filled with; unless given, the sentence that tells of the event."""

    @model_validator(mode="after")
    def _does_something(self) -> Self:
        if self.scene is None and self.source is None:
            raise ValueError("a cue has a scene to switch to, or a source to fill, or both")
        return self


class ObsSettings(TargetSettings):
    """An OBS with obs-websocket 5, as it comes with OBS from 28 on."""

    kind: Literal["obs"]
    url: Annotated[str, AfterValidator(_websocket)] = "ws://127.0.0.1:4455"
    """Where obs-websocket listens."""
    password: Secret | None = None
    """Where its password is found; none if it asks for none."""
    when: Annotated[tuple[Cue, ...], Field(min_length=1, max_length=64)]
    """What it does at which events."""


Target = Annotated[
    DiscordSettings | WebhookSettings | DddiceSettings | ObsSettings,
    Field(discriminator="kind"),
]


class RelaySettings(Part):
    """All that a relay is told."""

    link: Secret
    """Where the link to a seat is found: a spectator's is enough."""
    lang: Annotated[str, AfterValidator(_language)] = ENGLISH
    """The language that is told in."""
    state: str | None = None
    """The folder in which it is kept what was sent; unless given, the user's own for such things."""
    targets: Annotated[dict[TargetName, Target], Field(min_length=1, max_length=32, json_schema_extra=_NO_OTHERS)]
    """Where to tell it, each by a name."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the settings."""
    made = RelaySettings.model_json_schema()
    return {"$schema": SCHEMA_ID, **made, "title": "Settings of dreadclock relay"}


def read_settings(path: Path) -> RelaySettings:
    """Read the settings in a file. Raises BadSettings, which names the first problem."""
    try:
        return RelaySettings.model_validate(tomllib.loads(read_regular(path).decode()))
    except OSError as error:
        raise BadSettings(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadSettings(f"{path} is not written in UTF-8") from None
    except ValidationError as error:
        raise BadSettings(f"{path}: {_problem(error)}") from None
    except (ValueError, RecursionError) as error:  # also numbers and nesting beyond what Python reads
        raise BadSettings(f"{path} is no TOML: {error}") from None


def _problem(error: ValidationError) -> str:
    """Say where the first problem is and what it is, without anything of what stands there."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    steps = [str(step) for step in first["loc"]]
    if steps[:1] == ["targets"] and len(steps) > 2:
        del steps[2]  # the kind, which stands in no key
    said = first["msg"].removeprefix(_WORDS_OF_PYDANTIC)
    if first["type"] == "extra_forbidden":
        said = "there is no such setting"
    elif first["type"] == "missing":
        said = "it is missing"
    elif first["type"].startswith("union_tag"):
        said = "its kind is discord, webhook, dddice or obs"
    return ": ".join(part for part in (".".join(steps), said) if part)


def read_secret(place: str, folder: Path) -> str:
    """Fetch what `env:VARIABLE` or `file:PATH` speaks of; paths begin at `folder`. Raises BadSettings."""
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
    """Tell whether a secret lies in a file that others on this machine may read."""
    how, _, where = place.partition(":")
    return how == "file" and os.name == "posix" and bool((folder / where).stat().st_mode & 0o077)
