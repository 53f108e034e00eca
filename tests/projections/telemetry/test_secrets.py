"""A whole match with everything that is secret about it: nothing of it stands in a log line or a figure."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from domain.matches.application import Matches
from domain.matches.store import store_env
from ops.status.reading import ask
from tests.workers.serving import Client, serving

SERVICE_TOKEN: Final = "the-token-of-this-service"
PASSWORD: Final = "correct horse battery"
WRONG: Final = "a password that is not right"


def opened(log: Path) -> set[str]:
    """What hides every hidden value, of all matches."""
    matches = Matches(store_env(log))
    try:
        events = [event for _, event in matches.happenings(0, 10_000)]
    finally:
        matches.close()
    return {opening.salt for event in events for opening in getattr(event, "secrets", ())}


def kept(people: Path) -> set[str]:
    """The secrets of the service."""
    with closing(sqlite3.connect(people)) as connection:
        found = {str(value) for row in connection.execute("SELECT * FROM secrets") for value in row}
    return {value for value in found if len(value) > 15}


def annoy(url: str, secret: str) -> None:
    """Requests that are wrong in many ways, with a secret at every place of them."""
    for path in (f"/{secret}", f"/matches/{secret}", f"/matches?status={secret}", f"/tlog/{secret}"):
        Client(url, secret).ask("GET", path)
    for body in ({"title": secret}, {"name": secret, "password": WRONG}, [secret], {secret: secret}):
        for path in ("/matches", "/accounts", "/tokens", "/logs"):
            Client(url).ask("POST", path, body)


@pytest.mark.xdist_group("serving")
def test_nothing_secret_is_logged_or_measured(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with serving(tmp_path, ESPORLES_LOGS="json", ESPORLES_LOG_REQUESTS="1", ESPORLES_TOKEN=SERVICE_TOKEN) as running:
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
        figures = [ask(address) for address in running.started.metrics.values()]
        assert running.stop() == 0
    lines = capfd.readouterr().err
    logged = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
    secrets = {SERVICE_TOKEN, PASSWORD, WRONG, token, invitation}
    secrets |= opened(tmp_path / "log.db") | kept(tmp_path / "people.db")

    assert len(secrets) > 20
    assert len([line for line in logged if line["event"] == "request"]) > 50
    assert {line["request_id"].partition("-")[0] for line in logged if line["event"] == "request"} >= {"bot"}
    assert not [secret for secret in secrets if secret in lines]
    assert not [secret for secret in secrets for text in figures if secret in text]
    assert not [text for text in figures if match_id in text]
