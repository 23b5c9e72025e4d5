"""How often, how many, and how much at once: rate limits, caps on connections, the in-flight budget."""
