"""A watch over the rounds of a simulated league: whether a round, or a season, waits for a person."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final

GRACE: Final = timedelta(minutes=10)
"""Time that the service has for its steps; a later one counts as waiting for a person."""


class Watch:
    """The rounds that waited, with the reason."""

    def __init__(self) -> None:
        self.waiting = dict[tuple[int, int], str]()
        """(season, round) -> the first thing that was late; round 0: the end of the season."""
        self._over_since: datetime | None = None

    def look(self, season: Any, at: datetime, disputed: Collection[str]) -> list[datetime]:
        """Note late tables and rounds of a running season, and return the times at which to look again.

        A table with an open dispute waits for its ruling, not for a player.
        """
        number, looks = season["season"]["number"], list[datetime]()
        open_tables = [each for each in season["fixtures"] if not each["isOver"] and each["matchId"] not in disputed]
        for round_number, text in enumerate(season["deadlines"], 1):
            unfinished = [each["table"] for each in open_tables if each["round"] == round_number]
            due = datetime.fromisoformat(text) + GRACE
            if unfinished and at >= due:
                self._note(number, round_number, f"{len(unfinished)} tables had no result after the deadline {text}")
            looks.append(due)
        if season["nextRound"] is not None:
            due = datetime.fromisoformat(season["nextRound"]) + GRACE
            if at >= due:
                next_round = len(season["deadlines"]) + 1
                self._note(number, next_round, f"it was to be opened at {season['nextRound']}")
            looks.append(due)
        looks += self._look_at_end(season, at, disputed)
        return [each for each in looks if each > at]

    def _look_at_end(self, season: Any, at: datetime, disputed: Collection[str]) -> list[datetime]:
        """Note a season that is not closed although every table has a result and no dispute is open."""
        is_over = season["nextRound"] is None and all(each["isOver"] for each in season["fixtures"])
        if not is_over or disputed:
            self._over_since = None
            return []
        self._over_since = self._over_since or at
        if at >= self._over_since + GRACE:
            self._note(season["season"]["number"], 0, f"it was not closed after its last result at {self._over_since}")
        return [self._over_since + GRACE]

    def begin_season(self) -> None:
        """Forget the end of the season before."""
        self._over_since = None

    def _note(self, season: int, round_number: int, text: str) -> None:
        self.waiting.setdefault((season, round_number), text)
