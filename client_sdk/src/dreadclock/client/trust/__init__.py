"""Verification of the server by the client: dice tokens, the rolls of its own seat, and heads noted earlier."""
