"""What officials measure, as the read model keeps it: equal to a fold of each log by itself, whatever happened."""

from pathlib import Path
from uuid import UUID

import hypothesis
import pytest
from hypothesis import strategies as st

from domain.integrity.played import Played, played_of
from domain.integrity.thinking import Notes, is_timed, note
from domain.matches.aggregate import Match
from domain.matches.application import Matches
from domain.matches.facts import Clock, Table
from domain.matches.lineage import official_line
from domain.matches.log import ALL
from domain.matches.measures import MatchVoided, ResultSet
from domain.matches.titles import read_fact
from domain.ratings.model import Skill
from domain.ratings.plackett_luce import PLACKETT_LUCE
from projections import integrity
from projections.catalogue import PROJECTIONS
from projections.loop import Loop
from projections.rebuild import rebuild
from projections.store import ReadStore
from tests.domain.matches.rulings import given, resumes, rules
from tests.domain.matches.world import gathered
from tests.projections.ratings.test_leavings import PEOPLE, STEPS, finish, take
from tests.projections.tables import at, match_id, matches_in, opened, played
from tests.seeding import sampled

TABLE = Table(clock=Clock("per_move", 60), rated=True)


def caught_up(matches: Matches, store: ReadStore) -> None:
    Loop(matches, store, tuple(PROJECTIONS.values())).catch_up()


def recount(matches: Matches, root: UUID, kept: dict[UUID, Played]) -> Played | None:
    """The match from its official line's own log; the time of its end as the read model says it."""
    line, notes = official_line(matches, root), Notes()
    for entry in matches.entries(line.id, after=0):
        there = matches.at(line.id, entry.version)
        if entry.line_id == line.id and is_timed(there):
            notes = note(notes, there, entry.version, read_fact(there.definition, entry))
    ended_at = kept[root].ended_at if root in kept else line.timestamp
    return played_of(line, root, ended_at, notes.decisions)


def found(store: ReadStore) -> dict[UUID, Played]:
    return {each.match_id: each for each in integrity.newest(store)}


def test_a_match_stands_there_with_the_times_of_its_seats(matches: Matches, any_store: ReadStore) -> None:
    match = played(matches, opened(matches, 1, PEOPLE[:3], TABLE))
    caught_up(matches, any_store)

    (kept,) = integrity.newest(any_store)
    assert kept == integrity.get(any_store, match.id) == recount(matches, match.id, {match.id: kept})
    assert kept.people == PEOPLE[:3]
    assert kept.ended_at == match.timestamp
    assert integrity.get(any_store, match_id(9)) is None
    rules(matches, match.id, given("void", MatchVoided()))
    caught_up(matches, any_store)
    assert integrity.newest(any_store) == ()
    rules(matches, match.id, given("appeal", ResultSet((3, 2, 1), (1, 2, 3)), appeal_of="void"))
    caught_up(matches, any_store)
    (ruled,) = integrity.newest(any_store)
    assert [seat.place for seat in ruled.seats] == [1, 2, 3]
    assert [seat.pace for seat in ruled.seats] == [seat.pace for seat in kept.seats]


def test_forks_and_imported_matches_are_left_out_and_a_line_that_was_ruled_is_in(
    matches: Matches, store: ReadStore, tmp_path: Path
) -> None:
    with matches_in(tmp_path / "elsewhere.db") as elsewhere:
        other = played(elsewhere, opened(elsewhere, 9, PEOPLE[:2], TABLE))
        log = elsewhere.export(other.id, ALL, at=at(2_000))
    matches.import_log(log, by="ann", at=at(3_000))
    match = played(matches, opened(matches, 1, PEOPLE[:2], TABLE))
    fork = matches.fork(
        match.id, at_version=match.version - 6, new_id=match_id(2), luck="same", by="ann", at=at(999), seats=PEOPLE[:2]
    )
    matches.resign(fork.id, 0, "ann", at=at(1_000))
    caught_up(matches, store)
    assert list(found(store)) == [match.id]

    assert match.started_version is not None
    line = gathered(matches, resumed(matches, match))
    caught_up(matches, store)
    assert list(found(store)) == []
    finish(matches, line, 1)
    caught_up(matches, store)
    assert list(found(store)) == [match.id]


def resumed(matches: Matches, match: Match) -> Match:
    assert match.started_version is not None
    resumes(matches, match.id, match.started_version, match_id(100), "again")
    return matches.get(match_id(100))


@hypothesis.settings(max_examples=sampled(8), deadline=None, suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(
    tables=st.lists(st.permutations(PEOPLE).map(lambda people: tuple(people[:3])), min_size=1, max_size=3), steps=STEPS
)
def test_the_read_model_equals_a_recount_from_the_logs_and_itself_made_again(
    tmp_path_factory: pytest.TempPathFactory, tables: list[tuple[str, ...]], steps: list[tuple[str, int]]
) -> None:
    folder = tmp_path_factory.mktemp("law")
    store = ReadStore(folder / "reads.db")
    with matches_in(folder / "log.db") as matches:
        roots = [opened(matches, number, players, TABLE).id for number, players in enumerate(tables, 1)]
        for number, (what, which) in enumerate(steps, 1):
            take(matches, store, official_line(matches, roots[which % len(roots)]), what, which, number)
        for root in roots:
            if not (line := official_line(matches, root)).is_over:
                finish(matches, line, len(steps) + 1)
        caught_up(matches, store)

        kept = found(store)
        counted = {root: recount(matches, root, kept) for root in roots}
        assert kept == {root: each for root, each in counted.items() if each is not None}
        rebuild([integrity.NAME], matches, store, entries=1)
        assert found(store) == kept
    store.close()


def test_chances_follow_the_ratings_and_are_even_between_strangers(matches: Matches, any_store: ReadStore) -> None:
    for number in range(1, 13):
        match = opened(matches, number, ("ann", "ben"), Table(clock=Clock("per_move", 60), rated=True))
        played(matches, match)
    rated = [integrity.Strengths(PLACKETT_LUCE, {("toy", 2, "ann"): Skill(30, 2)}), strengths_of(matches, any_store)]

    assert rated[0]("toy", 2, "ann", "eve") > 500 > rated[0]("toy", 2, "eve", "ann")
    assert rated[0]("toy", 3, "ann", "eve") == 500
    wins = sum(each.seats[0].place == 1 for each in integrity.newest(any_store))
    assert (rated[1]("toy", 2, "ann", "ben") > 500) == (wins > 6)


def strengths_of(matches: Matches, store: ReadStore) -> integrity.Strengths:
    caught_up(matches, store)
    return integrity.strengths(store, PLACKETT_LUCE, integrity.newest(store))
