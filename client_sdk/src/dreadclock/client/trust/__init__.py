"""Checks of the server by the client: its part in the dice, the rolls of its own seat, and the log's hashes."""
