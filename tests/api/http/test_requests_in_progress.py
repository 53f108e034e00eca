"""Requests in progress: each counts until the end of its response, a stream until it begins."""

from __future__ import annotations

from pathlib import Path

from api.http.requests_in_progress import REQUESTS_IN_PROGRESS
from tests.api.full_service import Visitor
from tests.api.service import behind_sockets


def test_finished_requests_and_open_streams_do_not_count(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as sockets:
        in_progress = REQUESTS_IN_PROGRESS.of(sockets)
        ann = sockets.token_of("Ann")
        match_id = sockets.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, ann)[1]["matchId"]
        statuses = [
            sockets.ask("GET", f"/matches/{match_id}", None, ann)[0],
            sockets.ask("GET", f"/matches/{match_id}/legal-actions", None, ann)[0],
            sockets.ask("GET", f"/matches/{match_id}")[0],
            sockets.ask("GET", "/nowhere")[0],
        ]

        assert statuses == [200, 403, 200, 404]
        assert in_progress.count == 0
        with Visitor(sockets).listens(f"/tables/{match_id}/stream") as pieces:
            next(pieces)
            assert in_progress.count == 0
        assert in_progress.count == 0
