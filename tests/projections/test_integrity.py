"""The read model of integrity measures equals a fold of each log, whatever happens."""

from itertools import combinations
from pathlib import Path
from uuid import UUID

import hypothesis
import pytest
from hypothesis import strategies as st

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.log_files import export_log, import_log
from domain.integrity.measured_matches import MeasuredMatch, measured_match
from domain.integrity.pairs import compare_pairs
from domain.integrity.thinking import Notes, add_entry, is_timed
from domain.matches.aggregate import Match
from domain.matches.facts import Clock, Table
from domain.matches.forks.lineage import official_line
from domain.matches.log.entries import ALL
from domain.matches.rulings.measures import MatchVoided, ResultSet
from domain.matches.titles import read_fact
from domain.ratings.model import Skill
from domain.ratings.plackett_luce import PLACKETT_LUCE
from projections import integrity
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.platform.store import ReadStore
from projections.rebuild import rebuild
from tests.domain.integrity.generated_matches import even
from tests.domain.matches.match_helpers import apply_ruling, build_ruling, make_all_ready, next_action, resume_match
from tests.projections.ratings.test_early_leavers import LONG, PEOPLE, STEPS, finish, take
from tests.projections.tables import at, match_id, matches_in, open_started_match, play_match
from tests.seeding import example_count

TABLE = Table(clock=Clock("per_move", 60), rated=True)


def catch_up(matches: Matches, store: ReadStore) -> None:
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()


def recount(matches: Matches, root: UUID, measured: dict[UUID, MeasuredMatch]) -> MeasuredMatch | None:
    """Compute the match from its official line's log, with the time of its end from the read model."""
    line, notes = official_line(matches, root), Notes()
    for entry in matches.entries(line.id, after=0):
        position = matches.at(line.id, entry.version)
        if entry.line_id == line.id and is_timed(position):
            notes = add_entry(notes, position, entry.version, read_fact(position.definition, entry))
    ended_at = measured[root].ended_at if root in measured else line.timestamp
    return measured_match(line, root, ended_at, notes.decisions)


def stored_measures(store: ReadStore) -> dict[UUID, MeasuredMatch]:
    return {each.match_id: each for each in integrity.newest(store)}


def test_a_match_has_the_thinking_times_of_its_seats(matches: Matches, any_store: ReadStore) -> None:
    match = play_match(matches, open_started_match(matches, 1, PEOPLE[:3], TABLE))
    catch_up(matches, any_store)

    (row,) = integrity.newest(any_store)
    assert row == integrity.get(any_store, match.id) == recount(matches, match.id, {match.id: row})
    assert row.people == PEOPLE[:3]
    assert row.ended_at == match.timestamp
    assert integrity.get(any_store, match_id(9)) is None
    apply_ruling(matches, match.id, build_ruling("void", MatchVoided()))
    catch_up(matches, any_store)
    assert integrity.newest(any_store) == ()
    apply_ruling(matches, match.id, build_ruling("appeal", ResultSet((3, 2, 1), (1, 2, 3)), appeal_of="void"))
    catch_up(matches, any_store)
    (ruled,) = integrity.newest(any_store)
    assert [seat.place for seat in ruled.seats] == [1, 2, 3]
    assert [seat.pace for seat in ruled.seats] == [seat.pace for seat in row.seats]


def test_forks_and_imports_are_left_out_but_official_lines_are_not(
    matches: Matches, store: ReadStore, tmp_path: Path
) -> None:
    with matches_in(tmp_path / "elsewhere.db") as elsewhere:
        other = play_match(elsewhere, open_started_match(elsewhere, 9, PEOPLE[:2], TABLE))
        log = export_log(elsewhere, other.id, ALL, at=at(2_000))
    import_log(matches, log, by="ann", at=at(3_000))
    match = play_match(matches, open_started_match(matches, 1, PEOPLE[:2], TABLE))
    fork = fork_match(
        matches,
        match.id,
        at_version=match.version - 6,
        new_id=match_id(2),
        luck="same",
        by="ann",
        at=at(999),
        seats=PEOPLE[:2],
    )
    matches.resign(fork.id, 0, "ann", at=at(1_000))
    catch_up(matches, store)
    assert list(stored_measures(store)) == [match.id]

    assert match.started_version is not None
    line = make_all_ready(matches, resume_and_start(matches, match))
    catch_up(matches, store)
    assert list(stored_measures(store)) == []
    finish(matches, line, 1)
    catch_up(matches, store)
    assert list(stored_measures(store)) == [match.id]


def resume_and_start(matches: Matches, match: Match) -> Match:
    assert match.started_version is not None
    resume_match(matches, match.id, match.started_version, match_id(100), "again")
    return matches.get(match_id(100))


@hypothesis.settings(max_examples=example_count(3), deadline=None, suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(
    tables=st.lists(st.permutations(PEOPLE).map(lambda people: tuple(people[:3])), min_size=1, max_size=3), steps=STEPS
)
def test_the_read_model_equals_a_recount_and_a_rebuild(
    tmp_path_factory: pytest.TempPathFactory, tables: list[tuple[str, ...]], steps: list[tuple[str, int]]
) -> None:
    folder = tmp_path_factory.mktemp("law")
    store = ReadStore(folder / "reads.db")
    with matches_in(folder / "log.db") as matches:
        roots = [open_started_match(matches, number, players, TABLE).id for number, players in enumerate(tables, 1)]
        for number, (what, which) in enumerate(steps, 1):
            take(matches, store, official_line(matches, roots[which % len(roots)]), what, which, number)
        for root in roots:
            if not (line := official_line(matches, root)).is_over:
                finish(matches, line, len(steps) + 1)
        catch_up(matches, store)

        measured = stored_measures(store)
        counted = {root: recount(matches, root, measured) for root in roots}
        assert measured == {root: each for root, each in counted.items() if each is not None}
        rebuild([integrity.NAME], matches, store, entries=1)
        assert stored_measures(store) == measured
    store.close()


def test_chances_follow_the_ratings_and_are_even_between_strangers(matches: Matches, store: ReadStore) -> None:
    for number in range(1, 13):
        match = open_started_match(matches, number, ("ann", "ben"), Table(clock=Clock("per_move", 60), rated=True))
        play_match(matches, match)
    rated = [integrity.Strengths(PLACKETT_LUCE, {("toy", 2, "ann"): Skill(30, 2)}), strengths_of(matches, store)]

    assert rated[0]("toy", 2, "ann", "eve") > 500 > rated[0]("toy", 2, "eve", "ann")
    assert rated[0]("toy", 3, "ann", "eve") == 500
    wins = sum(each.seats[0].place == 1 for each in integrity.newest(store))
    assert (rated[1]("toy", 2, "ann", "ben") > 500) == (wins > 6)


def strengths_of(matches: Matches, store: ReadStore) -> integrity.Strengths:
    catch_up(matches, store)
    return integrity.strengths(store, PLACKETT_LUCE, integrity.newest(store))


HELPER, GAINER = "p0", "p1"
CLUB = tuple(f"p{number}" for number in range(7))


def evening(matches: Matches, number: int, players: tuple[str, ...]) -> None:
    """Play a match of random bots under people's names; one of them loses for another on purpose."""
    moment = at(number * LONG)
    match = matches.open(
        match_id(number), title="toy", seats=4, by=players[0], at=moment, table=TABLE, options={"rounds": "2"}
    )
    for seat, player in enumerate(players):
        matches.take_seat(match.id, seat, player, at=moment)
    for seat, player in enumerate(players):
        match = matches.ready(match.id, seat, player, at=moment)
    if {HELPER, GAINER} <= set(players):
        match = matches.resign(match.id, players.index(HELPER), HELPER, at=moment)
    while not match.is_over:
        seat, by, action = next_action(match)
        match = matches.act(match.id, seat, by, action, expected_version=match.version, at=moment)


def test_only_the_bot_that_loses_on_purpose_is_flagged(matches: Matches, store: ReadStore) -> None:
    """Everyone meets everyone ten times."""
    for number, players in enumerate(combinations(CLUB, 4), 1):
        evening(matches, number, players)
    catch_up(matches, store)
    window = integrity.newest(store)
    losses = {
        (row.helper, row.gainer): each
        for row in compare_pairs(window, even).helpings
        for each in row.standings
        if each.measure == "loss"
    }

    assert len(window) == 35
    assert len(losses) == len(CLUB) * (len(CLUB) - 1)
    assert [pair for pair, each in losses.items() if each.stands_out] == [(HELPER, GAINER)]
