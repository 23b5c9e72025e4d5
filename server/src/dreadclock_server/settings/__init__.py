"""The settings of the server. `table` has a row for each setting. Flags, variables and the documentation are made
from the rows.
"""

# pydantic-settings is not used, because it would save only about ten lines of given.py. Flags, error messages, masked
# secrets, the sources of values and the printed page would still be our code.
