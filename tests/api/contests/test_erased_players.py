"""An erased person is withdrawn from tournaments and seasons, and their places are decided as in a withdrawal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from api.contests.departures import find_current, leave_contests
from domain.eventstore.application import Matches
from tests.api.contests.test_entry_conditions import CONTESTS, contest_of, enter, put
from tests.api.service import Member, Person, catch_up
from tests.domain.contests.contest_subject import OpenSubject
from tests.domain.contests.subjects import SUBJECTS, Cup, LeagueSeason
from tests.domain.leagues.season_clock import ID
from tests.projections.tables import matches_in

OpenContest = Callable[..., str]
PLAYERS = ("ann", "ben", "cleo", "dora", "eva")


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db") as matches:
        yield matches


@pytest.mark.parametrize("is_followed", [True, False])
@pytest.mark.parametrize("open_contest", CONTESTS)
def test_the_waiting_list_gets_the_place_of_an_erased_player(
    client: TestClient[Any], ann: Person, open_contest: OpenContest, is_followed: bool
) -> None:
    names = [f"{name} {open_contest.__name__} {is_followed}" for name in ("One", "Two", "Three")]
    first, second, third = (Member(client, name) for name in names)
    path = open_contest(ann, cap=2)
    for player in (first, second, third):
        enter(player, path)
    if is_followed:
        catch_up(client)

    assert first.delete("/me")[0] == 204
    assert second.delete("/me")[0] == 204
    shown = third.get(path)[1]
    if "entries" in shown:
        statuses = [each["status"] for each in shown["entries"]]
        assert statuses == ["withdrawn", "withdrawn", "in"]
    else:
        assert ([each["id"] for each in shown["entered"]], shown["waiting"]) == ([third.id], [])


@pytest.mark.parametrize("open_contest", CONTESTS)
def test_an_erased_alternate_is_off_the_list(client: TestClient[Any], ann: Person, open_contest: OpenContest) -> None:
    path, alternate = open_contest(ann, alternates={}), Person(client)
    assert put(alternate, f"{contest_of(path)}/alternates/me", {})[1]["isListed"]
    catch_up(client)

    assert alternate.delete("/me")[0] == 204
    assert ann.get(f"{contest_of(path)}/alternates")[1]["alternates"] == []


@pytest.mark.parametrize("open_subject", SUBJECTS)
def test_a_player_erased_in_the_middle_is_out_of_the_next_round(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches)
    subject.enter(*PLAYERS[:4])
    subject.open_round()
    subject.play()
    contests = find_current(matches, "ann")
    leave_contests(matches, "ann", contests, at=subject.at)
    before = matches.last_position()
    leave_contests(matches, "ann", contests, at=subject.at)

    assert len(contests) == 1
    assert matches.last_position() == before
    assert find_current(matches, "ann") == ()
    subject.open_round()
    assert "ann" not in subject.playing()


def test_an_ended_event_is_not_changed(matches: Matches) -> None:
    league = LeagueSeason(matches)
    league.enter(*PLAYERS[:4])
    league.take_until("draw")
    league.run_season()
    cup = Cup(matches)
    cup.enter(*PLAYERS[:4])
    cup.take_until("close")
    assert find_current(matches, "zoe") == ()
    assert ID not in find_current(matches, "ann")
