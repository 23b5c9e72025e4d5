"""The REST calls: rooms and their tokens, logs, imports, odds, and what operators ask for."""
