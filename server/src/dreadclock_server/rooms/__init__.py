"""Live rooms. Commands come in, each batch of commands is one atomic append, then records and replies go out.

live.py         a room: takes commands, decides them, appends, broadcasts
log.py          a room's log: folded from its entries; writes and reads snapshots, and says when one is due
replica.py      this node's copy of the log: kept up to date with the store, and saved as snapshots
broadcast.py    sends records and replies, and may wait up to 20 ms to send more records at once
history.py      older records of a channel, from the store
size.py         how large a log may become        answers.py  commands that wait, and outcomes as they are stored
views.py        caches of views and undo lists    counters.py for metrics
registry.py     all live rooms of this process
"""
