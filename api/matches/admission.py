"""Admission to rated tables, to tables with a limit on abandoned matches, and to further tables.

Read models are read outside the writer's thread. The writer's thread then repeats the check up to the end of the log,
so that two concurrent requests cannot both take the last place.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from msgspec import UNSET

from api.http.guards import Caller
from api.http.identity import Person
from domain.eventstore.application import Matches
from domain.matches.errors import TooManyListed
from domain.matches.facts import Actor, Table
from domain.matches.seats.attendance import require_bot_room, require_room_with_bots
from domain.matches.seats.current_seats import (
    OpenSeats,
    is_bot_table_of,
    is_listed_by,
    is_table_with_bots_of,
    update_open_matches,
    update_open_seats,
)
from domain.ratings.errors import EventWithoutPrograms, GuestUnrated
from domain.ratings.leaving import LeavingHabit, require_staying
from domain.ratings.tables import ANY_NUMBER, is_bound, require_account, require_room, require_welcome, takes_programs

LISTED_OF_GUEST_MAX: Final = 2
"""Maximum number of listed tables of a guest that wait for players.

One for the table they play at, and one they forgot. Visitors can create further guests with one click.
"""


def require_known(table: Table, caller: Caller) -> None:
    """Raise `GuestUnrated` for a caller who would become a guest by taking a seat at a rated table outside events."""
    if is_bound(table) and caller.person is None and not caller.is_service:
        raise GuestUnrated("rated matches require an account; sign up first")


class Applicant(msgspec.Struct, frozen=True):
    """A player who wants to sit down: their leaving habit and their current seats, up to a log position."""

    player: Actor
    habit: LeavingHabit
    sitting: OpenSeats
    slow_max: int
    """Maximum number of rated correspondence tables at once; 0: unlimited."""


def restricts_players(table: Table) -> bool:
    """Return whether the table restricts its players: rated outside events, or with a limit on the leaving habit."""
    return is_bound(table) or table.leaving_max is not UNSET


def require_event_allows_bots(table: Table, person: Person | None) -> None:
    """Raise `EventWithoutPrograms` if a bot account registers for an event whose tables do not accept bot accounts."""
    if person is not None and person.is_bot and not takes_programs(table):
        sentence = f"{person.name!r} is a bot account, and this event does not allow bots"
        raise EventWithoutPrograms(sentence, {"name": person.name})


def require_table_allows_bots(matches: Matches, table: Table, player: Actor, at: datetime) -> None:
    """Raise `ProgramUnwelcome` for a bot account at a table without bot accounts; events check this at registration."""
    if not (table.event_id or takes_programs(table)):
        require_welcome(table, matches.standing(player, at))


class BotTables(msgspec.Struct, frozen=True):
    """The tables with bots of an opener who is about to add a bot, up to a log position each.

    A maximum of 0 means unlimited.
    """

    opener: Actor
    with_bots: OpenSeats
    """Unrated tables with bots that have not ended."""
    with_bots_max: int
    only_bots: OpenSeats
    """Running tables with only bots."""
    only_bots_max: int


def admit_bots(matches: Matches, tables: BotTables | None, match_id: UUID, *, only_bots: bool = False) -> None:
    """Raise `TooManyTablesWithBots`, or with `only_bots` `TooManyBotTables`, at the opener's limit.

    `match_id` itself does not count; without `tables` nothing is limited. Runs on the writer's thread and counts up to
    the end of the log, like `admit`.
    """
    if tables is None:
        return
    opener = tables.opener

    def has_bots(other_id: UUID) -> bool:
        return other_id != match_id and is_table_with_bots_of(matches, other_id, opener)

    def has_only_bots(other_id: UUID) -> bool:
        return other_id != match_id and is_bot_table_of(matches, other_id, opener)

    if tables.with_bots_max != ANY_NUMBER:
        require_room_with_bots(
            opener, count_up_to(matches, tables.with_bots, has_bots, tables.with_bots_max), tables.with_bots_max
        )
    if only_bots and tables.only_bots_max != ANY_NUMBER:
        require_bot_room(
            opener, count_up_to(matches, tables.only_bots, has_only_bots, tables.only_bots_max), tables.only_bots_max
        )


def count_up_to(matches: Matches, open_matches: OpenSeats, is_counted: Callable[[UUID], bool], count_max: int) -> int:
    """Return the number of matches for which `is_counted` holds at the end of the log.

    Below `count_max`, the number may include matches that ended since the read model was updated. This saves folding
    any match.
    """
    match_ids = update_open_matches(matches, open_matches, is_counted).match_ids
    return len(match_ids) if len(match_ids) < count_max else sum(map(is_counted, match_ids))


class ListedTables(msgspec.Struct, frozen=True):
    """The listed waiting tables of an opener who is about to open another one, up to a log position.

    At most `count_max` may wait at once.
    """

    opener: Actor
    open_tables: OpenSeats
    count_max: int


def admit_listed(matches: Matches, tables: ListedTables | None) -> None:
    """Raise `TooManyListed` if the opener already has the maximum of listed tables that wait for players.

    Nothing is limited if `tables` is None. Runs on the writer's thread, like `admit`.
    """
    if tables is None:
        return

    def is_one(match_id: UUID) -> bool:
        return is_listed_by(matches, match_id, tables.opener)

    count = count_up_to(matches, tables.open_tables, is_one, tables.count_max)
    if count >= tables.count_max:
        sentence = (
            f"{tables.opener!r} already has {count} listed tables waiting for players; the limit is {tables.count_max}"
        )
        raise TooManyListed(sentence, {"tables": count, "most": tables.count_max})


def admit(
    matches: Matches,
    table: Table,
    applicant: Applicant | None,
    match_id: UUID,
    *,
    at: datetime,
    skips_habit: bool = False,
) -> None:
    """Raise the refusal of an applicant whom the table does not admit; an applicant of None is always admitted.

    Raises `GuestUnrated`, `LeavesTooOften`, `LiveTableTaken` or `TooManyRated`; `match_id` itself does not count.
    With `skips_habit` the leaving habit is not checked; it was when the seat was taken.
    """
    if applicant is None:
        return
    require_account(table, applicant.player, matches.standing(applicant.player, at))
    if not skips_habit:
        require_staying(table, applicant.player, applicant.habit)
    if is_bound(table):
        open_seats = update_open_seats(matches, applicant.player, applicant.sitting)
        other_matches = (matches.get(other_id) for other_id in open_seats.match_ids if other_id != match_id)
        require_room(table, applicant.player, other_matches, applicant.slow_max)
