"""Live rooms: the rooms that this process has loaded from the store.

A room takes queued commands as a batch, and appends their events to the store as one entry. Then it sends the records
and the replies. A record is a stored event with its number. The public channel and the gm's channel of a room are
separate sequences of records.

live.py         a room: takes commands, decides them, appends, broadcasts
log.py          computes a room's state from the entries of its log; writes and reads snapshots
replica.py      this process's copy of the log: kept up to date with the store, and saved as snapshots
broadcast.py    sends records and replies, and may wait up to 20 ms to send more records at once
history.py      reads older records of a channel from the store
size.py         limits the size of a log
answers.py      queued commands, and outcomes in the form in which they are stored
views.py        caches of views and undo lists
counters.py     counters for metrics
registry.py     all live rooms of this process
"""
