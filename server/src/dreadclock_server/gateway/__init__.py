"""Where the network ends: websockets, REST, tokens, and who is connected."""
