"""Charges of requests: rejected ones are refunded; guests and new accounts count by network address too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from api.friends.store import CHALLENGES_MAX, FRIENDS
from api.http.limits import CHARGES, LIMITS, Charge, refund
from projections.platform.clock import now
from projections.platform.settings import Settings
from tests.api.http.forms import Visitor
from tests.api.matches.test_concurrency import run_at_once
from tests.api.service import Member, Person, behind_sockets, settings_in
from tests.seeding import entropy
from tests.service_app import create_app

FEW = 3
TABLE = {"title": "la_granja", "seats": 2}
REFUSED = {"title": "la_granja", "seats": 40}
FORM = {"title": "la_granja"}

Serve = Callable[..., TestClient[Any]]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start a service with these limits."""
    clients = []

    def start(**limits: Any) -> TestClient[Any]:
        settings: Settings = msgspec.structs.replace(settings_in(tmp_path), **limits)
        client = TestClient(create_app(settings, entropy()))
        clients.append(client)
        return client.__enter__()

    yield start
    for client in clients:
        client.__exit__()


def comes_as_guest(client: TestClient[Any], path: str = "/play", form: dict[str, str] = FORM) -> int:
    """Send a form as an unknown visitor and return the status."""
    client.cookies.clear()
    status: int = Visitor(client).sends(path, form).status_code
    return status


def test_a_refused_request_uses_up_no_creation(serve: Serve) -> None:
    client = serve(creations_per_hour=FEW)
    person = Person(client)

    refusals = [person.post("/matches", REFUSED)[0] for _ in range(FEW + 1)]
    undecodable = [person.post("/matches", {"seats": "two"})[0] for _ in range(FEW + 1)]
    opened = [person.post("/matches", TABLE)[0] for _ in range(FEW + 2)]

    assert not {201, 429} & {*refusals, *undecodable}
    assert opened[:FEW] == [201] * FEW
    assert opened[-1] == 429


def test_a_request_that_is_refused_by_a_limit_is_not_charged_to_another(serve: Serve) -> None:
    """Both the guest's account and the network address are charged, or neither."""
    client = serve(creations_per_hour=FEW, guest_creations_per_hour=FEW)
    guest, other = Person(client), Person(client)
    assert {guest.post("/matches", TABLE)[0] for _ in range(FEW)} == {201}

    refusals = [other.post("/matches", TABLE)[0] for _ in range(FEW)]
    client.blocking_portal.call(LIMITS.of(client).reset, "guest_creation", "testclient")
    opened = [other.post("/matches", TABLE)[0] for _ in range(FEW)]

    assert refusals == [429] * FEW
    assert opened == [201] * FEW


def test_requests_at_once_create_no_more_than_the_limit(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(settings_in(tmp_path), creations_per_hour=FEW)
    with behind_sockets(tmp_path, settings) as sockets:
        token = sockets.token_of("Ann")
        answers = run_at_once([partial(sockets.ask, "POST", "/matches", TABLE, token) for _ in range(FEW + 3)])

    assert sorted(status for status, _ in answers) == [201] * FEW + [429] * 3


def test_refused_requests_are_still_counted_as_changes(serve: Serve) -> None:
    person = Person(serve(changes_per_minute=FEW))

    statuses = [person.post("/matches", REFUSED)[0] for _ in range(FEW + 2)]

    assert statuses[-1] == 429


def test_a_refused_invitation_or_challenge_is_not_counted(serve: Serve) -> None:
    ann, ben = Member(client := serve(), "Ann"), Member(client, "Ben")
    match_id = ann.opens(2)

    refusals = [ann.post(f"/matches/{match_id}/challenges", {"person": "Nobody"})[0] for _ in range(25)]
    ben.sits(match_id, 0)
    ann.sits(match_id, 1)
    ann.is_ready(match_id)
    ben.is_ready(match_id)
    closed = {ann.post(f"/matches/{match_id}/challenges", {"person": ben.id})[0] for _ in range(25)}
    challenged = ann.post(f"/matches/{ann.opens()}/challenges", {"person": ben.id})[0]

    assert 429 not in refusals
    assert 429 not in closed
    assert challenged < 300


def test_a_tournament_refused_after_its_first_checks_uses_up_no_creation(serve: Serve) -> None:
    """These checks run on the writer, which records a conflict of interest."""
    organiser = Member(serve(creations_per_hour=FEW), "Ann")
    plan = {"name": "Cup", "title": "la_granja", "size": 2, "table": {"rated": False}}

    refusals = [organiser.post("/tournaments", {"plan": plan, "official": "Nobody"})[0] for _ in range(FEW + 1)]
    opened = [organiser.post("/tournaments", {"plan": plan})[0] for _ in range(FEW)]

    assert not {201, 429} & {*refusals}
    assert opened == [201] * FEW


def test_a_refusal_in_a_later_window_gives_no_additional_allowance(serve: Serve) -> None:
    client = serve(creations_per_hour=FEW)
    limits = LIMITS.of(client)

    async def refund_in_next_window() -> list[int | None]:
        charges: list[Charge] = []
        CHARGES.set(charges)
        assert await limits.spend("creation", "ann") is None
        await limits.reset("creation", "ann")  # the window of the charge is over
        await refund(charges)
        return [await limits.spend("creation", "ann") for _ in range(FEW + 1)]

    waits = client.blocking_portal.call(refund_in_next_window)

    assert waits[:FEW] == [None] * FEW
    assert waits[FEW] is not None


def test_a_refused_challenge_shows_no_private_table(serve: Serve) -> None:
    """The other person sees a private table only if the challenge was sent."""
    ann, ben = Member(client := serve(), "Ann"), Member(client, "Ben")
    for number in range(CHALLENGES_MAX):
        FRIENDS.of(client).challenge(UUID(int=number), ann.id, ben.id, now())
    private = ann.post("/matches", {**TABLE, "table": {"public": False}})[1]["matchId"]

    status, _ = ann.post(f"/matches/{private}/challenges", {"person": ben.id})

    assert 400 <= status < 500
    assert ben.get(f"/matches/{private}")[0] == 404


def test_new_guests_and_accounts_are_counted_by_network_address(serve: Serve) -> None:
    client = serve(newcomers_per_day=FEW)

    first = comes_as_guest(client)
    second = comes_as_guest(client, "/guest", {})
    account = client.post("/api/accounts", json={"name": "Ann", "password": "long enough it is"}).status_code
    again = [
        comes_as_guest(client),
        comes_as_guest(client, "/guest", {}),
        comes_as_guest(client, "/tables", {"title": "la_granja", "seats": "2"}),
        client.post("/api/accounts", json={"name": "Ben", "password": "long enough it is"}).status_code,
    ]

    assert (first, second, account) == (200, 200, 201)
    assert again == [429] * 4


def test_a_refused_newcomer_is_not_counted(serve: Serve) -> None:
    client = serve(newcomers_per_day=FEW)

    refusals = [client.post("/api/accounts", json={"name": "A", "password": "x"}).status_code for _ in range(FEW + 1)]
    seats = [comes_as_guest(client, "/tables", {"title": "la_granja", "seats": "40"}) for _ in range(FEW + 1)]

    assert 429 not in {*refusals, *seats}
    assert [comes_as_guest(client) for _ in range(FEW)] == [200] * FEW


def test_a_guest_created_before_the_rejection_counts(serve: Serve) -> None:
    """A full table rejects the new guest, whose account remains."""
    client = serve(newcomers_per_day=FEW)
    ann, ben = Member(client, "Ann"), Member(client, "Ben")
    match_id = ann.opens()
    ann.sits(match_id, 0)
    ben.sits(match_id, 1)

    statuses = [comes_as_guest(client, f"/tables/{match_id}/sit", {"seat": "0"}) for _ in range(FEW + 1)]

    assert statuses == [409] * FEW + [429]


def test_creations_of_guests_count_by_network_address_too(serve: Serve) -> None:
    client = serve(guest_creations_per_hour=FEW)
    guests, member = [Person(client) for _ in range(FEW + 1)], Member(client, "Ann")

    opened = [guest.post("/matches", TABLE)[0] for guest in guests]

    assert opened == [201] * FEW + [429]
    assert comes_as_guest(client) == 429
    assert member.post("/matches", TABLE)[0] == 201
