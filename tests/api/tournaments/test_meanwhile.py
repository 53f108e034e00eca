"""Concurrent changes by the service do not cause an organiser's command to be refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.accounts.service import ACCOUNTS
from api.contests.entrants import CONTEST_STORE, EntrantReader
from api.contests.sanction_texts import SANCTION_TEXTS
from api.http.guards import Caller
from api.matches.service import MATCHES
from api.tournaments import files
from api.tournaments.codes import SEAT_CODES
from api.tournaments.photos import PHOTOS
from api.tournaments.service import TournamentService
from domain.standings.results import Results
from domain.tournaments import facts, rounds
from domain.tournaments.state import Tournament
from tests.api.service import Person
from tests.api.tournaments.test_tournaments import PLAN


def tournaments_of(client: TestClient[Any], person: Person) -> TournamentService:
    """Return the service for a person."""
    caller = Caller(PEOPLE.of(client).find(person.id))
    matches, accounts = MATCHES.of(client), ACCOUNTS.of(client)
    entrants = EntrantReader(matches, accounts, CONTEST_STORE.of(client), SANCTION_TEXTS.of(client), caller, "test")
    return TournamentService(matches, accounts, caller, SEAT_CODES.of(client), PHOTOS.of(client), entrants)


def test_a_decision_is_repeated_after_a_concurrent_change(client: TestClient[Any], ann: Person) -> None:
    """A player enters while a pairing is being requested; the pairing includes them."""
    event = UUID(ann.post("/tournaments", {"plan": {**PLAN, "faceToFace": True}})[1]["eventId"])
    names, entry_counts = ["Ana", "Blai", "Clara", "Dolors"], list[int]()
    for name in names[:2]:
        assert ann.post(f"/tournaments/{event}/entries", {"name": name})[0] == 201
    service = tournaments_of(client, ann)

    def think(event_now: Tournament, results: Results, by: str) -> facts.Fact:
        entry_counts.append(len(event_now.entries))
        if len(entry_counts) < len(names) - 1:
            assert ann.post(f"/tournaments/{event}/entries", {"name": names[len(entry_counts) + 1]})[0] == 201
        return rounds.ask_pairing(event_now, results, by)

    client.blocking_portal.call(service.changes.execute_from_reader, event, think)

    assert entry_counts == [2, 3, 4]
    assert ann.get(f"/tournaments/{event}")[1]["rounds"][-1]["round"] == 1


def test_a_concurrent_change_is_not_counted_as_an_imported_table(client: TestClient[Any], ann: Person) -> None:
    """The organiser announces something while the file is being read."""
    event = UUID(ann.post("/tournaments", {"plan": {**PLAN, "faceToFace": True}})[1]["eventId"])
    for name in ("Ana", "Blai"):
        assert ann.post(f"/tournaments/{event}/entries", {"name": name})[0] == 201
    service, call = tournaments_of(client, ann), client.blocking_portal.call
    steps: tuple[Callable[[Tournament], facts.Fact], ...] = (
        lambda state: rounds.ask_pairing(state, {}, ann.id),
        lambda _: facts.PairingProposed(1, (("e1", "e2"),), (), (), ((),), "tables"),
        lambda state: rounds.publish(state, 1, {}, ann.id),
        lambda state: rounds.open_round(state, 1),
    )
    for step in steps:
        call(service.changes.change, event, step)
    known = call(service.reading.get, event)
    assert ann.post(f"/tournaments/{event}/announcements", {"text": "Coffee is ready."})[0] == 201
    content = b"round,table,player,score,place\n1,1,Ana,60,1\n1,1,Blai,50,2\n"

    counts = [call(files.import_file, service, known, "results", content) for _ in range(2)]

    assert counts == [1, 0]
