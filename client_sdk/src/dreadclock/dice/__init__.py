"""Verifies the dice of rolls against the dice ledger, in exports and live."""
