"""One trace across all processes: a move against a bot in a real service with a collector."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from projections.platform.telemetry.spans import ATTRIBUTES
from tests.projections.platform.telemetry.collector import Seen, collecting
from tests.workers.serving import Client, serving

ROUTE: Final = "POST /api/matches/{match_id}/actions"
WHOLE: Final = {("web", ROUTE), ("web", "commit"), ("follower", "follow"), ("follower", "issue bot_turn"),
                ("worker", "job bot_turn"), ("worker", "bot decision"), ("worker", "ask the service"),
                ("web", "POST /api/matches/{match_id}/owed")}  # fmt: skip
MOVES: Final = 12
"""A notification may arrive after the follower has polled, which ends the trace; this must be rare."""


def begin(player: Client) -> str:
    match_id: str = player.post("/matches", {"title": "el_grande", "seats": 2})["matchId"]
    player.post(f"/matches/{match_id}/seats", {"seat": 0})
    player.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": "random"})
    player.post(f"/matches/{match_id}/ready", {})
    return match_id


def move(player: Client, match_id: str) -> dict[str, Any]:
    """Take the first legal action as soon as one exists."""
    version = 0
    while not (legal := player.get(f"/matches/{match_id}/legal-actions"))["actions"]:
        version = next(player.versions(match_id, max(version, legal["version"])))
    wanted = {"expectedVersion": legal["version"], "action": legal["actions"][0]["action"]}
    answer: dict[str, Any] = player.post(f"/matches/{match_id}/actions", wanted)
    return answer


def is_whole(trace: Sequence[Seen]) -> bool:
    """Return whether every kind of span has arrived with its parent; processes export them independently."""
    known, parents = {span.id for span in trace}, {span.parent for span in trace if span.parent}
    answered = {span.id for span in trace if span.name == "ask the service"} <= parents
    return {(span.process, span.name) for span in trace} >= WHOLE and parents <= known and answered


@pytest.mark.walk
def test_a_move_and_the_bots_reply_are_one_trace(tmp_path: Path) -> None:
    with collecting() as collector:
        tells = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_BSP_SCHEDULE_DELAY": "50"}
        with serving(tmp_path, 1, **tells, OTEL_SERVICE_NAME="the club") as running:
            player = running.player()
            match_id = begin(player)
            for _ in range(MOVES):
                move(player, match_id)
            trace = collector.wait_for(is_whole)
            collector.shutdown()
            collector.server_close()
            # The collector is gone: neither play nor shutdown waits for it.
            for _ in range(MOVES):
                move(player, match_id)
            assert running.stop() == 0
    by_id = {span.id: span for span in trace}
    roots = [span for span in trace if not span.parent]

    assert [(root.process, root.name) for root in roots] == [("web", ROUTE)]
    assert all(span.parent in by_id for span in trace if span.parent)
    job = next(span for span in trace if span.name == "job bot_turn")
    assert by_id[job.parent].name == "issue bot_turn"
    requests = [span for span in trace if span.name == "ask the service"]
    assert {by_id[span.parent].name for span in requests} == {"job bot_turn"}
    assert all(any(each.parent == span.id and each.process == "web" for each in trace) for span in requests)
    assert {word for span in collector.spans for word in span.words} <= ATTRIBUTES
    assert {span.service for span in trace} == {"the club"}
