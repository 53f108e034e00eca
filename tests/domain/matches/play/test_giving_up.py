"""Seats handed to a bot by choice are placed last like resigned seats; a time-out does not change the places."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.eventstore.forks import fork_match
from domain.kernel.values import replace
from domain.matches.aggregate import Starter
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.play.playing import replace_seat
from domain.matches.rulings.measures import PointsTaken, ResultSet
from domain.matches.rulings.outcome import Outcome, places_with_last
from domain.matches.seats.event_tables import seat_substitute
from domain.matches.seats.starters import never_came
from domain.standings.results import TableResult, table_result
from tests.domain.matches.play.test_clocks import people_play
from tests.domain.matches.rulings.test_outcome import counted
from tests.domain.matches.world import BOT, START, act_once, facts, given, played_out, resumes, rules, started, uuid

M, R = uuid(1), uuid(2)
THREE = ("anna", "bea", "carl")
OTHER_BOT = "bot:other@1"
CLOCKED = Table(clock=Clock("per_move", 60))


def handed(matches: Matches, seat: int) -> None:
    actor = matches.get(M).seats[seat].actor
    assert actor is not None
    matches.replace_seat(M, seat, actor, actor=BOT, at=START)


def outcome_after(matches: Matches, *seats: int) -> Outcome:
    """Return the outcome of a match in which these seats were handed over, one after the other."""
    started(matches, M, THREE)
    for seat in seats:
        handed(matches, seat)
    played_out(matches, matches.get(M))
    return counted(matches)


@pytest.mark.parametrize("seat", range(3))
def test_a_seat_handed_over_by_choice_is_last_and_the_log_is_unchanged(matches: Matches, seat: int) -> None:
    outcome = outcome_after(matches, seat)
    ended: Any = facts(matches, M)[-1]
    others = [place for at, place in enumerate(outcome.ranking or ()) if at != seat]

    assert outcome.ranking == ended.ranking
    assert outcome.placed is not None
    assert (outcome.placed[seat], outcome.handed_over) == (3, (seat,))
    kept = [place for at, place in enumerate(outcome.placed) if at != seat]
    assert kept == [1 + sum(other < place for other in others) for place in others]


def test_several_seats_are_ranked_like_resigned_seats_the_first_last(matches: Matches) -> None:
    started(matches, M, ("anna", "bea", "carl", "dora"))
    handed(matches, 2)
    matches.resign(M, 0, "anna", at=START)
    handed(matches, 1)
    played_out(matches, matches.get(M))
    outcome = counted(matches)

    assert (outcome.gave_up, outcome.handed_over, outcome.resigned) == ((2, 0, 1), (2, 1), (0,))
    assert outcome.placed == (3, 2, 4, 1)


def test_without_a_hand_over_the_places_are_those_of_the_log(matches: Matches) -> None:
    started(matches, M, THREE)
    matches.resign(M, 1, "bea", at=START)
    played_out(matches, matches.get(M))

    assert counted(matches).placed == counted(matches).ranking
    assert table_result(counted(matches)) == TableResult(counted(matches).ranking or (), counted(matches).scores)


@pytest.mark.parametrize("policy", ["bot", "skip"])
def test_after_a_time_out_the_result_stays_the_persons(matches: Matches, policy: Any) -> None:
    match = started(matches, M, THREE, table=replace(CLOCKED, time_out=policy))
    for _ in range(6):
        match = act_once(matches, match)
    seat = next(iter(match.definition.rules.seats_to_act(match.state)))
    late = START + timedelta(seconds=61)
    matches.time_out(M, seat, SERVICE, at=late, bot=BOT if policy == "bot" else None)
    played_out(matches, matches.get(M))

    assert (counted(matches).gave_up, counted(matches).no_shows) == ((), ())
    assert counted(matches).placed == counted(matches).ranking


def test_a_hand_over_after_a_time_out_is_still_one_by_choice(matches: Matches) -> None:
    match = started(matches, M, THREE, table=replace(CLOCKED, time_out="skip"))
    seat = next(iter(match.definition.rules.seats_to_act(match.state)))
    matches.time_out(M, seat, SERVICE, at=START + timedelta(seconds=61))
    actor = matches.get(M).seats[seat].actor or ""
    matches.replace_seat(M, seat, actor, actor=BOT, at=START + timedelta(seconds=61))

    assert matches.get(M).gave_up == (seat,)


def test_a_person_whom_an_organiser_seats_undoes_the_hand_over(matches: Matches) -> None:
    started(matches, M, THREE)
    handed(matches, 1)

    def seated(actor: str, stands_in_for: str) -> Any:
        def compose(batch: Batch) -> None:
            seat_substitute(batch, batch.match(M), 1, actor, stands_in_for)

        return compose

    matches.transact(seated("dora", ""), at=START)
    assert matches.get(M).gave_up == ()
    matches.replace_seat(M, 1, "dora", actor=BOT, at=START)
    assert matches.get(M).gave_up == (1,)


def test_a_result_set_by_a_ruling_is_unchanged(matches: Matches) -> None:
    outcome_after(matches, 0)
    rules(matches, M, given("set", ResultSet((9, 2, 1), (1, 2, 3))))
    ruled = counted(matches)

    assert (ruled.placed, ruled.handed_over, ruled.no_shows) == ((1, 2, 3), (), ())


def test_penalties_do_not_improve_the_place_of_a_seat_that_gave_up(matches: Matches) -> None:
    outcome_after(matches, 0)
    rules(matches, M, given("less", PointsTaken(1, 900)))

    assert (counted(matches).placed or ())[0] == 3


def test_a_fork_is_no_hand_over_and_a_replacing_line_keeps_hand_overs(matches: Matches) -> None:
    started(matches, M, THREE)
    handed(matches, 2)
    matches.resign(M, 0, "anna", at=START)
    match = played_out(matches, matches.get(M))
    fork = fork_match(matches, M, at_version=match.version - 1, new_id=uuid(3), luck="same", by="eva", at=START)
    resumed = resumes(matches, M, match.version - 2, R)

    assert fork.gave_up == (0,)
    assert matches.get(R).gave_up == (2, 0)
    assert resumed.origin is not None


@pytest.mark.parametrize("format", [2, 3])
def test_a_bot_that_the_service_seats_does_not_undo_the_hand_over(format: int) -> None:
    play = people_play("el_grande", Table(), 3, format=format)
    play.do(partial(replace_seat, seat=1, by="p1", actor=BOT))
    play.do(partial(replace_seat, seat=1, by=SERVICE, actor=OTHER_BOT))

    assert play.match.gave_up == (1,)


def test_a_player_who_erases_the_account_gives_up_the_seat_like_one_who_hands_it_over() -> None:
    play = people_play("el_grande", Table(), 3)
    play.do(partial(replace_seat, seat=1, by=SERVICE, actor=BOT, reason="erased"))

    assert play.match.gave_up == (1,)


@pytest.mark.parametrize(
    ("starter", "expected"),
    [
        (Starter("ann", awaited=True, missed=True), True),
        (Starter("ann", awaited=True, missed=True, played=True), False),
        (Starter("ann", awaited=True), False),
        (Starter("ann", missed=True), False),
    ],
)
def test_who_never_came(starter: Starter, expected: bool) -> None:
    assert never_came(starter) == expected


def test_places_with_some_seats_last() -> None:
    assert places_with_last((1, 1, 3, 4), ()) == (1, 1, 3, 4)
    assert places_with_last((1, 2, 2, 4), (0,)) == (4, 1, 1, 3)
    assert places_with_last((1, 2, 3, 4), (0, 1, 2, 3)) == (4, 3, 2, 1)
