"""Every live stream ends when its reader loses access, in any way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, Final

import pytest
from litestar.handlers import HTTPRouteHandler

from api.app import PIPELINE
from api.http.guards import requires_caller, requires_operator, requires_person, requires_service
from api.http.stream_access import CLOSED
from projections.platform.clock import now
from tests.api.http.test_live import STREAMS
from tests.api.service import Event, Sockets, behind_sockets, listening

HEARTBEAT_SECONDS: Final = 0.05
PLAN: Final = {"name": "Cup", "title": "la_granja", "size": 2}
BY_CALLER_ALONE: Final = {requires_person, requires_caller, requires_operator, requires_service}
"""Guards whose result depends only on the caller; a stream ends when its caller changes."""


class World:
    """A service with a public and a private table, an event, a study, chat rooms and an official of the event."""

    def __init__(self, sockets: Sockets) -> None:
        self.sockets = sockets
        people = sockets.people
        ann, zoe = people.create_guest(now()), people.create_guest(now())
        self.tokens = {
            "Ann": people.access.issue_token(ann, "", now())[1],
            "Zoe": people.access.issue_token(zoe, "", now())[1],
        }
        self.zoe = zoe.id
        self.private = self._opens(public=False)
        self.public = self._opens(public=True)
        invitation = self.ask("Ann", "POST", f"/matches/{self.private}/invitations", {})
        self.invitation = self.ask("Ann", "GET", f"/matches/{self.private}/invitations")["invitations"][0]["id"]
        self.ask("Zoe", "POST", "/invitations", {"secret": invitation["secret"]})
        self.event = self.ask("Ann", "POST", "/tournaments", {"plan": PLAN})["eventId"]
        self.role(granted=True)
        wanted = {"title": "Opening", "visibility": "unlisted"}
        self.study = self.ask("Ann", "POST", f"/matches/{self.public}/annotations", wanted)["id"]

    def _opens(self, *, public: bool) -> str:
        wanted = {"title": "la_granja", "seats": 2, "table": {"public": public}}
        match_id = str(self.ask("Ann", "POST", "/matches", wanted)["matchId"])
        self.ask("Ann", "POST", f"/matches/{match_id}/seats", {"seat": 0})
        return match_id

    def ask(self, name: str, method: str, path: str, wanted: Any = None) -> Any:
        status, body = self.sockets.ask(method, path, wanted, self.tokens[name])
        assert status in {200, 201, 204}, body
        return body

    def role(self, *, granted: bool) -> None:
        """Make Zoe an organiser of the event, or remove her."""
        wanted = {"person": self.zoe, "role": "organiser", "event": self.event, "granted": granted}
        self.ask("Ann", "POST", "/roles", wanted)

    def bearer(self, name: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[name]}"}


@pytest.fixture(scope="module")
def sockets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sockets]:
    with behind_sockets(tmp_path_factory.mktemp("streams"), heartbeat_seconds=HEARTBEAT_SECONDS) as sockets:
        yield sockets


@pytest.fixture
def world(sockets: Sockets) -> World:
    return World(sockets)


def take_back(world: World) -> None:
    world.ask("Ann", "DELETE", f"/matches/{world.private}/invitations/{world.invitation}")


def revoke_role(world: World) -> None:
    world.role(granted=False)


def close_study(world: World) -> None:
    world.ask("Ann", "PATCH", f"/studies/{world.study}", {"visibility": "private"})


def revoke_token(world: World) -> None:
    (token,) = world.ask("Zoe", "GET", "/tokens")["tokens"]
    world.ask("Zoe", "DELETE", f"/tokens/{token['id']}")


def erase(world: World) -> None:
    world.sockets.people.erase(world.zoe)


LOST: Final[dict[str, tuple[Callable[[World], None], int]]] = {
    "/api/matches/{private}/stream": (take_back, 404),
    "/tables/{private}/stream": (take_back, 404),
    "/events/{event}/desk/stream": (revoke_role, 403),
    "/disputes/queue/stream": (revoke_role, 403),
    "/talk/entrants/{event}/stream": (revoke_role, 403),
    "/studies/{study}/stream": (close_study, 403),
}
"""The change that ends access to each stream, and the status of its path afterwards."""
OPEN_TO_ALL: Final = (
    "/live/stream",
    "/tables/stream",
    "/quick/stream",
    "/events/{event}/stream",
    "/events/{event}/screen/stream",
    "/events/{event}/standings/stream",
)
NEEDS_A_ROUND: Final = "/events/{event_id}/tables/{number}/{table}/stream"
"""The public page of an event table, which exists once a round is published."""


def address(world: World, path: str) -> str:
    return path.format(private=world.private, event=world.event, study=world.study, public=world.public)


def last_of(world: World, path: str, ends: Callable[[World], None]) -> Event:
    """Return the last event of one of Zoe's streams, which the service ends."""
    with listening(world.sockets, address(world, path), **world.bearer("Zoe")) as events:
        next(events)
        ends(world)
        return list(events)[-1]


@pytest.mark.parametrize("path", LOST)
def test_a_stream_ends_when_its_reader_loses_access(world: World, path: str) -> None:
    ends, status = LOST[path]

    last = last_of(world, path, ends)

    assert (last.kind, last.content["status"]) == (CLOSED, status)
    with closing(world.sockets.connection()) as again:
        again.request("GET", address(world, path), headers=world.bearer("Zoe"))
        assert again.getresponse().status == status


@pytest.mark.parametrize("ends", [revoke_token, erase])
@pytest.mark.parametrize("path", [*LOST, *OPEN_TO_ALL])
def test_a_stream_ends_when_its_reader_is_no_longer_signed_in(
    world: World, path: str, ends: Callable[[World], None]
) -> None:
    last = last_of(world, path, ends)

    assert (last.kind, last.content["status"]) == (CLOSED, 401)


def test_nothing_is_sent_after_an_invitation_is_withdrawn(world: World) -> None:
    with listening(world.sockets, address(world, "/api/matches/{private}/stream"), **world.bearer("Zoe")) as events:
        received = [next(events), next(events)]
        take_back(world)
        world.ask("Ann", "POST", f"/matches/{world.private}/ready", {})
        received += events

    assert [event.id for event in received if event.kind == "entry"] == ["1", "2"]


def test_every_stream_is_covered(world: World) -> None:
    """A new stream must be added above, with the change that ends access to it."""
    known = {address(world, path) for path in (*LOST, *OPEN_TO_ALL)}
    ids = {"match_id": world.private, "event_id": world.event, "study_id": world.study}
    talk = {"kind": "entrants", "about_id": world.event}

    assert {path.format(**ids, **talk) for path in STREAMS - {NEEDS_A_ROUND}} == known


def test_guards_of_streams_repeat_or_depend_only_on_the_caller(world: World) -> None:
    handlers = [
        handler
        for route in world.sockets.app.routes
        for handler in getattr(route, "route_handlers", ())
        if isinstance(handler, HTTPRouteHandler) and handler.media_type == "text/event-stream"
    ]
    assert handlers
    for handler in handlers:
        guards = {unwrap(guard) for guard in handler.resolve_guards()}
        assert PIPELINE.run in guards
        assert guards <= {PIPELINE.run, *BY_CALLER_ALONE}, handler


def unwrap(guard: Any) -> Any:
    """Return the function of a guard that the framework has wrapped."""
    return getattr(guard, "func", guard)
