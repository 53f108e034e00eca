"""A departing person resigns running matches and leaves open ones, so that no match waits for them."""

from domain.eventstore.application import Matches
from domain.kernel.title import AnyTitle
from domain.kernel.values import replace
from domain.matches.facts import SERVICE, SeatReplaced, Table
from domain.matches.seats.departing import depart, find_waiting_for, next_step
from domain.matches.seats.event_tables import sit_down
from tests.domain.matches.world import BOT, START, facts, started, uuid, verified

M = uuid(1)


def some_bot(_: AnyTitle) -> str:
    return BOT


def gone(matches: Matches, person: str = "anna") -> None:
    for match_id in tuple(find_waiting_for(matches, person)):
        depart(matches, match_id, person, some_bot, at=START)


def test_a_running_seat_is_resigned_and_the_others_play_on(quick: Matches) -> None:
    started(quick, M, ("anna", "bea", "carl"))

    gone(quick)
    again = depart(quick, M, "anna", some_bot, at=START)

    assert again.seats[0].resigned
    assert again.status == "running"
    verified(quick, M)


def test_where_resigning_is_not_allowed_a_bot_replaces_the_erased_account(quick: Matches) -> None:
    started(quick, M, ("anna", "bea"), table=Table(resigning=False))

    gone(quick)

    assert facts(quick, M)[-1] == SeatReplaced(0, SERVICE, BOT, reason="erased")
    verified(quick, M)


def test_in_an_earlier_format_the_player_hands_the_seat_over(quick: Matches) -> None:
    match = replace(started(quick, M, ("anna", "bea"), table=Table(resigning=False)), format=2)

    assert next_step(match, "anna", some_bot) == SeatReplaced(0, "anna", BOT)


def test_an_open_seat_is_left_except_in_a_tournament(quick: Matches) -> None:
    quick.open(M, title="toy", seats=2, by="anna", at=START)
    quick.take_seat(M, 0, "anna", at=START)
    quick.open(uuid(2), title="toy", seats=2, by=SERVICE, at=START, table=Table(event="open"))
    quick.transact(lambda batch: sit_down(batch, batch.match(uuid(2)), 0, "anna", ""), at=START)

    gone(quick)

    assert quick.get(M).seats[0].actor is None
    assert quick.get(uuid(2)).seats[0].actor == "anna"
    assert list(find_waiting_for(quick, "anna")) == [uuid(2)]


def test_a_pause_ends_when_no_person_is_left_to_end_it(quick: Matches) -> None:
    started(quick, M, ("anna", BOT, BOT))
    assert quick.ask_pause(M, 0, "anna", at=START).status == "paused"

    gone(quick)

    assert quick.get(M).status == "running"
    verified(quick, M)


def test_a_pause_of_others_stays_and_so_does_what_is_over(quick: Matches) -> None:
    started(quick, M, ("anna", "bea", "carl"))
    quick.pause(M, SERVICE, at=START)
    started(quick, uuid(2), ("anna", "bea"))
    over = quick.resign(uuid(2), 0, "anna", at=START)

    gone(quick)

    assert quick.get(M).status == "paused"
    assert depart(quick, uuid(2), "anna", some_bot, at=START) == over
    assert depart(quick, M, "dora", some_bot, at=START).version == quick.get(M).version
