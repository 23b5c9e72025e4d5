"""Live rooms. Commands in, one atomic append a batch, then records and replies out.

live.py         a room: take, decide, append, broadcast
log.py          a room's log: folded from its entries; writes and reads snapshots, and says when one is due
replica.py      this node's copy of the log: kept in step with the store, and saved as snapshots
broadcast.py    who receives it, and how long a broadcast waits for more
history.py      what happened before: records from memory or from the store
size.py         how large a log may become        answers.py  commands that wait, and outcomes as they are stored
views.py        caches of views and undo lists    counters.py for metrics
registry.py     all live rooms of this process
"""
