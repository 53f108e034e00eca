"""An erased person appears as "deleted account", in the reader's language, and cannot be found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest

from api.accounts.people import People
from api.matches.service import MATCHES
from domain.kernel.rules import SERVICE_SEAT
from domain.matches.aggregate import legal_actions, seats_to_act
from domain.matches.facts import SERVICE
from projections.platform.clock import now
from tests.api.full_service import FullService, run_full_service
from tests.api.service import PASSWORD

NAME: Final = "Quilldifeather"
ROUNDS: Final = 2
LANGUAGES: Final = {"en": "deleted account", "de": "gelöschtes Konto", "uk": "видалений обліковий запис"}
EVENT: Final = {
    "name": "Autumn cup",
    "title": "la_granja",
    "size": 2,
    "faceToFace": True,
    "stages": [{"kind": "swiss", "rounds": 1}],
}
CLOCK: Final = {"kind": "correspondence", "seconds": 86_400}
LEAGUE: Final = {"name": "Serra", "title": "el_grande", "size": 2, "table": {"clock": CLOCK}}


class RatedPerson:
    """A person with an account, whose matches are rated."""

    def __init__(self, service: FullService, name: str) -> None:
        people: People = service.people
        account = people.create(name, PASSWORD, now() - timedelta(days=2))
        self.id = account.id
        self._service = service
        self._token = people.access.issue_token(account, "", now())[1]

    def does(self, method: str, path: str, wanted: Any = None) -> Any:
        status, body = self._service.ask(method, path, wanted, self._token)
        assert status < 300, body
        return body

    def is_refused(self, method: str, path: str) -> int:
        return self._service.ask(method, path, None, self._token)[0]


class ErasedPerson:
    """Traces of a person in every subject, who is then erased."""

    def __init__(self, service: FullService) -> None:
        self.service = service
        self.person, self.friend, self.organiser = (RatedPerson(service, name) for name in (NAME, "Fabian", "Olga"))
        self.match = self._plays()
        self.study = self._writes()
        self.event = self._enters_an_event()
        self.league = self._enters_a_league()
        service.settle()
        assert NAME in self.sees(f"/tables/{self.match}")[1]
        self.person.does("DELETE", "/me")
        service.settle()

    def _plays(self) -> UUID:
        """Play a rated match that ends by resignation."""
        both, table = (self.person, self.friend), {"rated": True, "clock": {"kind": "per_move", "seconds": 3600}}
        opened = both[0].does("POST", "/matches", {"title": "el_grande", "seats": 2, "table": table})
        match_id = UUID(opened["matchId"])
        for seat, player in enumerate(both):
            player.does("POST", f"/matches/{match_id}/seats", {"seat": seat})
        for player in both:
            player.does("POST", f"/matches/{match_id}/ready", {})
        matches = MATCHES.of(self.service.sockets).writer.matches
        match = matches.get(match_id)
        while any(starter.rounds < ROUNDS for starter in match.starters):
            seat = seats_to_act(match)[0]
            actor = SERVICE if seat == SERVICE_SEAT else both[seat].id
            action = legal_actions(match, seat)[0]
            match = matches.act(match_id, seat, actor, action, expected_version=match.version, at=now())
        self.friend.does("POST", f"/matches/{match_id}/resignation")
        return match_id

    def _writes(self) -> str:
        wanted = {"title": "Ours", "visibility": "public"}
        study = self.friend.does("POST", f"/matches/{self.match}/annotations", wanted)["id"]
        self.friend.does("PATCH", f"/studies/{study}", {"add": [self.person.id]})
        self.person.does("POST", f"/studies/{study}/comments", {"entry": 10, "text": "A note"})
        self.organiser.does("POST", f"/talk/spectators/{self.match}", {"words": f"Well played, @{NAME}"})
        return str(study)

    def _enters_an_event(self) -> str:
        """Play one round and enter its results by hand."""
        organiser = self.organiser
        event = f"/tournaments/{organiser.does('POST', '/tournaments', {'plan': EVENT})['eventId']}"
        for player in (self.person, self.friend):
            player.does("POST", f"{event}/entries", {})
        organiser.does("POST", f"{event}/pairings", {})
        self.service.settle()
        organiser.does("POST", f"{event}/rounds/1/publication", {})
        self.service.settle()
        organiser.does("PUT", f"{event}/rounds/1/tables/1/result", {"scores": [70, 60], "places": [1, 2]})
        organiser.does("POST", f"{event}/rounds/1/closing", {})
        return event.rpartition("/")[2]

    def _enters_a_league(self) -> str:
        """Open a season whose first round is running."""
        organiser = self.organiser
        league = f"/leagues/{organiser.does('POST', '/leagues', {'plan': LEAGUE})['leagueId']}"
        organiser.does("POST", f"{league}/seasons", {"name": "Winter"})
        for player in (self.person, self.friend):
            player.does("POST", f"{league}/entries", {})
        organiser.does("POST", f"{league}/draw", {})
        organiser.does("POST", f"{league}/rounds", {})
        return league.rpartition("/")[2]

    def sees(self, path: str, language: str = "en") -> tuple[int, str]:
        """Return status and text of a path for an unknown reader."""
        with closing(self.service.sockets.connection()) as connection:
            connection.request("GET", path, headers={"Accept-Language": language})
            response = connection.getresponse()
            return response.status, response.read().decode()

    @property
    def places(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Pages and API paths that contained the name."""
        match, event, league = self.match, f"/events/{self.event}", f"/leagues/{self.league}"
        pages = (
            *("/tables?status=ended", f"/tables/{match}", f"/tables/{match}/replay", f"/tables/{match}/after"),
            *("/archive", f"/studies/{self.study}"),
            *(event, *(f"{event}/{page}" for page in ("people", "standings", "crosstable", "report"))),
            *(league, f"{league}/seasons/1", "/rankings/el_grande/2", "/players/Fabian"),
        )
        event = f"/api/tournaments/{self.event}"
        answers = (
            *("/api/matches?status=ended", f"/api/matches/{match}", "/api/archive", f"/api/studies/{self.study}"),
            *(event, f"{event}/standings", f"{event}/crosstable", f"{event}/files/standings.csv"),
            *(f"/api{league}", f"/api{league}/seasons/1", f"/api{league}/seasons/1/standings.csv"),
            *("/api/rankings/el_grande/2", "/api/rankings/el_grande/2/list.csv"),
        )
        return pages, answers


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ErasedPerson]:
    folder: Path = tmp_path_factory.mktemp("life")
    with run_full_service(folder) as service:
        yield ErasedPerson(service)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_show_erased_without_a_link(life: ErasedPerson, language: str) -> None:
    pages = {path: life.sees(path, language) for path in life.places[0]}

    assert_erased(pages, LANGUAGES[language])
    assert [path for path, (_, html) in pages.items() if f"/players/{life.person.id}" in html] == []


def test_api_responses_show_erased(life: ErasedPerson) -> None:
    assert_erased({path: life.sees(path) for path in life.places[1]}, LANGUAGES["en"])


def assert_erased(pages: dict[str, tuple[int, str]], word: str) -> None:
    assert {path: status for path, (status, _) in pages.items() if status != 200} == {}
    assert [path for path, (_, html) in pages.items() if NAME in html] == []
    assert [path for path, (_, html) in pages.items() if word not in html] == []


def test_an_erased_person_cannot_be_found_and_mentions_lose_the_name(life: ErasedPerson) -> None:
    for player in (NAME, life.person.id, "deleted%20account"):
        assert life.sees(f"/api/archive?player={player}")[0] == 400
        assert life.sees(f"/api/players/{player}")[0] == life.sees(f"/players/{player}")[0] == 404
        assert life.friend.is_refused("PUT", f"/friends/{player}") == 404
        assert life.friend.is_refused("PUT", f"/talk/boundaries/{player}") in {400, 404}
    assert life.organiser.does("GET", f"/talk/spectators/{life.match}")["messages"][0]["words"] == "Well played, @…"
