"""All code that depends on uvicorn, including its private parts: protocols with limits, and a graceful shutdown."""
