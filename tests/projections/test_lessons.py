"""Practice matches by learner: a row for each, and none for other matches."""

from pathlib import Path

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.log_files import add_log
from domain.lessons.script import find_lesson, load_log
from domain.matches.aggregate import Match, legal_actions
from domain.matches.log.importing import examine_log
from domain.titles import TITLES
from domain.titles.la_granja.actions import PlaceStall
from projections import lessons
from projections.catalogue import PROJECTIONS
from projections.loop import Loop
from projections.matches import lobby
from projections.platform.store import ReadStore
from projections.rebuild import rebuild
from tests.projections.tables import BOT, at, match_id, matches_in

MARKET = find_lesson("la_granja", "market")


def practised(matches: Matches, number: int, practice: str = MARKET.practice, learner: str = "anna") -> Match:
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


def placed(matches: Matches, match: Match, cell: int) -> Match:
    assert PlaceStall(cell) in legal_actions(match, 0)
    return matches.act(match.id, 0, "anna", PlaceStall(cell), expected_version=match.version, at=at(50))


def test_the_latest_match_of_a_lesson_gives_its_progress(tmp_path: Path, any_store: ReadStore) -> None:
    with matches_in(tmp_path / "log.db", TITLES) as matches:
        solved = placed(matches, practised(matches, 1), 8)
        missed = placed(matches, practised(matches, 2), 13)
        other = practised(matches, 3, "puzzle/7")
        practised(matches, 4, learner="bela")
        Loop(matches, any_store, tuple(PROJECTIONS.values())).catch_up()

        found = lessons.practised_by(any_store, "anna")
        assert found[MARKET.practice] == lessons.Practised(missed.id, "missed", is_done=True)
        assert found["puzzle/7"] == lessons.Practised(other.id, "on", is_done=False)
        assert set(found) == {MARKET.practice, "puzzle/7"}
        assert lessons.practised_by(any_store, "carla") == {}
        assert solved.practice == MARKET.practice
        first: dict[str, int] = {}
        for position, event in matches.happenings(0, 10_000):
            first.setdefault(str(event.originator_id), position)
        begun = any_store.rows("SELECT match_id, begun FROM lessons")
        assert {one: first[one] for one, _ in begun} == dict(begun)
        before = any_store.rows("SELECT * FROM lessons ORDER BY match_id")

        rebuild(["lessons"], matches, any_store)

        assert any_store.rows("SELECT * FROM lessons ORDER BY match_id") == before


def test_a_practice_match_is_in_no_list(tmp_path: Path, any_store: ReadStore) -> None:
    with matches_in(tmp_path / "log.db", TITLES) as matches:
        match = practised(matches, 1)
        Loop(matches, any_store, tuple(PROJECTIONS.values())).catch_up()

        row = lobby.get(any_store, match.id)
        assert row is not None
        assert row.tried
        assert not row.table.is_listed
        assert lobby.matches(any_store).items == ()
        assert lobby.going_on_of(any_store, "anna").items == ()
        assert lobby.waiting_for(any_store, "anna", 5) == (0, ())
        assert lobby.matches_of(any_store, "anna").items == ()
