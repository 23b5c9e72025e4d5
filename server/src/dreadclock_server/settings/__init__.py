"""The settings of the server. `table` has a row for each setting. Flags, variables and the documentation are made
from the rows.
"""

# pydantic-settings is not used: it would save about ten lines of given.py. The typer flags, the sentences
# about wrong values, masked secrets, the sources of values and the printed page would still be our code.
