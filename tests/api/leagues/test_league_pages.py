"""Pages of leagues, rankings and players in a browser without scripts."""

import re
from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.cookies import SESSION as SESSION_COOKIE
from api.matches.service import MATCHES
from domain.leagues import commands, proposals, steps
from domain.leagues.facts import Fact
from domain.leagues.state import League
from domain.standings.results import Results
from projections.matches.results import table_results
from projections.platform.clock import now
from tests.api.service import Member, account_of, catch_up, open_tables, play_rounds, start_match

TOKEN = re.compile(r'name="_csrf_token" value="([^"]+)"')


class Visitor:
    """A member or a guest with a session, who fills in forms."""

    def __init__(self, client: TestClient[Any], member: Member | None = None) -> None:
        people = PEOPLE.of(client)
        self.client = client
        self.person = account_of(client, member.id) if member is not None else people.create_guest(now())
        self.session = people.access.start_session(self.person, now())

    def sees(self, path: str, status: int = 200) -> str:
        self.client.cookies.set(SESSION_COOKIE, self.session)
        response = self.client.get(path)
        assert response.status_code == status, response.text
        return response.text

    def sends(self, path: str, status: int = 200, **fields: Any) -> str:
        """Send a form of this site, and return the page it leads to."""
        token = TOKEN.search(self.sees("/leagues"))
        assert token is not None
        response = self.client.post(path, data={"_csrf_token": token[1], **fields})
        assert response.status_code == status, response.text
        return str(response.url.path) if status == 200 else response.text


@pytest.fixture
def ann(client: TestClient[Any]) -> Visitor:
    return Visitor(client)


@pytest.fixture
def ben(client: TestClient[Any]) -> Visitor:
    return Visitor(client)


def test_a_season_is_organised_by_forms(client: TestClient[Any], ann: Visitor, ben: Visitor) -> None:
    olga = Visitor(client)
    wanted: Any = {"name": "Cup of Mallorca", "size": 2, "places": 4, "bot": "bot:greedy@1", "atOnce": "true"}
    assert "No player has this name. Check the spelling." in ann.sends(
        "/leagues", 404, **wanted, official="nobody at all"
    )
    league = ann.sends("/leagues", **wanted, official=olga.person.id)
    assert re.fullmatch("/leagues/[0-9a-f-]{36}", league)
    ann.sends(f"{league}/desk/season", name="Winter")
    ann.sends(f"{league}/enter")
    ann.sends(f"{league}/desk/import", text=f"player\n{ann.person.id}\n{ben.person.id}")
    assert "invited" in ann.sees(league)
    assert "invites you" in ben.sees(league)
    ben.sends(f"{league}/invitation", season=1, accept="true")
    assert "row 1: no account" in ann.sends(f"{league}/desk/import", 422, text="player\nNobody")
    assert "Withdraw" in ben.sees(league)
    assert "only organisers of the league" in ben.sends(f"{league}/desk/draw", 403)
    season = ann.sends(f"{league}/desk/draw")
    assert "upcoming" in ann.sees(season)
    ben.sends(f"{league}/leave")
    assert "1 place needs a substitute." in ann.sees(season)
    ann.sends(
        f"{league}/desk/substitute", group=1, out=ben.person.id, player="bot:greedy@1", fromRound=1, reason="travels"
    )
    ann.sends(f"{league}/desk/round")
    before = ann.sees(season)
    assert ("Tables opened: 0 of 1" in before, "Go to the table" in before) == (True, False)
    open_tables(client)
    after = ann.sees(season)
    assert ("Tables opened:" in after, "Go to the table" in after) == (False, True)
    ann.sends(f"{league}/desk/deadline", round=1, deadline="2199-01-31", reason="Snow.")
    assert "Enter a date, not “soon”." in ann.sends(
        f"{league}/desk/deadline", 400, round=1, deadline="soon", reason="Snow."
    )
    assert "from 1 to 5, not “first”" in ann.sends(
        f"{league}/desk/ruling", 400, group=1, round=1, table=1, places="first"
    )
    ruling: Any = {"group": 1, "round": 1, "table": 1, "places": "1, 2", "scores": "3 0", "reason": "no show"}
    assert "You play in this match" in ann.sends(f"{league}/desk/ruling", 403, **ruling)
    olga.sends(f"{league}/desk/ruling", **ruling)
    ann.sends(f"{league}/desk/announce", text="Season over.")
    ann.sends(f"{league}/desk/close")
    catch_up(client)

    page = ann.sees(league)
    assert "Hall of fame" in page
    assert "Season over." in page
    assert "All-time results" in page
    assert "ruled" in ann.sees(season)
    assert "Crosstable" in ann.sees(season)
    assert "Cup of Mallorca" in ann.sees("/leagues")
    assert "Cup of Mallorca" in ann.sees(f"/players/{ann.person.id}")


def test_forms_give_a_league_a_schedule_and_change_its_draw(client: TestClient[Any], ann: Visitor) -> None:
    clock: Any = {"starts": "2031-03-03T19:00", "zone": "Europe/Madrid", "consequence": "organiser"}
    clock |= {"extensionDays": 3, "organiserDays": 4}
    wanted: Any = {"name": "By the clock", "size": 2, "divisions": 2, "places": 2, "moving": 1, "cap": 4, **clock}
    assert "needs a bot" in ann.sends("/leagues", 409, **wanted)
    wanted["bot"] = "bot:greedy@1"
    assert "unknown time zone" in ann.sends("/leagues", 422, **wanted | {"zone": "Mallorca"})
    assert "not “soon”" in ann.sends("/leagues", 400, **wanted | {"starts": "soon"})
    league = ann.sends("/leagues", **wanted)
    page = ann.sees(league)
    assert "Registration for the next season opens at Sat, 15 Feb 2031, 19:00." in page
    assert "gets 3 more days, once. If a table has no result by its deadline, the organiser decides." in page
    assert "After 4 days without a decision the current points decide, or lots if there are none." in page
    assert "desk/season" not in page

    people = [Member(client, f"Player {number}") for number in range(5)]
    take_step(client, league, lambda state, _: steps.open_registration(state, now()))
    for person in people:
        assert person.post(f"{league}/entries", {})[0] == 201
    page = ann.sees(league)
    assert ("Waiting for a place: Player 4." in page, "Mon, 3 Mar 2031, 19:00" in page) == (True, True)
    assert "desk/draw" not in page
    take_step(client, league, lambda state, results: [proposals.propose(state, results, now())])
    assert "Proposed draw" in ann.sees(league)
    swapped: dict[str, Any] = {"player": people[0].id, "other": people[3].id}
    assert "no account" in ann.sends(f"{league}/desk/draw/swap", 404, player="Nobody", other=people[0].id, reason="x")
    ann.sends(f"{league}/desk/draw/swap", **swapped, reason="Friends.")
    assert "fill a table" in ann.sends(f"{league}/desk/draw/move", 409, player=people[0].id, group=1, reason="Late.")
    for person in people[:2]:
        assert person.delete(f"{league}/entries/{person.id}")[0] == 200
    assert "Player 0" in ann.sees(league), "the proposal still names who has left since"
    assert len(people[0].get(f"{league}/seasons/1")[1]["proposed"]) == 2
    take_step(client, league, lambda state, results: [proposals.confirm(state, results)])
    page = ann.sees(f"{league}/seasons/1")
    assert "The service opens the next round at Mon, 3 Mar 2031, 19:00" in page
    assert "desk/round" not in page


def take_step(client: TestClient[Any], league: str, decide: Callable[[League, Results], Iterable[Fact]]) -> None:
    """Take a step of the service before its time."""
    league_id, writer = UUID(league.rsplit("/", 1)[1]), MATCHES.of(client).writer
    results = table_results(writer.reads, league_id)
    writer.matches.transact(
        commands.league_change(writer.matches, league_id, lambda state: tuple(decide(state, results))), at=now()
    )


def test_the_page_of_a_table_commits_its_players_share_of_luck(
    client: TestClient[Any], ann: Visitor, ben: Visitor
) -> None:
    league = ann.sends("/leagues", name="Own luck", size=2)
    ann.sends(f"{league}/desk/season", name="Winter")
    for player in (ann, ben):
        player.sends(f"{league}/enter")
    season = ann.sends(f"{league}/desk/draw")
    ann.sends(f"{league}/desk/round")
    open_tables(client)
    table = re.search("/tables/[0-9a-f-]{36}", ann.sees(season))
    assert table is not None
    page, outsider = ann.sees(table[0]), Visitor(client).sees(table[0])

    assert ("data-commit" in page, "data-commit" in outsider) == (True, False)
    assert "If a player is not here by" in page
    assert "Leave table" not in page


def test_invalid_forms_are_refused_with_a_message(ann: Visitor) -> None:
    assert "name: Fill in this field." in ann.sends("/leagues", 400, name=" ")
    assert "clock: “sundial” is not an option. Choose one from the list." in ann.sends(
        "/leagues", 400, name="A", clock="sundial"
    )
    assert "from 2 to 5, not “9”" in ann.sends("/leagues", 400, name="A", size=9)
    assert "from 1 to 4, not “40”" in ann.sends("/leagues", 400, name="A", divisions=40)
    league = ann.sends("/leagues", name="By invitation", registration="invite")
    assert "name: Fill in this field." in ann.sends(f"{league}/desk/season", 400, name="")
    ann.sends(f"{league}/desk/season", name="First")
    assert "by invitation only" in ann.sends(f"{league}/enter", 409)
    ann.sends(f"{league}/desk/invite", player=ann.person.id)
    ann.sends(f"{league}/enter")
    ann.sends(f"{league}/desk/leave", player=ann.person.id)
    ann.sends(f"{league}/desk/enter", player=ann.person.id)
    assert "no season" in ann.sees(f"{league}/seasons/7", 404)


def test_rankings_and_players_have_pages(client: TestClient[Any], ann: Visitor) -> None:
    cleo, dora = Member(client, "Cleo"), Member(client, "Dora")
    for _ in range(2):
        match_id = start_match(cleo, dora, table={"rated": True, "clock": {"kind": "per_move", "seconds": 600}})
        play_rounds((cleo, dora), match_id, 2)
        assert dora.post(f"/matches/{match_id}/resignation", {})[0] == 201
    catch_up(client)

    assert "La Granja, 2-player tables" in ann.sees("/rankings")
    ranking = ann.sees("/rankings/la_granja/2")
    assert ranking.count("provisional") >= 2
    page = ann.sees(f"/players/{cleo.id}")
    assert "<polyline" in page
    assert "Latest results" in page
    assert "2 wins" in page
    shown = cleo.get(f"/players/{cleo.id}")[1]
    assert shown["history"][-1]["pointsBefore"] == 1000
    assert cleo.get("/rankings")[1]["pools"] == [{"title": "la_granja", "seats": 2, "results": 2}]
    listed = cleo.get("/rankings/la_granja/2")[1]
    assert [line["player"]["id"] for line in listed["people"]] == [cleo.id, dora.id]
    assert cleo.get("/rankings/la_granja/2?month=2001-01")[1]["people"] == []
    assert client.get("/api/rankings/la_granja/2/list.csv").text.splitlines()[1].startswith(",person,")
    history = client.get(f"/api/players/{cleo.id}/history.csv").text.splitlines()
    assert history[0] == "ended,title,seats,place,points,before,match"
    assert [line.split(",")[1:4] for line in history[1:]] == [["la_granja", "2", "1"]] * 2
    cup = {"name": "Cup of the village", "title": "la_granja", "size": 2}
    event = cleo.post("/tournaments", {"plan": cup})[1]["eventId"]
    assert cleo.post(f"/tournaments/{event}/entries", {})[0] == 201
    catch_up(client)
    assert f'<a href="/events/{event}">Cup of the village</a>' in ann.sees(f"/players/{cleo.id}")
    assert "bot" in ann.sees("/players/bot:greedy@1")


@pytest.mark.parametrize(
    "path",
    [
        "/rankings/chess/2",
        "/rankings/la_granja/9",
        "/rankings/la_granja/2?month=2026-13",
        "/rankings/la_granja/2?month=2999-01",
        "/players/nobody-at-all",
        "/players/bot:nothing",
    ],
)
def test_unknown_lists_and_players(ann: Visitor, path: str) -> None:
    ann.sees(path, 404)
    assert ann.client.get(f"/api{path}").status_code == 404
