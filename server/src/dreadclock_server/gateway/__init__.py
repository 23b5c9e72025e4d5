"""The network side of the server: websockets, REST calls, pages, tokens, limits and presence."""
