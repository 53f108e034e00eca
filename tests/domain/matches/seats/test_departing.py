"""A departing person resigns running matches and leaves open ones, so that no match waits for them."""

from domain.eventstore.application import Matches
from domain.kernel.title import AnyTitle
from domain.kernel.values import replace
from domain.matches.facts import SERVICE, SeatReplaced, Table
from domain.matches.seats.departures import find_waiting_for, next_departure_fact, remove_person
from domain.matches.seats.event_tables import seat_player
from tests.domain.matches.match_helpers import BOT, START, facts, start_match, uuid, verify_log

M = uuid(1)


def some_bot(_: AnyTitle) -> str:
    return BOT


def depart_everywhere(matches: Matches, person: str = "anna") -> None:
    for match_id in tuple(find_waiting_for(matches, person)):
        remove_person(matches, match_id, person, some_bot, at=START)


def test_a_running_seat_is_resigned_and_the_others_play_on(sqlite: Matches) -> None:
    start_match(sqlite, M, ("anna", "bea", "carl"))

    depart_everywhere(sqlite)
    again = remove_person(sqlite, M, "anna", some_bot, at=START)

    assert again.seats[0].resigned
    assert again.status == "running"
    verify_log(sqlite, M)


def test_where_resigning_is_not_allowed_a_bot_replaces_the_erased_account(sqlite: Matches) -> None:
    start_match(sqlite, M, ("anna", "bea"), table=Table(resigning=False))

    depart_everywhere(sqlite)

    assert facts(sqlite, M)[-1] == SeatReplaced(0, SERVICE, BOT, reason="erased")
    verify_log(sqlite, M)


def test_in_an_earlier_format_the_player_hands_the_seat_over(sqlite: Matches) -> None:
    match = replace(start_match(sqlite, M, ("anna", "bea"), table=Table(resigning=False)), format=2)

    assert next_departure_fact(match, "anna", some_bot) == SeatReplaced(0, "anna", BOT)


def test_an_open_seat_is_left_except_in_a_tournament(sqlite: Matches) -> None:
    sqlite.open(M, title="toy", seats=2, by="anna", at=START)
    sqlite.take_seat(M, 0, "anna", at=START)
    sqlite.open(uuid(2), title="toy", seats=2, by=SERVICE, at=START, table=Table(event="open"))
    sqlite.transact(lambda batch: seat_player(batch, batch.match(uuid(2)), 0, "anna", ""), at=START)

    depart_everywhere(sqlite)

    assert sqlite.get(M).seats[0].actor is None
    assert sqlite.get(uuid(2)).seats[0].actor == "anna"
    assert list(find_waiting_for(sqlite, "anna")) == [uuid(2)]


def test_a_pause_ends_when_no_person_is_left_to_end_it(sqlite: Matches) -> None:
    start_match(sqlite, M, ("anna", BOT, BOT))
    assert sqlite.ask_pause(M, 0, "anna", at=START).status == "paused"

    depart_everywhere(sqlite)

    assert sqlite.get(M).status == "running"
    verify_log(sqlite, M)


def test_a_pause_of_others_stays_and_so_does_what_is_over(sqlite: Matches) -> None:
    start_match(sqlite, M, ("anna", "bea", "carl"))
    sqlite.pause(M, SERVICE, at=START)
    start_match(sqlite, uuid(2), ("anna", "bea"))
    over = sqlite.resign(uuid(2), 0, "anna", at=START)

    depart_everywhere(sqlite)

    assert sqlite.get(M).status == "paused"
    assert remove_person(sqlite, uuid(2), "anna", some_bot, at=START) == over
    assert remove_person(sqlite, M, "dora", some_bot, at=START).version == sqlite.get(M).version
