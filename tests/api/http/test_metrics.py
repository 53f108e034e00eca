"""Metrics of a web process: every response counts once, with labels of few values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from litestar.testing import TestClient
from prometheus_client.parser import text_string_to_metric_families

from api.http.metrics import METRICS
from api.matches.fast_routes import ROUTES
from tests.api.service import SERVICE_TOKEN, Person, Sockets, behind_sockets, start_match

SEEN: Final = Path(__file__).parent.parent.parent.parent / "docs" / "operate" / "monitoring.md"
FIGURE: Final = re.compile(r"(\w+)(?:\{(.*)\})? (\S+)")


def figures(client: TestClient[Any]) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Return every sample by name and labels."""
    text = METRICS.of(client).render().decode()
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(client: TestClient[Any], name: str, **labels: str) -> float:
    return figures(client).get((name, frozenset(labels.items())), 0.0)


def requests(client: TestClient[Any], method: str, route: str, status: int) -> float:
    return value(client, "esporles_requests_total", method=method, route=route, status=str(status))


def test_an_answer_counts_under_the_template_of_its_route(client: TestClient[Any], ann: Person) -> None:
    match_id = ann.opens()
    client.get(f"/tables/{match_id}")
    client.head("/tables")

    assert requests(client, "GET", "/tables/{match_id}", 200) == 1
    assert requests(client, "HEAD", "/tables", 200) == 1
    assert value(client, "esporles_request_seconds_count", method="GET", route="/tables/{match_id}") == 1
    assert match_id not in METRICS.of(client).render().decode()


def test_unknown_paths_add_no_labels(client: TestClient[Any]) -> None:
    before = len(figures(client))
    for number in range(20):
        client.get(f"/nowhere/{number}")
        client.request(f"BREW{number}", f"/nowhere/{number}")
    after = figures(client)

    assert value(client, "esporles_requests_total", method="GET", route="other", status="404") == 20
    assert not [labels for _, labels in after if any("nowhere" in word or "BREW" in word for _, word in labels)]
    assert len(after) - before < 60


def test_fast_routes_count_under_the_template_of_the_framework(client: TestClient[Any]) -> None:
    for part, (method, template) in ROUTES.items():
        path = f"/api/matches/00000000-0000-0000-0000-000000000000{part}"
        assert client.app.asgi_router.handle_routing(path=path, method=method)[4] == template


def test_commands_that_are_stored_are_measured(client: TestClient[Any], ann: Person, ben: Person) -> None:
    before = value(client, "esporles_append_seconds_count")
    match_id = start_match(ann, ben)
    status, match = ann.get(f"/matches/{match_id}")
    (ann, ben)[match["toAct"][0]].acts(match_id)

    assert status == 200
    assert value(client, "esporles_append_seconds_count") >= before + 6
    assert value(client, "esporles_group_commands_count") == value(client, "esporles_commit_seconds_count")
    assert value(client, "esporles_command_seconds_count", command="api.matches.commands.act") >= 1
    assert value(client, "esporles_cache_total", cache="answers", outcome="miss") >= 0


def test_every_cache_is_counted_and_documented(client: TestClient[Any], ann: Person, ben: Person) -> None:
    """The first request renders the table's picture; the documentation lists exactly these caches."""
    match_id = start_match(ann, ben)
    before = [value(client, "esporles_cache_total", cache="pictures", outcome=each) for each in ("hit", "miss")]
    for _ in range(3):
        assert client.get(f"/tables/{match_id}").status_code == 200
    after = [value(client, "esporles_cache_total", cache="pictures", outcome=each) for each in ("hit", "miss")]
    text = METRICS.of(client).render().decode()
    documented = SEEN.read_text().partition("\nCaches: ")[2].partition(" are the values")[0]

    assert [after[0] - before[0], after[1] - before[1]] == [2, 1]
    assert set(re.findall(r'esporles_cache_total\{cache="(\w+)"', text)) == set(re.findall(r"`(\w+)`", documented))


def test_the_tree_has_metrics(client: TestClient[Any], ann: Person) -> None:
    ann.opens()

    assert value(client, "esporles_tree_served") == 1
    assert value(client, "esporles_refused_streams") == 0


@pytest.fixture
def sockets(tmp_path: Path) -> Iterator[Sockets]:
    with behind_sockets(tmp_path) as running:
        yield running


def scrape(sockets: Sockets) -> dict[str, float]:
    """Return the samples of a scrape by their text."""
    connection = sockets.connection(private=True)
    connection.request("GET", "/api/metrics", headers={"Authorization": f"Bearer {SERVICE_TOKEN}"})
    text = connection.getresponse().read().decode()
    connection.close()
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in text.splitlines() if line[0] != "#"}


def test_fast_routes_and_streams_are_counted_behind_real_sockets(sockets: Sockets) -> None:
    tokens = [sockets.token_of("ann"), sockets.token_of("ben")]
    match_id = sockets.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, tokens[0])[1]["matchId"]
    for seat, token in enumerate(tokens):
        sockets.ask("POST", f"/matches/{match_id}/seats", {"seat": seat}, token)
    for token in tokens:
        sockets.ask("POST", f"/matches/{match_id}/ready", {}, token)
    for _ in range(3):
        sockets.ask("GET", f"/matches/{match_id}", None, tokens[0])
    stream = sockets.connection()
    stream.request("GET", f"/api/matches/{match_id}/stream")
    response = stream.getresponse()
    response.readline()
    during = scrape(sockets)
    stream.close()
    response.close()

    assert during['esporles_requests_total{method="GET",route="/api/matches/{match_id}",status="200"}'] == 3
    assert during["esporles_streams"] == 1
    assert during["esporles_stream_pieces_total"] >= 1
    assert during["esporles_stream_bytes_total"] > 0
    assert during['esporles_cache_total{cache="answers",outcome="hit"}'] == 2
