"""Serving one websocket: its hello, its commands, what it is sent, and the hub of its room."""
