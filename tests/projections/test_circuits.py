"""Lists of circuits, of the contests that count for them, and of acts, rebuilt from the facts."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest

from domain.circuits import commands, decisions
from domain.circuits.fact_base import ContestKey
from domain.eventstore.application import Matches
from domain.leagues import commands as leagues
from domain.leagues.plan import LeaguePlan
from domain.tournaments import commands as tournaments
from projections import circuits
from projections.circuits import CircuitAround, CircuitRow
from projections.loop import FollowerLoop
from projections.platform.store import ReadStore
from projections.rebuild import rebuild
from tests.domain.circuits.circuit_stories import ID, START, contest, plan_with, standings_of, tournament
from tests.domain.tournaments.building import plan_with as tournament_plan

OTHER = UUID(int=10)
LEAGUE = UUID(int=70)
SEASON = ContestKey("season", LEAGUE, 1)
CUP = tournament(1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ReadStore]:
    store = ReadStore(tmp_path / "reads.db")
    yield store
    store.close()


@pytest.fixture
def matches(matches: Matches) -> Matches:
    """Provide a circuit that is over, with a final, and an empty one of another organiser."""
    tournaments.open_tournament(matches, CUP.id, tournament_plan(title="toy"), "org", at=START)
    leagues.open_league(matches, LEAGUE, "org", LeaguePlan(name="Serra", title="toy", size=2), at=START)
    commands.open_circuit(matches, ID, "org", plan_with(), at=START)
    commands.open_circuit(matches, OTHER, "olga", plan_with(name="Tour"), at=START)
    commands.add_contest(matches, ID, "org", CUP, at=START)
    commands.add_contest(matches, ID, "org", SEASON, at=START)
    commands.add_contest(matches, ID, "org", ContestKey("circuit", OTHER), at=START)
    commands.withdraw_contest(matches, ID, "org", ContestKey("circuit", OTHER), "Empty.", at=START)
    commands.withdraw_contest(matches, ID, "org", SEASON, "Never begun.", at=START)
    commands.name_final(matches, ID, "org", SEASON, at=START)
    results = (contest(1, "a", "b"),)
    lines = standings_of(plan_with(), *results)
    commands.execute(matches, ID, lambda state: decisions.settle(state, "org", results, lines), at=START)
    return matches


def rows(store: ReadStore) -> dict[str, list[tuple[object, ...]]]:
    return {table: sorted(store.rows(f"SELECT * FROM {table}"), key=repr) for table in circuits.TABLES}


def test_circuits_are_listed_with_their_state(matches: Matches, store: ReadStore) -> None:
    FollowerLoop(matches, store, (circuits,)).catch_up()
    page = circuits.circuits(store, 1)
    (first,) = circuits.circuits(store, 1, page.next).items

    assert [(row.name, row.contests, row.is_settled, row.first) for row in (*page.items, first)] == [
        ("Tour", 0, False, ""),
        ("Island circuit", 1, True, "a"),
    ]
    assert circuits.find_row(store, ID) == first
    assert circuits.find_row(store, UUID(int=1)) is None
    assert circuits.circuits_opened_by(store, "org") == ((ID, START),)
    assert circuits.circuits_opened_by(store, "zoe") == ()


def test_a_contest_knows_its_circuits(matches: Matches, store: ReadStore) -> None:
    FollowerLoop(matches, store, (circuits,)).catch_up()
    row = circuits.find_row(store, ID)
    assert isinstance(row, CircuitRow)

    assert circuits.circuits_around(store, CUP.id) == (CircuitAround(row, "event", 0),)
    assert circuits.circuits_around(store, LEAGUE) == (CircuitAround(row, "final", 1),)
    assert circuits.circuits_around(store, OTHER) == (), "it was withdrawn"


def test_acts_are_listed_with_their_reasons(matches: Matches, store: ReadStore) -> None:
    FollowerLoop(matches, store, (circuits,)).catch_up()
    acts = circuits.acts_of(store, ID, 3)
    rest = circuits.acts_of(store, ID, 9, acts.next)

    assert [(act.kind, act.reason) for act in (*acts.items, *rest.items)] == [
        ("standings_settled", ""),
        ("final_named", ""),
        ("contest_withdrawn", "Never begun."),
        ("contest_withdrawn", "Empty."),
        ("contest_added", ""),
        ("contest_added", ""),
        ("contest_added", ""),
    ]
    assert circuits.acts_of(store, OTHER).items == (), "it is an act of the other circuit"


@pytest.mark.parametrize("entries", [1, 100])
def test_a_rebuild_gives_the_same_rows(matches: Matches, store: ReadStore, entries: int) -> None:
    FollowerLoop(matches, store, (circuits,)).catch_up()
    before = rows(store)
    rebuild([circuits.NAME], matches, store, entries=entries)

    assert rows(store) == before
    assert all(before.values())
