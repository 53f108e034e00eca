"""Decisions in a log, and the measures of their times."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from domain.eventstore.application import Matches
from domain.integrity.measured_matches import MeasuredMatch, measured_match
from domain.integrity.thinking import DECISIONS_MIN, Decision, Notes, Pace, add_entry, is_timed, pace_of
from domain.kernel.rules import SERVICE_SEAT
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.rulings.measures import MatchVoided
from domain.matches.titles import read_fact
from tests.domain.matches.match_helpers import BOT, START, apply_ruling, build_ruling, start_match, uuid

LIVE = Table(clock=Clock("increment", 900, 5), rated=True)
PEOPLE = ("ann", "ben", "cleo")


def after(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def act(matches: Matches, match: Match, seat: int, seconds: float) -> Match:
    by = SERVICE if seat == SERVICE_SEAT else match.seats[seat].actor
    assert by is not None
    return matches.act(
        match.id,
        seat,
        by,
        legal_actions(match, seat)[0 if len(legal_actions(match, seat)) > 2 else -1],
        expected_version=match.version,
        at=after(seconds),
    )


def notes_of(matches: Matches, match: Match) -> Notes:
    """Return the fold of the whole log."""
    notes = Notes()
    for entry in matches.entries(match.id, after=0):
        position = matches.at(match.id, entry.version)
        if is_timed(position):
            notes = add_entry(notes, position, entry.version, read_fact(position.definition, entry))
    return notes


def times(notes: Notes) -> list[tuple[int, int]]:
    return [(each.seat, each.ms) for each in notes.decisions]


def test_a_decision_takes_as_long_as_its_seat_was_waited_for(matches: Matches) -> None:
    """Three choose a card at the same time, each waited for since the start."""
    match = start_match(matches, uuid(1), PEOPLE, table=LIVE)
    match = act(matches, match, 1, 3)
    match = act(matches, match, 0, 4.5)

    assert times(notes_of(matches, match)) == [(1, 3_000), (0, 4_500)]
    assert {each.choices for each in notes_of(matches, match).decisions} == {3}


def round_won(matches: Matches, *, by_the_last: bool) -> tuple[Match, int]:
    """Return the match after everyone chose a card, one a second; the winner chose last or first."""
    match = start_match(matches, uuid(1), PEOPLE, table=LIVE)
    winner = max(range(3), key=lambda seat: legal_actions(match, seat)[0].card)
    others = [seat for seat in range(3) if seat != winner]
    for seconds, seat in enumerate([*others, winner] if by_the_last else [winner, *others], 1):
        match = act(matches, match, seat, seconds)
    assert seats_to_act(match) == (winner,)
    return match, winner


def test_continuing_ones_own_turn_is_no_decision(matches: Matches) -> None:
    match, winner = round_won(matches, by_the_last=True)
    match = act(matches, match, winner, 9)

    assert times(notes_of(matches, match))[2:] == [(winner, 3_000)]


def test_a_taken_back_decision_is_dropped_and_its_replacement_is_not_timed(matches: Matches) -> None:
    match, winner = round_won(matches, by_the_last=False)
    before, expected = match.version, times(notes_of(matches, match))
    match = act(matches, match, winner, 9)
    assert times(notes_of(matches, match)) == [*expected, (winner, 6_000)]
    match = matches.take_back(match.id, winner, PEOPLE[winner], to_version=before, at=after(10))
    match = act(matches, match, winner, 11)

    assert times(notes_of(matches, match)) == expected


def test_a_pause_is_not_thinking_time(matches: Matches) -> None:
    match = start_match(matches, uuid(1), PEOPLE, table=LIVE)
    matches.pause(match.id, SERVICE, at=after(1))
    match = matches.resume(match.id, SERVICE, at=after(500))
    match = act(matches, match, 0, 501)

    assert times(notes_of(matches, match)) == []


def test_bots_and_replacement_players_are_not_timed(matches: Matches) -> None:
    match = start_match(matches, uuid(1), PEOPLE, table=LIVE)
    match = matches.replace_seat(match.id, 0, "ann", actor=BOT, at=after(1))
    match = act(matches, match, 0, 2)

    assert times(notes_of(matches, match)) == []


@pytest.mark.parametrize(
    ("table", "players"),
    [
        (Table(rated=True, clock=Clock("correspondence", 86_400)), PEOPLE),
        (Table(clock=Clock("increment", 900, 5)), PEOPLE),
        (LIVE, ("ann", BOT, BOT)),
    ],
)
def test_correspondence_unrated_and_solo_matches_are_not_timed(
    matches: Matches, table: Table, players: tuple[str, ...]
) -> None:
    assert not is_timed(start_match(matches, uuid(1), players, table=table))
    assert is_timed(start_match(matches, uuid(2), PEOPLE, table=LIVE))


def test_a_match_counts_with_its_current_result(matches: Matches) -> None:
    match = start_match(matches, uuid(1), PEOPLE, table=LIVE)
    assert measure(match) is None
    matches.resign(match.id, 0, "ann", at=after(1))
    match = matches.resign(match.id, 2, "cleo", at=after(2))

    measured = measure(match)
    assert measured is not None
    assert [(seat.person, seat.left) for seat in measured.seats] == [("ann", True), ("ben", False), ("cleo", True)]
    assert measured.people == PEOPLE
    assert [seat.place == 1 for seat in measured.seats] == [False, True, False]
    assert measured.seat_of("ben") == measured.seats[1]
    assert measured.seat_of("dora") is None
    apply_ruling(matches, match.id, build_ruling("void", MatchVoided()))
    assert measure(matches.get(match.id)) is None


def test_a_rated_private_match_is_left_out_because_its_ranking_is_hidden(matches: Matches) -> None:
    match = start_match(
        matches, uuid(1), PEOPLE[:2], table=Table(clock=Clock("per_move", 60), rated=True, public=False)
    )
    assert measure(matches.resign(match.id, 0, "ann", at=after(1))) is None


def measure(match: Match) -> MeasuredMatch | None:
    return measured_match(match, match.id, START, ())


# Measures.

SLOW = 5_000


def decisions(times: Sequence[int], choices: Sequence[int] | None = None) -> tuple[Decision, ...]:
    among = choices or [6] * len(times)
    return tuple(Decision(0, 2 + index, ms, many) for index, (ms, many) in enumerate(zip(times, among, strict=True)))


def test_too_few_decisions_are_not_measured() -> None:
    assert pace_of(decisions([SLOW] * (DECISIONS_MIN - 1))) is None
    assert pace_of(decisions([SLOW] * DECISIONS_MIN)) == Pace(DECISIONS_MIN, SLOW, 0, 0, None)


def test_quick_decisions_are_counted_among_those_with_many_choices() -> None:
    times = [900] * 5 + [1_000] * 15
    pace = pace_of(decisions([*times, *[100] * 20], [5] * 20 + [4] * 20))
    assert pace is not None
    assert pace.quick == 250
    few = pace_of(decisions([100] * 20, [4] * 20))
    assert few is not None
    assert few.quick is None
    assert few.figures == {"median": 100, "spread": 0}


def test_the_spread_ignores_one_long_think() -> None:
    even = [2_000] * 19
    assert pace_of(decisions([*even, 2_000])) == pace_of(decisions([*even, 200_000]))
    uneven = pace_of(decisions([1_000] * 6 + [2_500] * 8 + [10_000] * 6))
    assert uneven is not None
    assert uneven.spread == 3_000


def test_fit_is_full_for_proportional_thinking_and_half_for_even_thinking() -> None:
    among = [2, 4, 6, 8, 10] * 4
    longer, shorter = [many * 1_000 for many in among], [20_000 - many * 1_000 for many in among]
    assert [fit(longer, among), fit([3_000] * 20, among), fit(shorter, among)] == [1_000, 500, 0]
    assert fit([3_000] * 20, [4] * 19 + [5] * 1) == 500
    assert fit([3_000] * 10, [4] * 9 + [5]) is None


def fit(times: Sequence[int], among: Sequence[int]) -> int | None:
    pace = pace_of(decisions(times, among))
    assert pace is not None
    return pace.fit
