"""What an overlay's address asks for, and what is made of an address that cannot be understood."""

import json
import subprocess
from pathlib import Path

from kit.puppet import needs_node, pages_for_node

WITHIN_S = 60
AT_FIRST = ["scenes", "countdowns", "clocks", "rolls", "crises"]
ASK = """
const { optionsOf } = await import(process.argv[1]);
console.log(JSON.stringify(process.argv.slice(2).map(optionsOf)));
"""
ASKED = {
    "": (AT_FIRST, "dark", 1, None),
    "show=clocks&accent=0f8&scale=2": (["clocks"], "dark", 2, "#00ff88"),
    "show=countdowns,nonsense,,clocks&colour=red": (["countdowns", "clocks"], "dark", 1, None),
    "show=nonsense&scale=large&accent=url(x)&theme=pink&lang=xx": (AT_FIRST, "dark", 1, None),
    "show=characters,clocks&show=scenes,clocks&theme=light": (["characters", "clocks", "scenes"], "light", 1, None),
    "scale=99&accent=%23ABCDEF": (AT_FIRST, "dark", 3, "#abcdef"),
    "scale=0.1&accent=%23ABCD": (AT_FIRST, "dark", 0.5, None),
}


@needs_node
def test_the_address_says_what_is_shown_and_what_it_says_wrongly_is_left_out(tmp_path: Path) -> None:
    script = (pages_for_node(tmp_path) / "js/overlay/options.js").as_uri()
    command = ["node", "--input-type=module", "--eval", ASK, script, *(f"?{query}" for query in ASKED)]

    done = subprocess.run(command, capture_output=True, text=True, timeout=WITHIN_S)

    assert done.returncode == 0, done.stderr
    found = [tuple(each[name] for name in ("show", "theme", "scale", "accent")) for each in json.loads(done.stdout)]
    assert found == [*ASKED.values()]
