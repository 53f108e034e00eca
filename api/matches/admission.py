"""Who may sit down at a rated table, and at one whose opener asks for players who stay.

What takes long is read beside the writer; where somebody sits is looked at once more on the writer's thread, up to the
end of the log, so that two requests at the same time do not both find room.
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
    Sitting,
    follow_matches,
    follow_sitting,
    is_bot_table_of,
    is_listed_by,
    is_table_with_bots_of,
)
from domain.ratings.errors import EventWithoutPrograms, GuestUnrated
from domain.ratings.leaving import LeavingHabit, require_staying
from domain.ratings.tables import ANY_NUMBER, is_bound, require_account, require_room, require_welcome, takes_programs

LISTED_OF_GUEST_MAX: Final = 2
"""Maximum number of listed tables of a guest that wait for players: the table they play at, and one they forgot. Every
visitor can become another guest with one click."""


def require_known(table: Table, caller: Caller) -> None:
    """`GuestUnrated` for somebody who would become a guest by sitting down, before they have."""
    if is_bound(table) and caller.person is None and not caller.is_service:
        raise GuestUnrated("nobody plays a rated match without an account; sign up first")


class Applicant(msgspec.Struct, frozen=True):
    """Somebody who wants to sit down, what they did at their last matches, and where they sit, up to a position."""

    player: Actor
    habit: LeavingHabit
    sitting: Sitting
    slow_max: int
    """At so many rated correspondence tables one may sit at once; 0: at any number."""


def asks_for_more(table: Table) -> bool:
    """Not everybody may sit down at such a table."""
    return is_bound(table) or table.leaving_max is not UNSET


def require_program_welcome(table: Table, person: Person | None) -> None:
    """`EventWithoutPrograms` for the account of a bot that is to take part in an event whose tables take none."""
    if person is not None and person.is_bot and not takes_programs(table):
        sentence = f"{person.name!r} is the account of a bot, and the tables of this event take none"
        raise EventWithoutPrograms(sentence, {"name": person.name})


def welcome(matches: Matches, table: Table, player: Actor, at: datetime) -> None:
    """`ProgramUnwelcome` for the account of a bot at a table that takes none; the tables of events ask at the entry."""
    if not (table.event_id or takes_programs(table)):
        require_welcome(table, matches.standing(player, at))


class BotTables(msgspec.Struct, frozen=True):
    """The tables with bots, up to a position each, of an opener who is about to add a bot to another one.

    0 as a maximum allows any number.
    """

    opener: Actor
    any: Sitting
    """Unrated tables with bots that have not ended."""
    any_max: int
    alone: Sitting
    """Running tables that only bots play."""
    alone_max: int


def admit_bots(matches: Matches, tables: BotTables | None, match_id: UUID, *, alone: bool = False) -> None:
    """Raise `TooManyTablesWithBots` where the opener has too many tables with bots and, if only bots will play the
    match (`alone`), `TooManyBotTables` where too many such tables run.

    `match_id`, the one asked about, does not count. Runs on the writer's thread and counts up to the end of the log,
    like `admit`.
    """
    if tables is None:
        return
    opener = tables.opener

    def has_bots(other: UUID) -> bool:
        return other != match_id and is_table_with_bots_of(matches, other, opener)

    def is_alone(other: UUID) -> bool:
        return other != match_id and is_bot_table_of(matches, other, opener)

    if tables.any_max != ANY_NUMBER:
        require_room_with_bots(opener, count_up_to(matches, tables.any, has_bots, tables.any_max), tables.any_max)
    if alone and tables.alone_max != ANY_NUMBER:
        require_bot_room(opener, count_up_to(matches, tables.alone, is_alone, tables.alone_max), tables.alone_max)


def count_up_to(matches: Matches, known: Sitting, is_one: Callable[[UUID], bool], most: int) -> int:
    """Return the number of matches for which `is_one` holds at the end of the log.

    Below `most`, matches that ended since the read model may be included, which saves folding any match.
    """
    match_ids = follow_matches(matches, known, is_one).match_ids
    return len(match_ids) if len(match_ids) < most else sum(map(is_one, match_ids))


class ListedTables(msgspec.Struct, frozen=True):
    """The listed tables that wait for players, up to a position, of an opener who is about to open another one.

    At most `most` wait at once.
    """

    opener: Actor
    known: Sitting
    most: int


def admit_listed(matches: Matches, tables: ListedTables | None) -> None:
    """Raise `TooManyListed` if too many tables wait for players; runs on the writer's thread, like `admit`."""
    if tables is None:
        return

    def is_one(match_id: UUID) -> bool:
        return is_listed_by(matches, match_id, tables.opener)

    count = count_up_to(matches, tables.known, is_one, tables.most)
    if count >= tables.most:
        sentence = f"{tables.opener!r} has {count} listed tables that wait for players; {tables.most} are allowed"
        raise TooManyListed(sentence, {"tables": count, "most": tables.most})


def admit(
    matches: Matches, table: Table, applicant: Applicant | None, match_id: UUID, *, at: datetime, again: bool = False
) -> None:
    """Refuses what the table does not allow this applicant; `match_id` is its own match, which does not count. Asked
    `again`, when the seat is ready, the habit has been looked at before."""
    if applicant is None:
        return
    require_account(table, applicant.player, matches.standing(applicant.player, at))
    if not again:
        require_staying(table, applicant.player, applicant.habit)
    if is_bound(table):
        known = follow_sitting(matches, applicant.player, applicant.sitting)
        others = (matches.get(other) for other in known.match_ids if other != match_id)
        require_room(table, applicant.player, others, applicant.slow_max)
