"""The dice ledger: its scheme, and checking rolls against it."""
