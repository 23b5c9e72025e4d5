"""Write every sentence of the examples in every language, for people to read and for a test to compare.

.venv/bin/python scripts/generate_narration.py > tests/golden/narration.txt
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from kit.narration.examples import told_page

if __name__ == "__main__":
    sys.stdout.buffer.write(told_page().encode())
