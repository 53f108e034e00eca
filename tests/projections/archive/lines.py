"""Really played matches of bots for whoever follows the log, each from a seed."""

from collections.abc import Iterable, Sequence
from typing import Final
from uuid import UUID

from domain.matches.aggregate import Match
from domain.matches.apply import fold
from domain.matches.facts import Table
from domain.matches.log.entries import Entry
from domain.matches.log.records import Record
from domain.matches.play.in_memory import MatchLog, play_on, seed_luck, table_of_bots
from domain.titles import TITLES
from workers.bots import BOTS

BOT: Final = "bot:random@1"
EVENT: Final = "00000000-0000-0000-0000-0000000000e1"
"""Tables of an event are opened by the service, and are no demonstration."""


def played(title: str, seats: int, number: int, table: Table | None = None, bot: str = "random") -> MatchLog:
    """A whole match of bots, all of one kind."""
    table = Table(event=EVENT) if table is None else table
    begun = table_of_bots(TITLES[title], (BOT,) * seats, {}, seed_luck(b"archive %d" % number), table)
    return play_on(begun, {BOT: BOTS[bot].choose})


class Lines:
    """Several logs, one after the other."""

    titles = TITLES

    def __init__(self, logs: Iterable[Sequence[Entry]]) -> None:
        self._entries = [entry for log in logs for entry in log]

    def happenings(self, after: int, limit: int) -> list[tuple[int, Entry]]:
        return list(enumerate(self._entries, 1))[after : after + limit]

    def examine(self, event: Entry | Record) -> None:
        """There is no tree beside it."""

    def is_imported(self, match_id: UUID) -> bool:
        del match_id
        return False

    def at(self, match_id: UUID, version: int) -> Match:
        return fold(TITLES, [entry for entry in self._entries if entry.line_id == match_id][:version])
