"""Write docs/settings.md from the code: every setting, what it may be, and what it is if nobody says."""

from typing import Final

from dreadclock_server.settings.table import SETTINGS, Setting
from dreadclock_server.settings.values import NONE

_HEAD: Final = """# Settings

Every setting is a flag of `dreadclock serve` and an environment variable: `--max-connections 500` is
`DREADCLOCK_MAX_CONNECTIONS=500`. This command shows all values, and where each value comes from. It hides keys and
passwords, and does not show the address and the key that `--lan` chooses:

```
dreadclock serve --show-settings
```

- A flag wins over the variable.
- An empty variable counts as not set. A flag with an empty value (`--store ''`) means the default, even if the
  variable is set.
- A setting with two flags, such as `--lan` and `--no-lan`, takes no value as a flag. Its variable is `yes` or `no`
  (also `true`, `on` or `1`, and `false`, `off` or `0`).
- If a value is invalid, the server says so and does not start.
- The server warns about variables that look like a misspelled setting.
- For contributors: `make generate` writes this page from the code.

Words in the table:

- A *room* is a game table. A *demo room* plays a story by itself.
- A *seat* is the place of a person or program in a room, as gm (game master), player, spectator or integration.
- A *command* is a seat's request, such as a roll. The server *acknowledges* a command when the command is stored.
- The *embedded Valkey* is the database that the server starts itself.
- Where connections, demo rooms or rates are counted, an *address* is a client's IP address. All IPv6 addresses of a
  /64 network count as one.

| flag | value | default | meaning |
| --- | --- | --- | --- |
"""


def files() -> dict[str, str]:
    """Return the whole page."""
    return {"docs/settings.md": _HEAD + "".join(map(_row, SETTINGS))}


def _row(setting: Setting) -> str:
    flags = f"`{setting.flag}`, `--no-{setting.flag[2:]}`" if setting.is_switch else f"`{setting.flag}`"
    default = "not set" if setting.shown_default == NONE and NONE not in setting.kind.must_be else setting.shown_default
    cells = (flags, setting.kind.must_be, default, setting.meaning)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
