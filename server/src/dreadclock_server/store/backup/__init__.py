"""Backups of the embedded store: made while it runs, checked, and restored."""
