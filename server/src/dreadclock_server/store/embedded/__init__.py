"""The embedded Valkey: a child process of the server, its data directory, its disk and its memory."""
