"""The conditions of rated tables: a clock, an account, and a limit of tables."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import UNSET

from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.values import replace
from domain.matches.facts import Clock, Table
from domain.matches.log.entries import ALL
from domain.matches.seats.current_seats import OpenSeats, update_open_seats
from domain.matches.seats.opening import with_pause_limits
from domain.ratings.errors import GuestUnrated, LiveTableTaken, ProgramUnwelcome, RatedWithoutClock, TooManyRated
from domain.ratings.tables import occupies, require_account, require_clock, require_room, require_welcome
from tests.domain.matches.match_helpers import ALL_TITLES, START, start_match, uuid, verify_log
from tests.seeding import entropy

LIVE = Table(rated=True, clock=Clock("per_move", 60))
SLOW = Table(rated=True, clock=Clock("correspondence", 86_400))
PLAYERS = ("anna", "bea")


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"), titles=ALL_TITLES, entropy=entropy())
    yield matches
    matches.close()


def test_a_rated_table_needs_a_clock_and_accounts() -> None:
    with pytest.raises(RatedWithoutClock, match="a rated table requires a clock, not 'none'"):
        require_clock(Table(rated=True))
    with pytest.raises(GuestUnrated, match="'anna' is a guest"):
        require_account(LIVE, "anna", "guest")

    for table in (Table(), LIVE, SLOW):
        require_clock(table)
    require_account(LIVE, "anna", "provisional")
    require_account(Table(), "anna", "guest")
    require_account(replace(LIVE, event="cup"), "anna", "guest")


def test_bot_accounts_only_join_tables_that_accept_them() -> None:
    for table in (Table(), Table(programs=False), LIVE):
        with pytest.raises(ProgramUnwelcome, match="this is a bot account, and the table does not allow bots"):
            require_welcome(table, "bot")

    require_welcome(Table(programs=True), "bot")
    require_welcome(Table(), "")


def test_rated_tables_at_once_are_limited(matches: Matches) -> None:
    live = start_match(matches, uuid(1), PLAYERS, table=LIVE)
    slow = [start_match(matches, uuid(number), PLAYERS, table=SLOW) for number in (2, 3)]

    with pytest.raises(LiveTableTaken, match=f"'anna' already has a seat at the rated live table {live.id}"):
        require_room(LIVE, "anna", [*slow, live], 20)
    with pytest.raises(TooManyRated, match="'anna' already has seats at 2 rated correspondence tables; the limit is 2"):
        require_room(SLOW, "anna", [*slow, live], 2)

    require_room(SLOW, "anna", [*slow, live], 3)
    require_room(SLOW, "anna", [*slow, live], 0)
    require_room(LIVE, "carl", [*slow, live], 1)
    require_room(Table(), "anna", [*slow, live], 1)
    require_room(replace(LIVE, event="cup"), "anna", [live], 1)


def test_resigning_a_bot_or_the_end_frees_a_table(matches: Matches) -> None:
    three = ("anna", "bea", "carl")
    match = start_match(matches, uuid(1), three, table=LIVE)
    assert all(occupies(match, player) for player in three)

    match = matches.resign(uuid(1), 0, "anna", at=START)
    match = matches.replace_seat(uuid(1), 1, "bea", actor="bot:random@1", at=START)
    assert [occupies(match, player) for player in three] == [False, False, True]
    assert not occupies(matches.resign(uuid(1), 2, "carl", at=START), "carl")
    assert not occupies(start_match(matches, uuid(2), three), "anna")


def test_occupied_tables_are_known_from_a_log_position(matches: Matches) -> None:
    start_match(matches, uuid(1), PLAYERS)
    known = update_open_seats(matches, "anna", OpenSeats(0, ()))
    assert known == OpenSeats(matches.last_position(), (uuid(1),))

    start_match(matches, uuid(2), ("bea", "carl"))
    start_match(matches, uuid(3), PLAYERS)
    assert update_open_seats(matches, "anna", known) == OpenSeats(matches.last_position(), (uuid(1), uuid(3)))


def test_a_rated_table_is_public_if_its_opening_states_so(matches: Matches) -> None:
    """Tables from before this rule stay private."""
    private = replace(LIVE, public=False)
    match = start_match(matches, uuid(1), PLAYERS, table=with_pause_limits(private))

    assert matches.at(match.id, match.started_version - 1 if match.started_version else 0).table.public is False
    assert match.table.public is True
    assert start_match(matches, uuid(2), PLAYERS, table=private).table.public is False
    verify_log(matches, uuid(1))
    assert b'"publicOnceStarted":true' in bytes(export_log(matches, uuid(1), ALL, at=START).entries[0].body)


def test_public_and_unrated_tables_omit_that_statement() -> None:
    assert with_pause_limits(replace(LIVE, public_once_started=True)).public_once_started is UNSET
    assert with_pause_limits(Table(public=False, public_once_started=True)).public_once_started is UNSET
