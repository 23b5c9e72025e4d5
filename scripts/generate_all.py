"""Write anew every file that is made from the code, each after those that it is made from: `make generate`."""

import subprocess
import sys
from pathlib import Path

SCRIPTS = Path(__file__).parent
WRITTEN = {  # by each script: the file that it prints, or none where it writes its files by itself
    "generate_version": None,
    "generate_unions": None,
    "generate_methods": None,
    "generate_facade": None,
    "generate_js_types": None,
    "generate_js_limits": "client_sdk/js/limits.js",
    "generate_access": "server/src/dreadclock_server/tools/assistant/access.json",
    "generate_docs": "docs/commands.md",
    "generate_settings": "docs/settings.md",
    "generate_asyncapi": "docs/asyncapi.yaml",
    "generate_openapi": "tests/golden/openapi.json",
    "generate_rules_table": "docs/rules-tests.md",
    "generate_narration": "tests/golden/narration.txt",
    "generate_vectors": "docs/dice-vectors.json",
    "generate_preloads": None,
    "generate_rules_pages": None,
    "generate_transcripts": None,
    "generate_events": "docs/events.md",
    "draw_diagrams": None,
}

if __name__ == "__main__":
    for name, file in WRITTEN.items():
        said = subprocess.run([sys.executable, SCRIPTS / f"{name}.py"], check=True, capture_output=True).stdout
        if file is not None:
            (SCRIPTS.parent / file).write_bytes(said)
