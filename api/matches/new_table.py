"""New tables as requested in the lobby."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

import msgspec

from api.matches.admission import (
    Applicant,
    BotTables,
    ListedTables,
    admit,
    admit_bots,
    admit_listed,
    require_table_allows_bots,
)
from domain.eventstore.application import Matches
from domain.kernel.title import Titles
from domain.keys.commands import require_registrable, take_seat_with_key
from domain.matches.aggregate import Match
from domain.matches.errors import HintsNeedBots, WrongSeatCount
from domain.matches.facts import Actor, ShareBy, Table
from domain.matches.play.hint_tables import check_hints
from domain.matches.seats.bots import check_bot
from domain.matches.seats.opening import with_pause_limits
from domain.matches.titles import find_title
from domain.ratings.tables import require_clock


class NewTable(msgspec.Struct, frozen=True):
    """A table requested in the lobby; its opener takes the first seat."""

    title: str
    others: tuple[Actor | None, ...]
    """The bots on the other seats; `None` for a seat kept free for a person."""
    options: Mapping[str, str]
    table: Table = Table()
    own_luck: bool = False
    """Whether the opener's browser commits to a share of luck once the table exists."""
    key: str = ""
    """The signing key (hex) of the browser, or ""."""

    def check(self, titles: Titles) -> None:
        """Reject an invalid request before a table or a guest is created.

        Raises `RatedWithoutClock`, `HintsRefused` or (for a seat without a bot) `HintsNeedBots` for a table with hints,
        `UnknownTitle`, `WrongSeatCount`, `BotCannotPlay` for a bot that cannot play the title, or `BadSignature` for a
        key that no one can register.
        """
        require_registrable(self.key)
        require_clock(self.table)
        check_hints(self.table)
        if self.table.has_hints and None in self.others:
            raise HintsNeedBots("a table with hints has one player and bots in all other seats")
        title = find_title(titles, self.title)
        rule_options, seats = title.rules.options(self.options), len(self.others) + 1
        if not rule_options.seats_min <= seats <= rule_options.seats_max:
            allowed = f"{rule_options.seats_min} to {rule_options.seats_max}"
            raise WrongSeatCount(f"with these options {self.title} has {allowed} players, not {seats}")
        for bot in filter(None, self.others):
            check_bot(title, bot)


def set_up(
    matches: Matches,
    new_id: UUID,
    new_table: NewTable,
    person: Actor,
    applicant: Applicant | None,
    listed_tables: ListedTables | None,
    bot_tables: BotTables | None,
    *,
    at: datetime,
) -> Match:
    """Open the table, seat the opener on seat 0 and the bots on theirs; None in `others` leaves a seat empty.

    The opener is ready at once, so that the match starts, unless a seat is empty or the browser still commits to its
    own share of luck. Raises as `NewTable.check`, and for the opener's limits as `commands.open_match`, `admit_bots`
    and `take_seat_with_key`; a repeated call raises `SeatTakenAlready`, or `NotOpen` after the start.
    """
    new_table.check(matches.titles)
    seats, table = len(new_table.others) + 1, with_pause_limits(new_table.table)
    require_table_allows_bots(matches, table, person, at)
    admit(matches, table, applicant, new_id, at=at)
    admit_listed(matches, listed_tables if None in new_table.others else None)
    if any(new_table.others):
        admit_bots(matches, bot_tables, new_id)
    matches.open(new_id, title=new_table.title, seats=seats, options=new_table.options, by=person, at=at, table=table)
    share_by: ShareBy = "awaited" if new_table.own_luck else "service"
    match = take_seat_with_key(matches, new_id, 0, person, new_table.key, at=at, share_by=share_by)
    for seat, bot in enumerate(new_table.others, 1):
        if bot is not None:
            match = matches.take_seat(new_id, seat, bot, at=at)
    return match if new_table.own_luck or None in new_table.others else matches.ready(new_id, 0, person, at=at)
