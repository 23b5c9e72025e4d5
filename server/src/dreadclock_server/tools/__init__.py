"""Commands that run beside a server. They use the SDK, the core and `evening`."""
