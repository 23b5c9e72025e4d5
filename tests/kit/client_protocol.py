"""The client's side of the protocol, for the tests of it."""

import json

from dreadclock.client.protocol import ClientProtocol
from dreadclock.wire.frames import Client
from kit.table import ROOM, Log, welcome_to


def client() -> ClientProtocol:
    return ClientProtocol(ROOM, "token", Client(name="test"))


def joined(log: Log, session: str = "session-1") -> ClientProtocol:
    protocol = client()
    protocol.connect()
    protocol.receive(welcome_to(log, session))
    protocol.frames_to_send()
    return protocol


def numbers(protocol: ClientProtocol) -> list[int]:
    return [json.loads(frame)["n"] for frame in protocol.frames_to_send()]
