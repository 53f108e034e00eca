"""The read model of leaving habits equals a recount from the logs, whatever happens."""

from pathlib import Path
from uuid import UUID

import hypothesis
import pytest
from hypothesis import strategies as st

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.log_files import export_log, import_log
from domain.matches.aggregate import Match, seats_to_act
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.forks.lineage import official_line
from domain.matches.log.entries import ALL
from domain.matches.rulings.measures import MatchVoided, ResultSet
from domain.ratings.leaving import MATCHES_COUNTED_MAX, LeavingHabit, habit_of, stays_of
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.platform.store import ReadStore
from projections.ratings import early_leavers
from projections.rebuild import rebuild
from tests.domain.matches.match_helpers import apply_ruling, build_ruling, make_all_ready, resume_match
from tests.projections.tables import BOT, at, match_id, matches_in, open_started_match, play_match, take_action
from tests.seeding import example_count

PEOPLE = ("ann", "ben", "cleo", "dora")
TABLE = Table(clock=Clock("per_move", 60))
LONG = 100_000


def catch_up(matches: Matches, store: ReadStore) -> None:
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()


def habits(store: ReadStore) -> dict[str, LeavingHabit]:
    return {player: early_leavers.of_player(store, player) for player in PEOPLE}


def recount(matches: Matches, roots: list[UUID]) -> dict[str, LeavingHabit]:
    """Compute the habits from the logs: every match by its official line, in order of their ends."""
    over = [match for match in (official_line(matches, root) for root in roots) if match.is_over]
    over.sort(key=lambda match: (end_of(matches, match), str(root_of(matches, match))), reverse=True)
    stays = [stay for match in over for stay in stays_of(match)]
    return {player: habit_of(stay.leaving for stay in stays if stay.player == player) for player in PEOPLE}


def end_of(matches: Matches, match: Match) -> float:
    return min(
        position.timestamp.timestamp()
        for version in range(1, match.version + 1)
        if (position := matches.at(match.id, version)).is_over
    )


def root_of(matches: Matches, match: Match) -> UUID:
    return match.id if match.origin is None else root_of(matches, matches.get(match.origin.match_id))


def test_habits_cover_the_last_fifty_matches(matches: Matches, any_store: ReadStore) -> None:
    for number in range(1, MATCHES_COUNTED_MAX + 3):
        match = open_started_match(matches, number, ("ann", "ben"), TABLE)
        matches.resign(match.id, 0 if number <= 2 else 1, "ann" if number <= 2 else "ben", at=at(number))
    catch_up(matches, any_store)

    assert habits(any_store)["ann"] == LeavingHabit(MATCHES_COUNTED_MAX)
    assert habits(any_store)["ben"] == LeavingHabit(MATCHES_COUNTED_MAX, resigned=MATCHES_COUNTED_MAX)
    assert habits(any_store)["cleo"] == LeavingHabit()
    before = habits(any_store)
    rebuild([early_leavers.NAME], matches, any_store, entries=1)
    assert habits(any_store) == before


def test_a_ruling_removes_a_leaving_and_another_restores_it(matches: Matches, any_store: ReadStore) -> None:
    match = open_started_match(matches, 1, ("ann", "ben"), TABLE)
    matches.resign(match.id, 1, "ben", at=at(1))
    apply_ruling(matches, match.id, build_ruling("void", MatchVoided()))
    catch_up(matches, any_store)
    assert habits(any_store)["ben"] == LeavingHabit()

    apply_ruling(matches, match.id, build_ruling("appeal", appeal_of="void"))
    catch_up(matches, any_store)
    assert habits(any_store)["ben"] == LeavingHabit(1, resigned=1)


def test_forks_and_imported_matches_do_not_count(matches: Matches, any_store: ReadStore, tmp_path: Path) -> None:
    with matches_in(tmp_path / "elsewhere.db") as elsewhere:
        resigned = elsewhere.resign(open_started_match(elsewhere, 9, ("ann", "ben")).id, 1, "ben", at=at(1))
        log = export_log(elsewhere, resigned.id, ALL, at=at(2))
    import_log(matches, log, by="ann", at=at(3))
    match = play_match(matches, open_started_match(matches, 1, ("ann", "ben")))
    fork = fork_match(
        matches,
        match.id,
        at_version=match.version - 6,
        new_id=match_id(2),
        luck="same",
        by="ann",
        at=at(99),
        seats=PEOPLE[:2],
    )
    matches.resign(fork.id, 0, "ann", at=at(100))
    catch_up(matches, any_store)

    assert habits(any_store)["ben"] == habits(any_store)["ann"] == LeavingHabit(1)


STEPS = st.lists(
    st.tuples(st.sampled_from(("play", "resign", "hand", "late", "void", "set", "back", "follow")), st.integers(0, 3)),
    max_size=14,
)


@hypothesis.settings(max_examples=example_count(15), deadline=None, suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(
    tables=st.lists(st.permutations(PEOPLE).map(lambda people: tuple(people[:3])), min_size=1, max_size=3), steps=STEPS
)
def test_the_read_model_equals_a_recount_from_the_logs(
    tmp_path_factory: pytest.TempPathFactory, tables: list[tuple[str, ...]], steps: list[tuple[str, int]]
) -> None:
    folder = tmp_path_factory.mktemp("law")
    store = ReadStore(folder / "reads.db")
    with matches_in(folder / "log.db") as matches:
        roots = [open_started_match(matches, number, players, TABLE).id for number, players in enumerate(tables, 1)]
        for number, (what, which) in enumerate(steps, 1):
            line = official_line(matches, roots[which % len(roots)])
            take(matches, store, line, what, which, number)
        for root in roots:
            line = official_line(matches, root)
            if not line.is_over:
                finish(matches, line, len(steps) + 1)
        catch_up(matches, store)

        assert habits(store) == recount(matches, roots)
    store.close()


def take(matches: Matches, store: ReadStore, line: Match, what: str, which: int, number: int) -> None:
    """Do something to a match if it is possible."""
    seat, moment = which % 3, at(number * LONG)
    holder = line.seats[seat].actor or ""
    can_go = line.status == "running" and holder in PEOPLE and not line.seats[seat].resigned
    if what == "play" and line.status == "running":
        for _ in range(4 * (which + 1)):
            line = take_action(matches, line, seats_to_act(line)[0], number * LONG, -1) if seats_to_act(line) else line
    elif what == "resign" and can_go:
        matches.resign(line.id, seat, holder, at=moment)
    elif what == "hand" and can_go:
        matches.replace_seat(line.id, seat, holder, actor=BOT, at=moment)
    elif what == "late" and can_go and seat in seats_to_act(line):
        matches.time_out(line.id, seat, SERVICE, at=moment, bot=BOT)
    elif what in ("void", "set") and line.status in ("running", "ended"):
        measure = MatchVoided() if what == "void" else ResultSet((3, 2, 1), (1, 2, 3))
        apply_ruling(matches, line.id, build_ruling(f"ruling{number}", measure))
    elif what == "back" and line.status in ("running", "ended") and line.started_version != line.version:
        assert line.started_version is not None
        resume_match(matches, line.id, line.started_version, match_id(100 + number), f"ruling{number}")
    elif what == "follow":
        catch_up(matches, store)


def finish(matches: Matches, line: Match, number: int) -> None:
    line = make_all_ready(matches, line)
    while not line.is_over:
        line = take_action(matches, line, seats_to_act(line)[0], number * LONG, -1)
