"""Sheets to print, for a tournament and a season by the same templates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, Final, NamedTuple

import pytest

from api.http.qr import qr_file
from tests.api.full_service import FullService, Visitor, run_full_service
from tests.api.leagues.test_leagues import PLAN as LEAGUE_PLAN
from tests.api.service import settings_in
from tests.api.tournaments.test_tournaments import ApiPerson, open_tournament


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FullService]:
    with run_full_service(tmp_path_factory.mktemp("printed")) as full_service:
        yield full_service


class Printed(NamedTuple):
    """A contest of four people at tables of two, with a result at the first table of its first round."""

    organiser: Visitor
    page: str
    sheets: str
    names: tuple[str, ...]
    round_query: str
    heading: str

    def sheet(self, name: str, status: int = 200) -> str:
        return self.organiser.sees(f"{self.sheets}/{name}", status)


def print_tournament(service: FullService) -> Printed:
    organiser, names = ApiPerson(service), ("Łukasz", "Ärne", "<b>Blai & Cia</b>", "Zoé")
    path = open_tournament(organiser, faceToFace=True, size=2, stages=[{"kind": "swiss", "rounds": 2}])
    for name in names:
        organiser.does("POST", f"{path}/entries", {"name": name, "club": "Palma"})
    organiser.does("POST", f"{path}/pairings")
    service.settle()
    organiser.does("POST", f"{path}/rounds/1/publication")
    service.settle()
    organiser.does("PUT", f"{path}/rounds/1/tables/1/result", {"scores": [9, 4], "places": [1, 2]})
    service.follow()
    page = f"/events/{path.rpartition('/')[2]}"
    heading = organiser.get(path)["plan"]["name"]
    return Printed(Visitor(service, organiser.id), page, f"{page}/desk/print", names, "number", heading)


def print_season(service: FullService) -> Printed:
    organiser, people = ApiPerson(service), [ApiPerson(service) for _ in range(4)]
    league = organiser.does("POST", "/leagues", {"plan": {**LEAGUE_PLAN, "size": 2, "rounds": 2}})
    path = f"/leagues/{league['leagueId']}"
    organiser.does("POST", f"{path}/seasons", {"name": "Spring"})
    for person in people:
        person.does("POST", f"{path}/entries")
    organiser.does("POST", f"{path}/draw")
    organiser.does("POST", f"{path}/rounds")
    service.settle()
    result = {"group": 1, "round": 1, "table": 1, "places": [1, 2], "scores": [9, 4]}
    organiser.does("POST", f"{path}/results", result)
    service.follow()
    season = organiser.get(f"{path}/seasons/1")
    names = tuple(line["player"]["name"] for group in season["groups"] for line in group["lines"])
    heading = f"{LEAGUE_PLAN['name']} · Spring"
    return Printed(Visitor(service, organiser.id), path, f"{path}/seasons/1/print", names, "round_number", heading)


CONTESTS: Final = (print_tournament, print_season)
both = pytest.mark.parametrize("print_contest", CONTESTS)
PrintContest = Callable[[FullService], Printed]


@both
def test_the_table_list_has_every_player_by_table_and_by_name(
    service: FullService, print_contest: PrintContest
) -> None:
    printed = print_contest(service)

    by_table, by_name = printed.sheet("tables").split('class="next-sheet"')

    assert all(by_table.count(name) == 1 for name in printed.names)
    positions = [by_name.index(f"<span>{name}</span>") for name in printed.names]
    assert len({*positions}) == 4
    assert f"{printed.heading} · Round 1" in by_table
    assert "no published round has tables to print" in printed.sheet(f"tables?{printed.round_query}=9", 404)
    assert printed.sheet("posters", 400)


@both
def test_every_table_has_a_score_slip_with_its_players(service: FullService, print_contest: PrintContest) -> None:
    printed = print_contest(service)

    slips = printed.sheet("slips").split('<section class="slip">')[1:]

    assert len(slips) == 2
    assert sorted(sum(name in slip for name in printed.names) for slip in slips) == [2, 2]
    assert all(printed.heading in slip for slip in slips)


@both
def test_everyone_has_a_name_card_with_the_address_of_the_contest(
    service: FullService, print_contest: PrintContest
) -> None:
    printed = print_contest(service)

    cards = printed.sheet("cards")

    assert cards.count('class="name-card"') == 4
    assert all(f"<strong>{name}</strong>" in cards for name in printed.names)
    assert f'src="{printed.page}/qr.svg"' in cards
    address = f"{settings_in(service.folder).origin}{printed.page}"
    assert printed.organiser.sees(f"{printed.page}/qr.svg") == qr_file(address).decode()


@both
def test_the_wall_chart_has_results_and_room_for_later_rounds(
    service: FullService, print_contest: PrintContest
) -> None:
    printed = print_contest(service)

    wall = printed.sheet("wall")

    assert [wall.count(f">Round {number}<") for number in (1, 2, 3)] == [1, 1, 0]
    assert all(f'<th scope="row">{name}</th>' in wall for name in printed.names)
    assert "<b>12</b>" in wall, "points for the first place"
    assert wall.count("table 1") == 2


@both
def test_sheets_are_not_cached_and_have_a_link_back(service: FullService, print_contest: PrintContest) -> None:
    printed = print_contest(service)

    for name in ("tables", "slips", "cards", "wall"):
        with closing(service.sockets.connection()) as connection:
            connection.request("GET", f"{printed.sheets}/{name}", headers={"Cookie": printed.organiser.cookie})
            response: Any = connection.getresponse()
            page = response.read().decode()

        assert response.headers["Cache-Control"] == "no-store"
        assert f'href="{printed.page}/' in page
