"""All that touches uvicorn, some of it private to uvicorn: its protocols within limits, its graceful end."""
