"""The client: a room over a websocket that reconnects, and REST calls.

Callers use `room`. Below it, `connection` is the websocket, `protocol` the protocol without I/O, and `mirror` the
client's own copy of the view. `methods` has a method for each command; `sync` offers everything without asyncio.
`trust` verifies the server: each roll includes a secret value of the client, and the log must continue from the last
hash that this device noted.
"""
