"""The state of a replay of an evening. `tools/replay.py` shows the replay in a terminal."""

from typing import Final

SHORTEST_S: Final = 0.1  # the shortest time between two pictures
LONGEST_S: Final = 3.0


class Player:
    """The current picture of a replay, and whether the replay is paused."""

    def __init__(self, count: int, speed: float) -> None:
        self._last, self.speed = count - 1, speed
        self.place, self.playing, self.ended = 0, True, False

    @property
    def at_end(self) -> bool:
        """Whether the last picture is shown."""
        return self.place == self._last

    def press(self, key: str) -> None:
        """Pause or continue at `space`, pause and step at `left` or `right`, and end at `q`."""
        match key:
            case "space":
                self.playing = not self.playing
            case "left" | "right":
                self.playing = False
                self.step(1 if key == "right" else -1)
            case "q":
                self.ended = True

    def step(self, by: int) -> None:
        """Move by `by` pictures (negative: back), but not beyond the first or last picture."""
        self.place = min(max(self.place + by, 0), self._last)

    def pause_s(self, gap_ms: int) -> float:
        """Return how many seconds to show a picture.

        `gap_ms`: the time from this picture's event to the next picture's event. Returns 0 if the speed is 0.
        """
        return min(max(gap_ms / 1000 / self.speed, SHORTEST_S), LONGEST_S) if self.speed else 0.0
