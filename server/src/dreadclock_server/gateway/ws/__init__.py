"""Websockets: hello, commands, outgoing frames, and the hub of a room."""
