"""Whether a person still plays a match."""

from functools import partial

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.log_files import import_log
from domain.kernel.values import replace
from domain.matches.consequences import open_line
from domain.matches.errors import TooManyBotTables, TooManyTablesWithBots
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.log.log_files import log_of
from domain.matches.play.in_memory import InMemoryMatch, seeded_origins
from domain.matches.seats import opening
from domain.matches.seats.attendance import (
    account_of,
    are_bots,
    is_attended,
    is_left_to_bots,
    leaves_bots_alone,
    plays_unrated_with_bots,
    require_bot_room,
    require_room_with_bots,
)
from domain.matches.seats.current_seats import is_bot_table_of, is_table_with_bots_of
from tests.domain.matches.match_helpers import BOT, START, TOY, start_match, uuid

M = uuid(1)


def test_a_match_with_a_person_is_attended(sqlite: Matches) -> None:
    match = start_match(sqlite, M, ("anna", BOT))

    assert is_attended(match)
    assert not is_left_to_bots(match)


def test_a_match_of_bots_is_left_to_them(sqlite: Matches) -> None:
    match = start_match(sqlite, M, (BOT, BOT))

    assert is_left_to_bots(match)
    assert not is_left_to_bots(replace(match, status="ended"))


def test_a_match_is_left_to_bots_when_its_last_person_resigns(sqlite: Matches) -> None:
    start_match(sqlite, M, ("anna", BOT, BOT))

    assert is_left_to_bots(sqlite.resign(M, 0, "anna", at=START))


def test_who_ran_out_of_time_is_not_waited_for_until_somebody_sits_down_again(sqlite: Matches) -> None:
    match = start_match(sqlite, M, ("anna", BOT), table=Table(clock=Clock("per_move", 1), time_out="skip"))
    late = sqlite.time_out(M, 0, SERVICE, at=START.replace(hour=23))

    replaced = replace(late, seats=(replace(late.seats[0], actor="bea"), late.seats[1]))

    assert is_attended(match)
    assert is_left_to_bots(late)
    assert is_attended(replaced)


def test_the_demonstration_and_the_matches_of_events_and_of_arbiters_are_not_counted(sqlite: Matches) -> None:
    match = start_match(sqlite, M, (BOT, BOT))

    assert is_attended(replace(match, opened_by=SERVICE))
    assert not is_left_to_bots(replace(match, table=Table(event="cup")))
    assert not is_left_to_bots(replace(match, docket=replace(match.docket, dispute="d")))
    assert not is_left_to_bots(replace(match, docket=replace(match.docket, ruling="r")))


def test_the_opener_attends_a_table_before_it_starts(sqlite: Matches) -> None:
    sqlite.open(M, title="toy", seats=2, by="anna", at=START)

    assert is_attended(sqlite.take_seat(M, 0, "anna", at=START))


def test_a_match_counts_for_the_first_person_who_still_plays_and_else_for_its_opener(sqlite: Matches) -> None:
    match = start_match(sqlite, M, ("anna", "bea", BOT))
    without_anna = sqlite.resign(M, 0, "anna", at=START)
    without_both = sqlite.resign(M, 1, "bea", at=START)

    assert [account_of(each) for each in (match, without_anna, without_both)] == ["anna", "bea", "anna"]


def test_a_match_on_one_device_counts_for_its_opener(sqlite: Matches) -> None:
    match = start_match(sqlite, M, ("bea", BOT))

    assert account_of(replace(match, opened_by="anna", table=Table(one_device=True))) == "anna"


def test_a_person_is_alone_with_bots_when_the_other_people_have_resigned(sqlite: Matches) -> None:
    match = start_match(sqlite, M, ("anna", "bea", BOT))

    assert not leaves_bots_alone(match, 0)
    assert leaves_bots_alone(sqlite.resign(M, 1, "bea", at=START), 0)


def test_an_empty_seat_is_not_held_by_a_bot() -> None:
    assert are_bots((BOT, BOT))
    assert not are_bots((BOT, None))
    assert not are_bots((BOT, "anna"))


def test_an_opener_with_as_many_tables_of_bots_as_are_allowed_opens_no_more() -> None:
    require_bot_room("anna", 1, 2)
    with pytest.raises(TooManyBotTables, match="'anna' already has 2 running bot-only tables") as refusal:
        require_bot_room("anna", 2, 2)

    assert refusal.value.values == {"tables": 2, "most": 2}


def test_an_opener_with_as_many_tables_with_bots_as_are_allowed_adds_no_bot_to_another() -> None:
    require_room_with_bots("anna", 1, 2)
    with pytest.raises(TooManyTablesWithBots, match="'anna' already has 2 unfinished unrated tables") as refusal:
        require_room_with_bots("anna", 2, 2)

    assert refusal.value.values == {"tables": 2, "most": 2}


def test_unrated_tables_with_bots_count_until_they_end(sqlite: Matches) -> None:
    match = start_match(sqlite, M, ("anna", BOT))

    assert plays_unrated_with_bots(match)
    assert is_table_with_bots_of(sqlite, M, "anna")
    assert not is_table_with_bots_of(sqlite, M, "bea")
    for other in (
        replace(match, status="ended"),
        replace(match, table=Table(rated=True)),
        replace(match, table=Table(event="cup")),
        replace(match, practice="toy/first"),
        replace(match, docket=replace(match.docket, dispute="d")),
        replace(match, docket=replace(match.docket, ruling="r")),
        start_match(sqlite, uuid(2), ("anna", "bea")),
    ):
        assert not plays_unrated_with_bots(other)


def test_a_table_of_bots_counts_for_its_opener_alone(sqlite: Matches) -> None:
    start_match(sqlite, M, ("anna", BOT, BOT))
    before = is_bot_table_of(sqlite, M, "anna")

    sqlite.resign(M, 0, "anna", at=START)

    assert (before, is_bot_table_of(sqlite, M, "anna"), is_bot_table_of(sqlite, M, "bea")) == (False, True, False)


def test_an_imported_table_of_bots_does_not_count(sqlite: Matches) -> None:
    luck = seeded_origins(b"imported")
    fact = opening.open_match(TOY, seats=2, options={}, table=Table(), by="anna", seed=luck.seed)
    play = InMemoryMatch(*open_line(TOY, fact, luck.match_id, luck.now(), luck.step), luck)
    for seat in range(2):
        play.append(partial(opening.take_seat, seat=seat, by=BOT))

    match = import_log(sqlite, log_of(play.entries), by=SERVICE, at=play.match.timestamp)

    assert is_left_to_bots(match)
    assert not is_bot_table_of(sqlite, match.id, "anna")
