"""A tournament page with a real follower and worker: notified of results and the next round."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from tests.api.full_service import Visitor
from tests.api.service import SERVICE_TOKEN, Sockets, behind_sockets, settings_in
from tests.workers.serving import PATIENCE_SECONDS, ROOT

NEVER: Final = 3_600.0
"""Without polling and heartbeats, all updates result from notifications of other processes."""
PLAN: Final = {
    "name": "Spring cup",
    "title": "la_granja",
    "size": 2,
    "stages": [{"kind": "heats", "rounds": 2}],
    "seed": 5,
}


@contextmanager
def beside(sockets: Sockets, folder: Path, redis_url: str) -> Iterator[None]:
    """Run follower and worker as separate processes."""
    environment = os.environ | {
        "ESPORLES_DATA": str(folder),
        "ESPORLES_REDIS": redis_url,
        "ESPORLES_SOCKET": str(sockets.path),
        "ESPORLES_TOKEN": SERVICE_TOKEN,
    }
    with ExitStack() as stack:
        started = [
            stack.enter_context(
                subprocess.Popen((sys.executable, "-m", "workers.main", name), cwd=ROOT, env=environment)
            )
            for name in ("follower", "worker")
        ]
        try:
            yield
        finally:
            for process in started:
                process.terminate()
                assert process.wait(PATIENCE_SECONDS) == 0


@pytest.fixture
def sockets(tmp_path: Path, redis_url: str) -> Iterator[Sockets]:
    settings = settings_in(tmp_path, redis=redis_url)
    with (
        behind_sockets(tmp_path, settings, look_seconds=NEVER, heartbeat_seconds=NEVER) as sockets,
        beside(sockets, tmp_path, redis_url),
    ):
        yield sockets


FIRST, SECOND, PLACE = 'id="round-1"', 'id="round-2"', "event-place"


class Organiser:
    """The organiser of a tournament of bots, who watches its page."""

    def __init__(self, sockets: Sockets) -> None:
        self._sockets = sockets
        self._token = sockets.token_of("Ann")
        self.id: str = self.does("", {"plan": PLAN})["eventId"]

    def does(self, path: str, body: Any) -> Any:
        status, response = self._sockets.ask("POST", f"/tournaments{path}", body, self._token)
        assert status in {200, 201}, response
        return response

    @property
    def round(self) -> Any:
        """Return the latest round."""
        return self._sockets.ask("GET", f"/tournaments/{self.id}", token=self._token)[1]["rounds"][-1]


def wait_for(pieces: Iterator[dict[str, str]], text: str) -> str:
    """Return the rounds section as soon as it contains these words."""
    return next(piece["rounds"] for piece in pieces if text in piece.get("rounds", ""))


def wait_for_proposal(organiser: Organiser, pieces: Iterator[dict[str, str]], number: int) -> None:
    """Wait until a worker has paired the round and the organiser's page shows the proposal; publish it."""
    next(piece for piece in pieces if f"Round {number}: proposal" in piece.get("round_panel", ""))
    organiser.does(f"/{organiser.id}/rounds/{number}/publication", {})


def test_a_tournament_page_is_notified_of_results_and_the_next_round(sockets: Sockets) -> None:
    organiser = Organiser(sockets)
    visitor, organiser_visitor = Visitor(sockets), Visitor(sockets, organiser_id(sockets))
    page, workbench = f"/events/{organiser.id}/stream", f"/events/{organiser.id}/desk/stream"
    organiser.does(f"/{organiser.id}/entries", {"bot": "random", "count": 2})
    organiser.does(f"/{organiser.id}/pairings", {})

    with visitor.listens(page) as pieces, organiser_visitor.listens(workbench) as workbench_pieces:
        wait_for_proposal(organiser, workbench_pieces, 1)
        first_round = wait_for(pieces, FIRST)
        # Quick bots may finish before the page is notified of the round; then one update has both.
        result = first_round if PLACE in first_round else wait_for(pieces, PLACE)
        organiser.does(f"/{organiser.id}/rounds/1/closing", {})
        organiser.does(f"/{organiser.id}/pairings", {})
        wait_for_proposal(organiser, workbench_pieces, 2)
        second_round = wait_for(pieces, SECOND)

    assert SECOND not in result
    assert FIRST in second_round
    assert organiser.round["status"] in {"published", "opened"}


def organiser_id(sockets: Sockets) -> str:
    person = sockets.people.by_name("Ann")
    assert person is not None
    return person.id
