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
from domain.matches.play.commands import replace_seat
from domain.matches.rulings.measures import PointsTaken, ResultSet
from domain.matches.rulings.outcome import Outcome, places_with_last
from domain.matches.seats.event_tables import seat_substitute
from domain.matches.seats.starters import never_came
from domain.standings.results import TableResult, table_result
from tests.domain.matches.match_helpers import (
    BOT,
    START,
    act_once,
    apply_ruling,
    build_ruling,
    facts,
    play_out,
    resume_match,
    start_match,
    uuid,
)
from tests.domain.matches.play.test_clocks import people_play
from tests.domain.matches.rulings.test_outcome import follow_outcome

M, R = uuid(1), uuid(2)
THREE = ("anna", "bea", "carl")
OTHER_BOT = "bot:other@1"
CLOCKED = Table(clock=Clock("per_move", 60))


def hand_to_bot(matches: Matches, seat: int) -> None:
    actor = matches.get(M).seats[seat].actor
    assert actor is not None
    matches.replace_seat(M, seat, actor, actor=BOT, at=START)


def outcome_after(matches: Matches, *seats: int) -> Outcome:
    """Return the outcome of a match in which these seats were handed over, one after the other."""
    start_match(matches, M, THREE)
    for seat in seats:
        hand_to_bot(matches, seat)
    play_out(matches, matches.get(M))
    return follow_outcome(matches)


@pytest.mark.parametrize("seat", range(3))
def test_a_seat_handed_over_by_choice_is_last_and_the_log_is_unchanged(matches: Matches, seat: int) -> None:
    outcome = outcome_after(matches, seat)
    ended: Any = facts(matches, M)[-1]
    others = [place for at, place in enumerate(outcome.ranking or ()) if at != seat]

    assert outcome.ranking == ended.ranking
    assert outcome.adjusted_places is not None
    assert (outcome.adjusted_places[seat], outcome.handed_over_seats) == (3, (seat,))
    remaining = [place for at, place in enumerate(outcome.adjusted_places) if at != seat]
    assert remaining == [1 + sum(other < place for other in others) for place in others]


def test_several_seats_are_ranked_like_resigned_seats_the_first_last(matches: Matches) -> None:
    start_match(matches, M, ("anna", "bea", "carl", "dora"))
    hand_to_bot(matches, 2)
    matches.resign(M, 0, "anna", at=START)
    hand_to_bot(matches, 1)
    play_out(matches, matches.get(M))
    outcome = follow_outcome(matches)

    assert (outcome.gave_up, outcome.handed_over_seats, outcome.resigned) == ((2, 0, 1), (2, 1), (0,))
    assert outcome.adjusted_places == (3, 2, 4, 1)


def test_without_a_hand_over_the_places_are_those_of_the_log(matches: Matches) -> None:
    start_match(matches, M, THREE)
    matches.resign(M, 1, "bea", at=START)
    play_out(matches, matches.get(M))

    assert follow_outcome(matches).adjusted_places == follow_outcome(matches).ranking
    assert table_result(follow_outcome(matches)) == TableResult(
        follow_outcome(matches).ranking or (), follow_outcome(matches).scores
    )


@pytest.mark.parametrize("policy", ["bot", "skip"])
def test_after_a_time_out_the_result_stays_the_persons(matches: Matches, policy: Any) -> None:
    match = start_match(matches, M, THREE, table=replace(CLOCKED, time_out=policy))
    for _ in range(6):
        match = act_once(matches, match)
    seat = next(iter(match.definition.rules.seats_to_act(match.state)))
    late = START + timedelta(seconds=61)
    matches.time_out(M, seat, SERVICE, at=late, bot=BOT if policy == "bot" else None)
    play_out(matches, matches.get(M))

    assert (follow_outcome(matches).gave_up, follow_outcome(matches).no_shows) == ((), ())
    assert follow_outcome(matches).adjusted_places == follow_outcome(matches).ranking


def test_a_hand_over_after_a_time_out_is_still_one_by_choice(matches: Matches) -> None:
    match = start_match(matches, M, THREE, table=replace(CLOCKED, time_out="skip"))
    seat = next(iter(match.definition.rules.seats_to_act(match.state)))
    matches.time_out(M, seat, SERVICE, at=START + timedelta(seconds=61))
    actor = matches.get(M).seats[seat].actor or ""
    matches.replace_seat(M, seat, actor, actor=BOT, at=START + timedelta(seconds=61))

    assert matches.get(M).gave_up == (seat,)


def test_a_person_whom_an_organiser_seats_undoes_the_hand_over(matches: Matches) -> None:
    start_match(matches, M, THREE)
    hand_to_bot(matches, 1)

    def seat_as(actor: str, stands_in_for: str) -> Any:
        def compose(batch: Batch) -> None:
            seat_substitute(batch, batch.match(M), 1, actor, stands_in_for)

        return compose

    matches.transact(seat_as("dora", ""), at=START)
    assert matches.get(M).gave_up == ()
    matches.replace_seat(M, 1, "dora", actor=BOT, at=START)
    assert matches.get(M).gave_up == (1,)


def test_a_result_set_by_a_ruling_is_unchanged(matches: Matches) -> None:
    outcome_after(matches, 0)
    apply_ruling(matches, M, build_ruling("set", ResultSet((9, 2, 1), (1, 2, 3))))
    ruled = follow_outcome(matches)

    assert (ruled.adjusted_places, ruled.handed_over_seats, ruled.no_shows) == ((1, 2, 3), (), ())


def test_penalties_do_not_improve_the_place_of_a_seat_that_gave_up(matches: Matches) -> None:
    outcome_after(matches, 0)
    apply_ruling(matches, M, build_ruling("less", PointsTaken(1, 900)))

    assert (follow_outcome(matches).adjusted_places or ())[0] == 3


def test_a_fork_is_no_hand_over_and_a_replacing_line_keeps_hand_overs(matches: Matches) -> None:
    start_match(matches, M, THREE)
    hand_to_bot(matches, 2)
    matches.resign(M, 0, "anna", at=START)
    match = play_out(matches, matches.get(M))
    fork = fork_match(matches, M, at_version=match.version - 1, new_id=uuid(3), luck="same", by="eva", at=START)
    resumed = resume_match(matches, M, match.version - 2, R)

    assert fork.gave_up == (0,)
    assert matches.get(R).gave_up == (2, 0)
    assert resumed.origin is not None


@pytest.mark.parametrize("format", [2, 3])
def test_a_bot_that_the_service_seats_does_not_undo_the_hand_over(format: int) -> None:
    play = people_play("el_grande", Table(), 3, format=format)
    play.append(partial(replace_seat, seat=1, by="p1", actor=BOT))
    play.append(partial(replace_seat, seat=1, by=SERVICE, actor=OTHER_BOT))

    assert play.match.gave_up == (1,)


def test_a_player_who_erases_the_account_gives_up_the_seat_like_one_who_hands_it_over() -> None:
    play = people_play("el_grande", Table(), 3)
    play.append(partial(replace_seat, seat=1, by=SERVICE, actor=BOT, reason="erased"))

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
