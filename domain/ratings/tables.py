"""The conditions of rated tables: a clock, accounts, and a limit of tables at once.

Organisers decide about the tables of tournaments and leagues.
"""

from collections.abc import Iterable
from typing import Final

from domain.matches.aggregate import Match, seat_of
from domain.matches.facts import Actor, Standing, Table, is_live
from domain.ratings.errors import GuestUnrated, LiveTableTaken, ProgramUnwelcome, RatedWithoutClock, TooManyRated

LIVE_MAX: Final = 1
"""The number of rated live tables a player may play at once."""
ANY_NUMBER: Final = 0
"""The limit of a service that sets none."""


def is_bound(table: Table) -> bool:
    """Return whether the table is rated and belongs to no event."""
    return table.rated and table.event_id == ""


def takes_programs(table: Table) -> bool:
    """Return whether the table accepts bot accounts."""
    return table.programs is True


def require_clock(table: Table) -> None:
    """Raise `RatedWithoutClock` for a rated table without a clock."""
    if table.rated and table.clock.kind == "none":
        raise RatedWithoutClock("a rated table requires a clock, not 'none'")


def require_account(table: Table, player: Actor, standing: Standing) -> None:
    """Raise `GuestUnrated` for a guest at a rated table."""
    if is_bound(table) and standing == "guest":
        raise GuestUnrated(f"{player!r} is a guest and cannot play rated matches; sign up first, and keep your seats")


def require_welcome(table: Table, standing: Standing) -> None:
    """Raise `ProgramUnwelcome` for a bot account at a table that accepts none."""
    if standing == "bot" and not takes_programs(table):
        raise ProgramUnwelcome("this is a bot account, and the table does not allow bots")


def occupies(match: Match, player: Actor) -> bool:
    """Return whether the player occupies a seat of a running rated table outside events and has not resigned.

    Matches whose rules are retired do not count.
    """
    if match.is_over or match.is_retired or not is_bound(match.table):
        return False
    seat = seat_of(match, player)
    return seat is not None and not match.seats[seat].resigned


def require_room(table: Table, player: Actor, others: Iterable[Match], slow_max: int) -> None:
    """Raise `LiveTableTaken` or `TooManyRated` if the player has reached the limit among these other matches.

    The limit is `LIVE_MAX` live tables, and `slow_max` correspondence tables (0: no limit). Only rated tables
    outside events count or are limited.
    """
    if not is_bound(table):
        return
    seated_matches = [match for match in others if occupies(match, player)]
    live_matches = [match for match in seated_matches if is_live(match.table.clock)]
    slow_count = len(seated_matches) - len(live_matches)
    if is_live(table.clock) and len(live_matches) >= LIVE_MAX:
        raise LiveTableTaken(
            f"{player!r} already has a seat at the rated live table {live_matches[0].id}, which must end first"
        )
    if not is_live(table.clock) and slow_max != ANY_NUMBER and slow_count >= slow_max:
        sentence = f"{player!r} already has seats at {slow_count} rated correspondence tables; the limit is {slow_max}"
        raise TooManyRated(sentence, {"tables": slow_count, "most": slow_max})
