"""Live rooms: the only callers of decide(). Commands in, one atomic append a batch, then acks and events out."""
