"""A table as somebody asks for it in the lobby."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from domain.kernel.title import Titles
from domain.matches.bots import check_bot
from domain.matches.errors import HintsRefused, WrongSeatCount
from domain.matches.facts import Actor, Table
from domain.matches.hinting import check_hints
from domain.matches.titles import find_title
from domain.ratings.tables import require_clock


class NewTable(msgspec.Struct, frozen=True):
    """A table somebody asks for in the lobby, to sit at its first seat."""

    title: str
    others: tuple[Actor | None, ...]
    """The bots on the other seats; `None` where a seat stays free for a person."""
    options: Mapping[str, str]
    table: Table = Table()
    own_luck: bool = False
    """Whether the person's browser brings a share of luck, once it knows the table."""

    def check(self, titles: Titles) -> None:
        """What opening it or sitting down would refuse is refused before there is a table, or a guest."""
        require_clock(self.table)
        check_hints(self.table)
        if self.table.has_hints and None in self.others:
            raise HintsRefused("with hints one person plays against bots: every other seat needs a bot")
        title = find_title(titles, self.title)
        known, seats = title.rules.options(self.options), len(self.others) + 1
        if not known.seats_min <= seats <= known.seats_max:
            allowed = f"{known.seats_min} to {known.seats_max}"
            raise WrongSeatCount(f"with these options {self.title} is played by {allowed}, not by {seats}")
        for bot in filter(None, self.others):
            check_bot(title, bot)
