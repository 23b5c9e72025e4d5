"""Where a replay of an evening stands: `tools/replay.py` shows it in a terminal."""

from typing import Final

SHORTEST_S: Final = 0.1  # between two pictures, so that each can be seen
LONGEST_S: Final = 3.0


class Player:
    """Where a replay stands, and whether it goes on by itself."""

    def __init__(self, count: int, speed: float) -> None:
        self._last, self.speed = count - 1, speed
        self.place, self.playing, self.ended = 0, True, False

    @property
    def at_end(self) -> bool:
        """Whether the last picture is shown."""
        return self.place == self._last

    def press(self, key: str) -> None:
        """Do what a key is for: pause and go on, step, end."""
        match key:
            case "space":
                self.playing = not self.playing
            case "left" | "right":
                self.playing = False
                self.step(1 if key == "right" else -1)
            case "q":
                self.ended = True

    def step(self, by: int) -> None:
        """Move by one picture, not beyond either end."""
        self.place = min(max(self.place + by, 0), self._last)

    def pause_s(self, gap_ms: int) -> float:
        """Return how long a picture stays up before the next one, which came so much later."""
        return min(max(gap_ms / 1000 / self.speed, SHORTEST_S), LONGEST_S) if self.speed else 0.0
