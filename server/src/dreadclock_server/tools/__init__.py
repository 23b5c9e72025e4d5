"""Programs that need no server of their own: they are built on the SDK, the core and `evening`."""
