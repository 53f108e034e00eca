"""Clocks derived from the times of entries: running seats, remaining time and deadlines."""

from domain.eventstore.application import Matches
from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE, Clock, RulingGiven, Table
from domain.matches.rulings import ruling
from domain.matches.rulings.measures import TimeTaken
from projections.loop import FollowerLoop
from projections.matches import clocks
from projections.platform.store import ReadStore
from tests.projections.tables import BOT, at, open_started_match, take_action

ANNA, BELA = "anna", "bela"


def table(clock: Clock) -> Table:
    return Table(clock=clock, time_out="skip")


def read_clocks(matches: Matches, store: ReadStore, match: Match) -> list[tuple[float, float | None]]:
    """Return the seconds left when each clock was last set, and its deadline in seconds after the start."""
    FollowerLoop(matches, store, (clocks,)).catch_up()
    return [
        (clock.left_ms / 1000, None if clock.deadline is None else (clock.deadline - at(0)).total_seconds())
        for clock in clocks.get(store, match.id)
    ]


def won_by_the_first(matches: Matches, match: Match) -> tuple[Match, int]:
    """Play a round whose winner chooses after 10 seconds, the other after 20; the winner is to choose again."""
    hands = match.state.hands
    winner = max(range(2), key=lambda seat: max(hands[seat]))
    match = take_action(matches, match, winner, 10, hands[winner].index(max(hands[winner])))
    other = hands[1 - winner]
    return take_action(matches, match, 1 - winner, 20, other.index(min(other))), winner


def test_a_table_without_a_clock_has_none(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, (ANNA, BELA))

    assert read_clocks(matches, store, match) == []


def test_clocks_of_all_people_to_act_run_simultaneously(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, (ANNA, BELA), table(Clock("per_move", 60)))

    assert read_clocks(matches, store, match) == [(60, 60), (60, 60)]


def test_a_clock_stops_after_the_choice_while_others_run(matches: Matches, store: ReadStore) -> None:
    match = take_action(matches, open_started_match(matches, 1, (ANNA, BELA), table(Clock("per_move", 60))), 0, 20)

    assert read_clocks(matches, store, match) == [(40, None), (60, 60)]


def test_a_clock_per_move_restarts_at_every_own_entry(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, (ANNA, BELA), table(Clock("per_move", 60)))
    match, winner = won_by_the_first(matches, match)
    before = dict(enumerate(read_clocks(matches, store, match)))
    match = take_action(matches, match, winner, 30, -1)
    after = dict(enumerate(read_clocks(matches, store, match)))

    assert before[winner] == (60, 80)
    assert after[winner] == (60, 90)
    assert after[1 - winner] == before[1 - winner] == (40, None)


def test_a_correspondence_clock_restarts_once_per_turn(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, (ANNA, BELA), table(Clock("correspondence", 60)))
    match, winner = won_by_the_first(matches, match)
    match = take_action(matches, match, winner, 30, -1)

    assert read_clocks(matches, store, match)[winner] == (60, 80)


def test_a_budget_shrinks_while_thinking_and_grows_after_the_turn(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, (ANNA, BELA), table(Clock("increment", 60, 5)))

    match = take_action(matches, match, 0, 20)

    assert read_clocks(matches, store, match) == [(45, None), (60, 60)]


def test_a_budget_shrinks_over_all_entries_of_a_turn(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, (ANNA, BELA), table(Clock("increment", 60, 5)))
    match, winner = won_by_the_first(matches, match)
    (remaining, deadline) = read_clocks(matches, store, match)[winner]
    match = take_action(matches, match, winner, 30, -1)

    assert deadline == 20 + remaining
    assert read_clocks(matches, store, match)[winner] == (remaining - 10, deadline)


def test_bots_have_no_clock_running(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, (ANNA, BOT), table(Clock("per_move", 60)))

    assert read_clocks(matches, store, match) == [(60, 60), (60, None)]


def test_a_pause_stops_all_clocks_and_keeps_their_time(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, (ANNA, BELA), table(Clock("per_move", 60)))
    match = matches.pause(match.id, SERVICE, at=at(25))
    paused = read_clocks(matches, store, match)
    match = matches.resume(match.id, SERVICE, at=at(100))

    assert paused == [(35, None), (35, None)]
    assert read_clocks(matches, store, match) == [(35, 135), (35, 135)]


def rules(matches: Matches, match: Match, fact: RulingGiven, seconds: float) -> Match:
    return matches.transact(
        lambda batch: batch.append(match.id, lambda match: ruling.check_ruling(match, fact)), at=at(seconds)
    )


def test_a_ruling_takes_time_and_its_replacement_returns_it(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, (ANNA, BELA), table(Clock("increment", 60, 5)))
    given_ruling = RulingGiven("one", "dispute", "art", match.version, "4", "So.", (TimeTaken(0, 20),))
    match = rules(matches, match, given_ruling, 10)
    penalised = read_clocks(matches, store, match)
    instead = RulingGiven("two", "dispute", "hella", match.version, "4", "No.", (TimeTaken(1, 5),), appeal_of="one")
    match = rules(matches, match, instead, 15)

    assert penalised == [(40, 40), (60, 60)]
    assert read_clocks(matches, store, match) == [(60, 60), (55, 55)]
    entries = matches.entries(match.id)
    assert clocks.record(matches.titles, entries)[-1].left_ms == (45_000, 40_000)


def test_a_clock_restarts_after_a_skip(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, (ANNA, BELA), table(Clock("per_move", 60)))
    match = take_action(matches, match, 0, 10)

    match = matches.time_out(match.id, 1, SERVICE, at=at(61))

    winner = match.state.winner
    assert read_clocks(matches, store, match)[winner] == (60, 121)


def test_no_clock_runs_after_the_end(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, (ANNA, BELA), table(Clock("per_move", 60)))

    match = matches.resign(match.id, 0, ANNA, at=at(10))

    assert match.is_over
    assert read_clocks(matches, store, match) == [(50, None), (50, None)]


def test_expired_clocks_are_sorted_by_deadline(matches: Matches, store: ReadStore) -> None:
    late = open_started_match(matches, 1, (ANNA, BELA), table(Clock("per_move", 60)))
    soon = take_action(matches, open_started_match(matches, 2, (ANNA, BELA), table(Clock("per_move", 30))), 1, 1)
    read_clocks(matches, store, late)

    assert clocks.over(store, at(29), 10) == ()
    assert [(clock.match_id, clock.seat) for clock in clocks.over(store, at(60), 10)] == [
        (soon.id, 0),
        (late.id, 0),
        (late.id, 1),
    ]
