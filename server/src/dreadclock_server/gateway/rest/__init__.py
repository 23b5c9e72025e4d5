"""The REST calls: rooms and their tokens, logs, imports, odds, and calls for operators."""
