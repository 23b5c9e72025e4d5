"""The client: a room over a websocket that is kept open, and what a server answers over REST.

`room` is what callers hold, `connection` the websocket under it, `protocol` what is said over it, without I/O, and
`mirror` the viewer's own copy of the room. `methods` has a method for each command, `sync` all of it without asyncio.
`trust` is what a client does so that it need not believe the server: it rolls with tokens of its own, and remembers.
"""
