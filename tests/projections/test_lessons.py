"""Practice matches by learner: a row for each, and none for other matches."""

from pathlib import Path

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.log_files import add_log
from domain.lessons.script import find_lesson, load_log
from domain.matches.aggregate import Match, legal_actions
from domain.matches.log.imports import examine_log
from domain.titles import TITLES
from domain.titles.la_granja.actions import PlaceStall
from projections import lessons
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.matches import lobby
from projections.platform.store import ReadStore
from projections.rebuild import rebuild
from tests.projections.tables import BOT, at, match_id, matches_in

MARKET = find_lesson("la_granja", "market")


def start_practice(matches: Matches, number: int, practice: str = MARKET.practice, learner: str = "anna") -> Match:
    log = load_log("la_granja", "stalls")
    if not matches.lines.has(log.header.match):
        add_log(matches, examine_log(log, TITLES, at=at(0)), by="service", at=at(0))
    return fork_match(
        matches,
        log.header.match,
        at_version=MARKET.script.at,
        new_id=match_id(number),
        luck="same",
        by=learner,
        at=at(number),
        seats=(learner, BOT),
        practice=practice,
    )


def place_stall(matches: Matches, match: Match, cell: int) -> Match:
    assert PlaceStall(cell) in legal_actions(match, 0)
    return matches.act(match.id, 0, "anna", PlaceStall(cell), expected_version=match.version, at=at(50))


def test_the_latest_match_of_a_lesson_gives_its_progress(tmp_path: Path, any_store: ReadStore) -> None:
    with matches_in(tmp_path / "log.db", TITLES) as matches:
        solved = place_stall(matches, start_practice(matches, 1), 8)
        missed = place_stall(matches, start_practice(matches, 2), 13)
        other = start_practice(matches, 3, "puzzle/7")
        start_practice(matches, 4, learner="bela")
        FollowerLoop(matches, any_store, tuple(PROJECTIONS.values())).catch_up()

        practices = lessons.list_practices(any_store, "anna")
        assert practices[MARKET.practice] == lessons.PracticeProgress(missed.id, "missed", is_done=True)
        assert practices["puzzle/7"] == lessons.PracticeProgress(other.id, "on", is_done=False)
        assert set(practices) == {MARKET.practice, "puzzle/7"}
        assert lessons.list_practices(any_store, "carla") == {}
        assert solved.practice == MARKET.practice
        first: dict[str, int] = {}
        for position, event in matches.read_log_items(0, 10_000):
            first.setdefault(str(event.originator_id), position)
        begun = any_store.rows("SELECT match_id, begun FROM lessons")
        assert {one: first[one] for one, _ in begun} == dict(begun)
        before = any_store.rows("SELECT * FROM lessons ORDER BY match_id")

        rebuild(["lessons"], matches, any_store)

        assert any_store.rows("SELECT * FROM lessons ORDER BY match_id") == before


def test_a_practice_match_is_in_no_list(tmp_path: Path, any_store: ReadStore) -> None:
    with matches_in(tmp_path / "log.db", TITLES) as matches:
        match = start_practice(matches, 1)
        FollowerLoop(matches, any_store, tuple(PROJECTIONS.values())).catch_up()

        row = lobby.get(any_store, match.id)
        assert row is not None
        assert row.tried
        assert not row.table.is_listed
        assert lobby.matches(any_store).items == ()
        assert lobby.list_unfinished_page(any_store, "anna").items == ()
        assert lobby.waiting_for(any_store, "anna", 5) == (0, ())
        assert lobby.matches_of(any_store, "anna").items == ()
