"""Fair play rules: which matches are rated, and for whom."""

from collections.abc import Sequence
from uuid import UUID

import pytest

from domain.eventstore.application import Matches
from domain.matches.aggregate import Match, seats_to_act
from domain.matches.facts import SERVICE, Clock, Standing, Table
from domain.matches.play.commands import replace_seat
from domain.matches.rulings.measures import MatchVoided, ResultSet
from domain.matches.seats.event_tables import seat_match, start_without_late_players
from domain.ratings.facts import begin_fair_play
from domain.ratings.models import BASE, model_of
from domain.ratings.recount import ladders_of
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.matches import lobby
from projections.platform.store import ReadStore
from projections.ratings import rankings
from projections.rebuild import rebuild
from tests.domain.matches.match_helpers import TOY, apply_ruling, build_ruling
from tests.projections.tables import at, open_started_match, play_match, take_action

BOT = "bot:random@1"
RATED = Table(rated=True, clock=Clock("per_move", 60))


def catch_up(matches: Matches, store: ReadStore) -> None:
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()


def rated_players(matches: Matches, store: ReadStore) -> list[tuple[str, ...]]:
    """Return the players of every rated result."""
    catch_up(matches, store)
    return [result.players for result in rankings.results(store)]


def through_rounds(matches: Matches, match: Match, rounds: int) -> Match:
    """Play until this many rounds are over."""
    while match.state.round <= rounds:
        match = take_action(matches, match, seats_to_act(match)[0], 1, -1)
    return match


@pytest.fixture
def fair(matches: Matches) -> Matches:
    begin_fair_play(matches, at=at(-1))
    return matches


@pytest.mark.parametrize("rounds", [2, 4])
def test_a_seat_handed_to_a_bot_is_rated_for_its_first_player(fair: Matches, any_store: ReadStore, rounds: int) -> None:
    match = through_rounds(fair, open_started_match(fair, 1, ("ann", "ben"), RATED), rounds)
    handed = fair.replace_seat(match.id, 1, "ben", actor=BOT, at=at(100))
    play_match(fair, handed)

    assert rated_players(fair, any_store) == [("ann", "ben")]
    row = lobby.get(any_store, match.id)
    assert row is not None
    assert row.began == ("ann", "ben")
    assert [(each.seat, each.actor, each.version) for each in row.played_on] == [(1, BOT, handed.version)]
    assert (row.seat_of("ben"), row.seat_of(BOT)) == (1, None)
    assert [each.match_id for each in lobby.matches_of(any_store, "ben").items] == [match.id]


def test_a_timed_out_seat_is_rated_for_its_first_player(fair: Matches, any_store: ReadStore) -> None:
    match = through_rounds(fair, open_started_match(fair, 1, ("ann", "ben"), RATED), 2)
    late = seats_to_act(match)[0]
    play_match(fair, fair.time_out(match.id, late, SERVICE, at=at(100), bot=BOT))

    assert rated_players(fair, any_store) == [("ann", "ben")]
    rebuild(["ratings"], fair, any_store, entries=1)
    assert rated_players(fair, any_store) == [("ann", "ben")]


def test_earlier_matches_are_rated_by_the_old_rules(matches: Matches, any_store: ReadStore) -> None:
    match = through_rounds(matches, open_started_match(matches, 1, ("ann", "ben"), Table(rated=True)), 2)
    begin_fair_play(matches, at=at(50))
    play_match(matches, matches.replace_seat(match.id, 1, "ben", actor=BOT, at=at(100)))

    assert rated_players(matches, any_store) == [("ann", BOT)]


def test_substituted_seats_are_not_rated(fair: Matches, any_store: ReadStore) -> None:
    """From the start or later: neither the substitute nor the entrant is rated."""
    table = Table(rated=True, clock=Clock("per_move", 60))
    match = in_event(fair, 1, ("ann", "ben", "cleo"), table)
    match = through_rounds(fair, match, 2)
    fair.transact(
        lambda batch: batch.append(match.id, lambda line: replace_seat(line, 2, SERVICE, "sue", "cleo")), at=at(90)
    )
    play_match(fair, fair.get(match.id))

    assert rated_players(fair, any_store) == [("ann", "ben")]


def in_event(matches: Matches, number: int, players: Sequence[str], table: Table) -> Match:
    """Start a match at a table of an event."""
    event = UUID(int=77)
    match_id = UUID(int=number)
    return matches.transact(
        lambda batch: start_without_late_players(
            batch,
            seat_match(
                batch,
                TOY,
                match_id,
                of=event,
                table=table,
                options={},
                players=players,
                entrants=players,
                seed=bytes(32),
            ),
            matches.standing,
        ),
        at=at(0),
    )


@pytest.mark.parametrize(
    "table",
    [
        Table(rated=True),
        Table(rated=True, clock=Clock("per_move", 60), public=False),
        Table(clock=Clock("per_move", 9)),
    ],
)
def test_no_clock_a_private_table_and_an_unrated_one_give_no_result(
    fair: Matches, any_store: ReadStore, table: Table
) -> None:
    play_match(fair, open_started_match(fair, 1, ("ann", "ben"), table))

    assert rated_players(fair, any_store) == []


def moved_by_results(matches: Matches, store: ReadStore) -> list[tuple[str, ...]]:
    """Return the players whose ratings each result changes."""
    catch_up(matches, store)
    return [result.affected_players for result in rankings.results(store)]


def test_a_player_whose_opponent_resigns_at_once_gains_nothing(fair: Matches, any_store: ReadStore) -> None:
    match = open_started_match(fair, 1, ("ann", "ben"), RATED)
    fair.resign(match.id, 1, "ben", at=at(1))

    assert moved_by_results(fair, any_store) == [("ben",)]


@pytest.mark.parametrize("names", [("ann", "ben"), ("ann", "ben", "cleo")])
def test_resigning_first_in_the_second_round_is_rated(
    fair: Matches, any_store: ReadStore, names: tuple[str, ...]
) -> None:
    """The player has acted in two rounds, the others in one, when the player resigns and the match ends."""
    match = through_rounds(fair, open_started_match(fair, 1, names, RATED), 1)
    first = seats_to_act(match)[0]
    take_action(fair, match, first, 1, -1)
    for seat in sorted(range(1, len(names)), reverse=True)[:-1]:
        fair.resign(match.id, (first + seat) % len(names), names[(first + seat) % len(names)], at=at(90))
    match = fair.resign(match.id, first, names[first], at=at(91))

    assert match.status == "ended"
    (moved,) = moved_by_results(fair, any_store)
    assert set(moved) == {*names} - {names[(first + 1) % len(names)]}


def test_a_result_that_an_arbiter_of_an_event_sets_before_two_rounds_is_not_rated(
    fair: Matches, any_store: ReadStore
) -> None:
    match = open_started_match(fair, 1, ("ann", "ben"), RATED)
    apply_ruling(fair, match.id, build_ruling("result", ResultSet((1, 0), (1, 2)), authority="event"))
    assert moved_by_results(fair, any_store) == []

    apply_ruling(fair, match.id, build_ruling("appeal", appeal_of="result", upheld=True, authority="service"))
    assert moved_by_results(fair, any_store) == [("ann", "ben")]


def test_a_result_that_an_arbiter_of_the_service_sets_is_rated(fair: Matches, any_store: ReadStore) -> None:
    match = open_started_match(fair, 1, ("ann", "ben"), RATED)
    apply_ruling(fair, match.id, build_ruling("result", ResultSet((1, 0), (1, 2)), authority="service"))

    assert moved_by_results(fair, any_store) == [("ann", "ben")]


def test_a_seat_handed_over_in_the_first_round_is_left_out_and_the_others_are_rated(
    fair: Matches, any_store: ReadStore
) -> None:
    match = open_started_match(fair, 1, ("ann", "ben", "cleo"), RATED)
    play_match(fair, fair.replace_seat(match.id, 1, "ben", actor=BOT, at=at(1)))

    assert moved_by_results(fair, any_store) == [("ann", "cleo", "ben")]
    assert {pool.seats for pool in rankings.pools(any_store)} == {3}


def test_results_that_rate_only_some_players_are_undone(fair: Matches, any_store: ReadStore) -> None:
    """A match is voided after it was rated; the rest equals a start from scratch, to the last digit."""
    for number, names in enumerate((("ann", "ben"), ("ben", "ann"), ("cleo", "ben"), ("ann", "ben"))):
        match = open_started_match(fair, number, names, RATED)
        if number % 2:
            match = fair.replace_seat(match.id, 1, names[1], actor=BOT, at=at(1))
        play_match(fair, match)
    fifth = open_started_match(fair, 5, ("ann", "ben", "cleo"), RATED)
    play_match(fair, fair.resign(fifth.id, 0, "ann", at=at(1)))
    catch_up(fair, any_store)
    apply_ruling(fair, UUID(int=0), build_ruling("void", MatchVoided()))
    catch_up(fair, any_store)

    results = rankings.results(any_store)
    ladders = ladders_of(model_of(BASE), results)

    assert len(results) == 4
    assert {pool: rankings.players(any_store, pool) for pool in rankings.pools(any_store)} == {
        pool: tuple(sorted(ladder.rated.values(), key=lambda rated: rated.player)) for pool, ladder in ladders.items()
    }


def test_the_start_records_provisional_players_and_guests(fair: Matches, any_store: ReadStore) -> None:
    known: dict[str, Standing] = {"new": "provisional", "visitor": "guest"}
    fair.dependencies.standing = lambda actor, _at: known.get(actor, "")
    first = play_match(fair, open_started_match(fair, 1, ("ann", "new"), RATED))
    play_match(fair, open_started_match(fair, 2, ("ann", "visitor"), RATED))

    assert [starter.standing for starter in first.starters] == ["", "provisional"]
    assert rated_players(fair, any_store) == [("ann", "new")]
    (result,) = rankings.results(any_store)
    assert (result.fair, result.provisional) == (True, ("new",))
