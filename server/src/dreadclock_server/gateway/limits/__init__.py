"""Limits: rate limits, caps on connections, and the in-flight budget (bytes that are being sent or received)."""
