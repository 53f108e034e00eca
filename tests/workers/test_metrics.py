"""Metrics of the follower and of workers in a running service."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.platform.setting_values import split_listener
from projections.platform.store import ReadStore
from tests.workers.serving import PATIENCE_SECONDS, Client, Serving, serving
from workers.bots import BOTS
from workers.jobs import build_jobs
from workers.matches.bot_turn import PLAYERS
from workers.metrics import WorkerMetrics, consumer_lags
from workers.unix_http import UnixClient


def scrape(service: Serving, name: str) -> dict[str, float]:
    """Return the samples of a process by name and labels."""
    path = split_listener(service.started.metrics[name])
    assert isinstance(path, Path)
    with UnixClient(path, "", PATIENCE_SECONDS) as client:
        text = client.request("GET", "/metrics").body.decode()
    return {
        sample.name + "".join(f" {label}={value}" for label, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def bots_play(player: Client) -> str:
    match_id: str = player.post("/matches", {"title": "el_grande", "seats": 2})["matchId"]
    for seat in range(2):
        player.post(f"/matches/{match_id}/seats", {"seat": seat, "bot": "random"})
    return match_id


@pytest.mark.walk
def test_every_process_of_the_service_has_metrics(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        player = service.player()
        player.wait_for_end(bots_play(player))
        web, follower = scrape(service, "service"), scrape(service, "follower")
        workers = [scrape(service, name) for name in ("worker-1", "worker-2")]

    assert any(name.startswith("esporles_process role=web") for name in web)
    assert web["esporles_append_seconds_count"] > 20
    assert follower["esporles_log_position"] > 20
    assert "esporles_follower_lag_entries follower=boards" in follower
    assert "esporles_queue_jobs queue=esporles-turns" in follower
    assert follower["esporles_duties_issued_total"] >= 1
    turns = [worker.get("esporles_job_seconds_count job=bot_turn outcome=done", 0) for worker in workers]
    choices = [worker.get("esporles_bot_choice_seconds_count bot=random title=el_grande", 0) for worker in workers]
    assert sum(turns) >= 1
    assert sum(choices) >= 20


def test_a_follower_reports_only_consumers_it_leads(tmp_path: Path) -> None:
    """Consumers led by another process have no offset here and would appear far behind."""
    store, log = ReadStore(tmp_path / "reads.db"), open_store(store_env(tmp_path / "log.db"))
    loop = FollowerLoop(log, store, tuple(PROJECTIONS.values()))
    loop.set_leaderships(frozenset({"boards"}))
    samples = {family.name: family.samples for family in consumer_lags(loop, log)}
    log.close()
    store.close()

    assert [sample.labels for sample in samples["esporles_follower_lag_entries"]] == [{"follower": "boards"}]
    leaderships = {sample.labels["lane"]: sample.value for sample in samples["esporles_lane_led"]}
    assert leaderships.keys() == set(loop.leaderships), "where nobody says 1 of a lane, nobody leads it"
    assert {lane for lane, value in leaderships.items() if value} == {"boards"}


def test_a_failing_job_counts_as_failed() -> None:
    metrics = WorkerMetrics()

    def fail(_: Any) -> None:
        raise ConnectionError("away")

    with pytest.raises(ConnectionError):
        metrics.timed_jobs({"bot_turn": fail})["bot_turn"](None)

    assert 'esporles_job_seconds_count{job="bot_turn",outcome="failed"} 1.0' in metrics.render().decode()


def test_wrapping_keeps_all_bots_and_jobs() -> None:
    metrics = WorkerMetrics()

    players = metrics.timed_players(PLAYERS)

    assert {name: kind.actor for name, kind in players.bots.items()} == {
        name: kind.actor for name, kind in BOTS.items()
    }
    assert metrics.timed_jobs(build_jobs(players)).keys() == build_jobs(PLAYERS).keys()
