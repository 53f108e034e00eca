"""The stream of a study starts with its version, so that a page notices missed changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from projections.platform.clock import now
from tests.api.service import Event, Sockets, behind_sockets, listening

HEARTBEAT_SECONDS = 0.05


@pytest.fixture(scope="module")
def sockets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sockets]:
    with behind_sockets(tmp_path_factory.mktemp("streams"), heartbeat_seconds=HEARTBEAT_SECONDS) as sockets:
        yield sockets


def next_study(events: Iterator[Event]) -> Any:
    return next(event.content for event in events if event.kind == "study")


def test_changes_before_the_stream_or_during_an_interruption_are_sent(sockets: Sockets) -> None:
    people = sockets.people
    token = people.access.issue_token(people.create_guest(now()), "", now())[1]
    bearer = {"Authorization": f"Bearer {token}"}

    def ask(method: str, path: str, wanted: Any) -> Any:
        status, body = sockets.ask(method, path, wanted, token)
        assert status in {200, 201}, body
        return body

    wanted = {"title": "la_granja", "seats": 2, "table": {"public": True}}
    match_id = ask("POST", "/matches", wanted)["matchId"]
    study = ask("POST", f"/matches/{match_id}/annotations", {"title": "Opening", "visibility": "unlisted"})
    path = f"/studies/{study['id']}/stream"

    with listening(sockets, path, **bearer) as events:
        first = next(events)
        assert (first.kind, first.content) == ("study", {"version": study["version"]})
        renamed = ask("PATCH", f"/studies/{study['id']}", {"title": "The opening"})
        assert next_study(events) == {"version": renamed["version"]}
        assert next(events).kind == "beat"
    ask("PATCH", f"/studies/{study['id']}", {"title": "The second opening"})

    with listening(sockets, path, **bearer) as events:
        assert next_study(events) == {"version": renamed["version"] + 1}
