"""Live rooms: the only callers of decide(). Commands in, one atomic append a batch, then acks and events out.

Begin with live.py, which names the parts of a live room; registry.py keeps all live rooms of this process.
"""
