"""Print docs/settings.md from the code: every setting, what it may be, and what it is if nobody says.

.venv/bin/python scripts/generate_settings.py > docs/settings.md
"""

import sys
from typing import Final

from dreadclock_server.settings import SETTINGS, Setting

_HEAD: Final = """# Settings

Printed from the code by `scripts/generate_settings.py`. Each setting is a flag of `dreadclock serve` and a variable in
the environment: `--max-connections 500` is `DREADCLOCK_MAX_CONNECTIONS=500`. A flag wins over the variable; an empty
variable counts as none, an empty flag as the default. Where there are two flags, they take no value, and the variable
is `yes` or `no`. What makes no sense is named in a sentence, and the server does not start. A variable that looks like
a mistyped setting is warned of.

`dreadclock serve --show-settings` prints each setting with its value and where that came from, and ends. It shows no
key and no password.

| flag | is | if nobody says | what it means |
| --- | --- | --- | --- |
"""


def settings_page() -> str:
    """Return the whole page."""
    return _HEAD + "".join(map(_row, SETTINGS))


def _row(setting: Setting) -> str:
    flags = f"`{setting.flag}`, `--no-{setting.flag[2:]}`" if setting.is_switch else f"`{setting.flag}`"
    cells = (flags, setting.kind.must_be, setting.shown_default, setting.meaning)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


if __name__ == "__main__":
    sys.stdout.write(settings_page())
