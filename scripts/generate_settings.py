"""Write docs/settings.md from the code: every setting, what it may be, and what it is if nobody says."""

from typing import Final

from dreadclock_server.settings.table import SETTINGS, Setting

_HEAD: Final = """# Settings

Every setting is a flag of `dreadclock serve` and an environment variable: `--max-connections 500` is
`DREADCLOCK_MAX_CONNECTIONS=500`. This command shows all values, and where each value comes from. It hides keys and
passwords:

```
dreadclock serve --show-settings
```

- A flag wins over the variable.
- An empty variable counts as not set. An empty flag means the default.
- A setting with two flags, such as `--lan` and `--no-lan`, takes no value. Its variable is `yes` or `no`.
- If a value is invalid, the server says so and does not start.
- The server warns about variables that look like a misspelled setting.

Words in the table: a room is a game table. A seat is the place of a person or program in a room, as `gm` (game
master), `player`, `spectator` or `integration` (a program). A command is a seat's request to change the room, such as a
roll. The server acknowledges a command when the command is stored. The embedded Valkey is the database that the server
starts itself. In the rows about limits and connections, an address is the IP address of a client.

`make generate` writes this page from the code.

| flag | value | default | meaning |
| --- | --- | --- | --- |
"""


def files() -> dict[str, str]:
    """Return the whole page."""
    return {"docs/settings.md": _HEAD + "".join(map(_row, SETTINGS))}


def _row(setting: Setting) -> str:
    flags = f"`{setting.flag}`, `--no-{setting.flag[2:]}`" if setting.is_switch else f"`{setting.flag}`"
    cells = (flags, setting.kind.must_be, setting.shown_default, setting.meaning)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
