"""What an operator can set: one row a setting, from which flags, variables and the page about them are made."""

# Not pydantic-settings: it would save some ten lines of given.py, which reads the variables. Flags of typer, the
# sentence about each wrong value, masked secrets, where a value came from and the printed page would stay ours.
