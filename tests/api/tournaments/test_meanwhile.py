"""Concurrent changes by the service do not cause an organiser's command to be refused."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.accounts.service import ACCOUNTS
from api.http.guards import Caller
from api.matches.service import MATCHES
from api.tournaments.codes import SEAT_CODES
from api.tournaments.photos import PHOTOS
from api.tournaments.service import TournamentService
from domain.standings.results import Results
from domain.tournaments import facts, rounds
from domain.tournaments.state import Tournament
from tests.api.service import Person
from tests.api.tournaments.test_tournaments import PLAN


def test_a_decision_is_repeated_after_a_concurrent_change(client: TestClient[Any], ann: Person) -> None:
    """A player enters while a pairing is being requested; the pairing includes them."""
    event = UUID(ann.post("/tournaments", {"plan": {**PLAN, "faceToFace": True}})[1]["eventId"])
    names, seen = ["Ana", "Blai", "Clara", "Dolors"], list[int]()
    for name in names[:2]:
        assert ann.post(f"/tournaments/{event}/entries", {"name": name})[0] == 201
    organiser = Caller(PEOPLE.of(client).find(ann.id))
    service = TournamentService(
        MATCHES.of(client), ACCOUNTS.of(client), organiser, SEAT_CODES.of(client), PHOTOS.of(client)
    )

    def think(event_now: Tournament, results: Results, by: str) -> facts.Fact:
        seen.append(len(event_now.entries))
        if len(seen) < len(names) - 1:
            assert ann.post(f"/tournaments/{event}/entries", {"name": names[len(seen) + 1]})[0] == 201
        return rounds.ask_pairing(event_now, results, by)

    client.blocking_portal.call(service.changes.execute_from_reader, event, think)

    assert seen == [2, 3, 4]
    assert ann.get(f"/tournaments/{event}")[1]["rounds"][-1]["round"] == 1
