"""Deadlines of rounds: the calendar's consequence applies once to tables without a result."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.contests.deadlines import ASKED_AGAIN, BY_LOT, BY_SCORE, lots_after
from domain.contests.times import RoundTime
from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.values import replace
from domain.matches.aggregate import Match, seats_to_act
from domain.matches.entropy import Entropy
from domain.matches.errors import StaleVersion
from domain.matches.facts import SERVICE
from domain.matches.seats.lots import places_by_lot
from domain.standings.contest import GivenResult
from domain.tournaments import acts, commands, registration, rounds, timing
from domain.tournaments.calendar import Calendar
from domain.tournaments.claims import claim
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.facts import Fact, ResultRuled
from domain.tournaments.state import TOURNAMENT, Round
from tests.domain.tournaments.building import AT, BY, EVENT, plan_with
from tests.domain.tournaments.test_commands import publish_first, start_event
from tests.projections.tables import take_action
from tests.seeding import entropy

DEADLINE = AT + timedelta(hours=2)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"), entropy=entropy())
    yield matches
    matches.close()


def until(matches: Matches, consequence: Any, *actors: str) -> Round:
    """Open the first round with a deadline."""
    start_event(matches, *actors)
    return open_with_deadline(matches, consequence, len(actors) // 2)


def open_with_deadline(matches: Matches, consequence: Any, table_count: int) -> Round:
    """Set the deadline of the first round, and open its tables."""
    calendar = Calendar(rounds=(RoundTime(None, DEADLINE),), consequence=consequence)
    commands.change(matches, EVENT, lambda state: timing.set_calendar(state, calendar, BY, "So."), at=AT)
    for number in range(1, table_count + 1):
        commands.open_table(matches, EVENT, 1, number, at=AT)
    return commands.change(matches, EVENT, lambda state: rounds.open_round(state, 1), at=AT).state.rounds[0]


def match_at(matches: Matches, round_: Round, table: int) -> Match:
    match_id = round_.tables[table - 1].match
    assert match_id is not None
    return matches.get(match_id)


def plays(matches: Matches, match: Match) -> Match:
    """Make everyone ready, and let the first seat act."""
    for seat, info in enumerate(match.seats):
        assert info.actor is not None
        match = matches.ready(match.id, seat, info.actor, at=AT)
    return take_action(matches, match, seats_to_act(match)[0], 4)


def expire_round(matches: Matches, disputed: tuple[int, ...] = (), **more: Any) -> Round:
    return timing.expire(matches, EVENT, {}, disputed, at=DEADLINE, **more).state.rounds[0]


def read_facts(matches: Matches) -> list[Fact]:
    return [TOURNAMENT.read(record) for record in matches.streams.records(EVENT)]


def test_places_are_drawn_by_lot_and_the_matches_are_void(matches: Matches) -> None:
    before = until(matches, "lots", "ann", "ben", "cat", "dan")
    after = expire_round(matches)

    for table in after.tables:
        assert table.given is not None
        assert (table.given.by, table.given.reason, table.given.ruled) == (SERVICE, BY_LOT, True)
        assert sorted(table.given.places) == [1, 2]
    assert after.expired == DEADLINE
    assert [match_at(matches, before, number).status for number in (1, 2)] == ["void", "void"]
    ruled = [acts.act_kind(commands.get_tournament(matches, EVENT).state, fact) for fact in read_facts(matches)]
    assert ruled[-3:] == ["result_ruled", "result_ruled", None]
    with pytest.raises(TournamentRefused, match="no deadline of round 1 has passed"):
        expire_round(matches)


def with_seed(seed: bytes) -> Entropy:
    """Return the entropy of the tests with this seed for matches."""
    draw = entropy()
    return lambda length, purpose: seed if purpose.startswith("seed/") else draw(length, purpose)


def test_lots_are_unpredictable_before_the_deadline(tmp_path: Path) -> None:
    """All public data is equal, only the hidden seeds differ, and another player wins."""
    favoured = set()
    for number in range(6):
        matches = open_store(store_env(tmp_path / f"{number}.db"), entropy=with_seed(bytes([number]) * 32))
        until(matches, "lots", "ann", "ben")
        (table,) = expire_round(matches).tables
        matches.close()
        assert table.given is not None
        favoured.add(table.entries[table.given.places.index(1)])

    assert favoured == {"e1", "e2"}


def test_lots_follow_from_the_luck_revealed_at_the_end_of_the_match(matches: Matches) -> None:
    before = until(matches, "lots", "ann", "ben", "cat", "dan")
    plays(matches, match_at(matches, before, 1))
    after = expire_round(matches)

    for number, table in enumerate(after.tables, start=1):
        assert table.given is not None
        assert table.given.places == places_by_lot(match_at(matches, before, number))
    assert [fact.drawn for fact in read_facts(matches) if isinstance(fact, ResultRuled)] == [True, True]
    # Without the seed nothing can be drawn, and matches of the first format had other shares.
    begun_not = match_at(matches, before, 2)
    assert places_by_lot(replace(begun_not, seed=None)) is None
    assert places_by_lot(replace(begun_not, format=1)) is None


def test_lots_of_a_table_without_a_match_follow_from_the_record_before(matches: Matches) -> None:
    until(matches, "lots", "name:ann", "name:ben", "name:cat", "name:dan")
    tables = expire_round(matches).tables
    ruled = [record for record in matches.streams.records(EVENT) if record.tag == "tournament.result_ruled"]

    for table, record in zip(tables, ruled, strict=True):
        fact = TOURNAMENT.read(record)
        assert isinstance(fact, ResultRuled)
        assert fact.places == lots_after(record.previous, table.entries)
        assert not fact.drawn


@pytest.mark.parametrize("favoured", ["e1", "e2"])
def test_lots_of_a_table_without_a_match_were_unpredictable_in_format_1(tmp_path: Path, favoured: str) -> None:
    draw = entropy()
    matches = open_store(
        store_env(tmp_path / "log.db"),
        entropy=lambda length, purpose: (
            bytes(length) if purpose == f"lot/{EVENT}/1/{favoured}" else draw(length, purpose)
        ),
    )
    opened = registration.open_tournament(matches.titles, plan_with(size=2), BY)
    matches.transact(lambda batch: batch.record(TOURNAMENT, EVENT, replace(opened, format=1)), at=AT)
    publish_first(matches, "name:ann", "name:ben")
    open_with_deadline(matches, "lots", 1)
    (table,) = expire_round(matches).tables
    matches.close()

    assert table.given is not None
    assert table.entries[table.given.places.index(1)] == favoured


def test_current_scores_decide_a_running_match(matches: Matches) -> None:
    before = until(matches, "score", "ann", "ben", "cat", "dan")
    match = plays(matches, match_at(matches, before, 1))
    assert match.state is not None
    scores = match.definition.rules.open_scores(match.state)
    after = expire_round(matches)

    places = tuple(1 + sum(other > score for other in scores) for score in scores)
    assert after.tables[0].given == GivenResult(places, scores, SERVICE, BY_SCORE, True)
    assert after.tables[1].given is not None
    assert (after.tables[1].given.reason, sorted(after.tables[1].given.places)) == (BY_LOT, [1, 2])
    assert match_at(matches, before, 2).started_version is None
    assert after.expired == DEADLINE


def test_finished_disputed_and_manual_tables_are_left_alone(matches: Matches) -> None:
    before = until(matches, "lots", "ann", "ben", "cat", "dan", "eve", "fay")
    match = plays(matches, match_at(matches, before, 1))
    matches.resign(match.id, 0, match.seats[0].actor or "", at=AT)
    rule = lambda state: rounds.rule_table(state, 1, 2, (3, 2), (1, 2), "Agreed.", BY)  # noqa: E731
    commands.rule_table(matches, EVENT, rule, at=AT)
    after = expire_round(matches, (3,))

    assert after.tables[0].given is None
    assert after.tables[1].given is not None
    assert after.tables[1].given.reason == "Agreed."
    assert after.tables[2].given is None
    assert (after.expired, after.undecided_until) == (DEADLINE, DEADLINE + ASKED_AGAIN)


def test_players_who_claim_different_results_get_a_day_to_agree(matches: Matches) -> None:
    until(matches, "lots", "name:ann", "name:ben", "name:cat", "name:dan")
    claims = (("e1", (5, 3), (1, 2)), ("e2", (3, 5), (2, 1)))
    (entries,) = [table.entries for table in commands.get_tournament(matches, EVENT).state.rounds[0].tables[:1]]
    for (_, scores, places), entry in zip(claims, entries, strict=True):
        key = UUID(int=len(entry) + scores[0])
        commands.change(
            matches,
            EVENT,
            lambda state, entry=entry, scores=scores, places=places, key=key: claim(  # type: ignore[misc]
                state, 1, 1, entry, scores, places, key
            ),
            at=AT,
        )
    first, second = expire_round(matches).tables
    assert (first.given, second.given is None) == (None, False)
    first, _ = timing.expire(matches, EVENT, {}, (), at=DEADLINE + ASKED_AGAIN).state.rounds[0].tables

    assert first.given is not None
    assert first.given.reason == BY_LOT


def test_the_organiser_decides_by_default(matches: Matches) -> None:
    until(matches, "organiser", "ann", "ben")
    with pytest.raises(TournamentRefused, match="is not due before"):
        timing.expire(matches, EVENT, {}, (), at=AT)
    version = commands.get_tournament(matches, EVENT).version
    with pytest.raises(StaleVersion):
        expire_round(matches, expected_version=version - 1)
    after = expire_round(matches, expected_version=version)

    assert after.tables[0].given is None
    assert (after.expired, after.undecided_until) == (DEADLINE, DEADLINE + timedelta(days=7))


def test_many_tables_are_decided_in_batches(matches: Matches) -> None:
    until(matches, "lots", *(f"name:p{number}" for number in range(2 * timing.RULED_AT_ONCE + 2)))
    counts = []
    for _ in range(2):
        found = expire_round(matches)
        counts.append((sum(table.given is not None for table in found.tables), found.expired))

    assert counts == [(timing.RULED_AT_ONCE, None), (timing.RULED_AT_ONCE + 1, DEADLINE)]
