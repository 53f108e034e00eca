"""A whole match with all its secrets, none of which appears in logs, metrics or traces."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from ops.status.scraping import fetch_metrics
from projections.platform.telemetry.spans import ATTRIBUTES
from tests.projections.platform.telemetry.collector import Collector
from tests.workers.serving import Client, serving

SERVICE_TOKEN: Final = "the-token-of-this-service"
PASSWORD: Final = "correct horse battery"
COLLECTOR_TOKEN: Final = "the-token-for-the-collector"
WRONG: Final = "a password that is not right"


def opening_salts(log: Path) -> set[str]:
    """Return the values that hide the secrets of all matches."""
    matches = open_store(store_env(log))
    try:
        events = [event for _, event in matches.read_log_items(0, 10_000)]
    finally:
        matches.close()
    return {opening.salt for event in events for opening in getattr(event, "secrets", ())}


def service_secrets(people: Path) -> set[str]:
    """Return the secrets of the service."""
    with closing(sqlite3.connect(people)) as connection:
        found = {str(value) for row in connection.execute("SELECT * FROM secrets") for value in row}
    return {value for value in found if len(value) > 15}


def annoy(url: str, secret: str) -> None:
    """Send invalid requests of many kinds, with a secret in every part."""
    for path in (f"/{secret}", f"/matches/{secret}", f"/matches?status={secret}", f"/tlog/{secret}"):
        Client(url, secret).ask("GET", path)
    for body in ({"title": secret}, {"name": secret, "password": WRONG}, [secret], {secret: secret}):
        for path in ("/matches", "/accounts", "/tokens", "/logs"):
            Client(url).ask("POST", path, body)


def test_nothing_secret_is_logged_measured_or_traced(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], collector: Collector
) -> None:
    tells = {
        "ESPORLES_LOGS": "json",
        "ESPORLES_LOG_REQUESTS": "1",
        "ESPORLES_TOKEN": SERVICE_TOKEN,
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_EXPORTER_OTLP_HEADERS": f"authorization=Bearer%20{COLLECTOR_TOKEN}",
    }
    with serving(tmp_path, 2, **tells) as running:
        url = running.started.url
        nobody = Client(url)
        account = {"name": "somebody with secrets", "password": PASSWORD}
        nobody.post("/accounts", account)
        token = nobody.post("/tokens", account)["secret"]
        player = Client(url, token)
        match_id = player.post("/matches", {"title": "el_grande", "seats": 2, "table": {"public": False}})["matchId"]
        invitation = player.post(f"/matches/{match_id}/invitations", {})["secret"]
        annoy(url, token)
        annoy(url, invitation)
        for seat in range(2):
            player.post(f"/matches/{match_id}/seats", {"seat": seat, "bot": "random"})
        player.wait_for_end(match_id)
        figures = [fetch_metrics(address) for address in running.started.metrics.values()]
        assert running.stop() == 0
    lines = capfd.readouterr().err
    logged = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
    secrets = {SERVICE_TOKEN, COLLECTOR_TOKEN, PASSWORD, WRONG, token, invitation}
    secrets |= opening_salts(tmp_path / "log.db") | service_secrets(tmp_path / "people.db")

    assert len(secrets) > 20
    assert len([line for line in logged if line["event"] == "request"]) > 50
    assert {line["request_id"].partition("-")[0] for line in logged if line["event"] == "request"} >= {"bot"}
    assert not [secret for secret in secrets if secret in lines]
    assert not [secret for secret in secrets for text in figures if secret in text]
    assert not [text for text in figures if match_id in text]
    assert not [secret for secret in secrets for body in collector.bodies if secret.encode() in body]
    assert {span.name for span in collector.spans} >= {"bot decision", "commit", "GET /api/matches"}
    assert {word for span in collector.spans for word in span.words} <= ATTRIBUTES
    traced = {(line["request_id"], line["trace_id"]) for line in logged if "trace_id" in line}
    assert traced <= {(span.words.get("esporles.request_id"), span.trace) for span in collector.spans}
    assert len(traced) > 50
