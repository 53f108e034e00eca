"""A whole service that plays matches of bots while its processes are killed."""

import os
import select
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any, Final

import pytest

from domain.matches.log.log_files import parse_log
from domain.matches.verification.verify import verify
from tests.workers.serving import PATIENCE_SECONDS, Client, Serving, serving
from workers.priority import NICENESS


def bots_playing(client: Client, bots: tuple[str, ...] = ("greedy", "random")) -> str:
    """Start a match of bots; return its id."""
    match_id: str = client.post("/matches", {"title": "la_granja", "seats": len(bots)})["matchId"]
    for seat, bot in enumerate(bots):
        client.post(f"/matches/{match_id}/seats", {"seat": seat, "bot": bot})
    return match_id


def entries_of(client: Client, match_id: str) -> list[dict[str, Any]]:
    """Return all entries of a match in order."""
    entries: list[dict[str, Any]] = []
    while True:
        page = client.get(f"/matches/{match_id}/entries?after={len(entries)}")
        entries += page["entries"]
        if not page["more"]:
            return entries


def children_of(pid: int) -> list[int]:
    """Return the child processes of a process, whichever of its threads started them."""
    files = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for children in files for child in children.read_text().split()]


def assert_whole(client: Client, match_id: str) -> None:
    """Assert that the match ended once with one final sale, without lost or duplicate entries, and passes the audit."""
    entries = entries_of(client, match_id)
    bodies = [entry["body"] for entry in entries]
    assert [entry["version"] for entry in entries] == list(range(1, len(entries) + 1))
    assert [body["type"] for body in bodies].count("match_ended") == 1
    assert [body.get("seat") for body in bodies].count(-1) == 1

    status, log = client.fetch("GET", f"/matches/{match_id}/log")
    assert status == 200, log
    report = verify(parse_log(log))
    assert report.is_good, report.fault


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """One service for all tests, which survives the death of any process."""
    with serving(tmp_path_factory.mktemp("data")) as service:
        yield service


WORKERS: Final = ("worker-1", "worker-2")
KILLED: Final = (
    (20, WORKERS),
    (50, ("valkey",)),
    (80, ("follower",)),
    (110, ("service",)),
    (140, WORKERS),
    (170, ("valkey",)),
)
"""The process to kill by the version of a match of four bots from which it is killed."""


@pytest.mark.walk
def test_killing_any_process_during_bot_turns_loses_and_duplicates_nothing(service: Serving) -> None:
    client = service.player()
    match_id = bots_playing(client, ("greedy", "greedy", "random", "random"))

    for version, processes in KILLED:
        client.wait_for_version(match_id, version)
        service.kill(*processes)

    match = client.wait_for_end(match_id)
    assert match["status"] == "ended"
    assert 1 in match["ranking"]
    assert match["version"] == len(entries_of(client, match_id)) > KILLED[-1][0]
    assert_whole(client, match_id)


@pytest.mark.walk
def test_a_choice_killed_while_a_bot_thinks_is_repeated(service: Serving) -> None:
    """The second worker thinks, with an assistant process; the first is kept free for other turns."""
    client = service.player()
    match_id = bots_playing(client, ("search-strong", "random"))

    # The first choices of the match follow entry 8; they start the assistant.
    first_version = client.wait_for_version(match_id, 12)
    (assistant,) = children_of(service.pid_of("worker-2"))
    assert os.getpriority(os.PRIO_PROCESS, assistant) >= NICENESS
    assistant_file = os.pidfd_open(assistant)
    service.kill("worker-2")

    assert select.select([assistant_file], [], [], PATIENCE_SECONDS)[0], "what assisted the worker ends with it"
    os.close(assistant_file)
    assert client.wait_for_version(match_id, first_version + 4) > first_version
    names = [seat["player"]["name"] for seat in client.get(f"/matches/{match_id}")["seats"]]
    assert names == ["Strong search bot", "Random bot"]


def test_workers_have_low_priority_even_with_autogroups(service: Serving) -> None:
    def read_niceness(name: str) -> list[str]:
        """Return the niceness of the session, if the system has autogroups."""
        file = Path(f"/proc/{service.pid_of(name)}/autogroup")
        return file.read_text().split()[-1:] if file.exists() else []

    given_up = monotonic() + PATIENCE_SECONDS
    # The service is ready before its workers have started.
    while not all(read_niceness(worker) in ([], [str(NICENESS)]) for worker in WORKERS):
        assert monotonic() < given_up, [read_niceness(worker) for worker in WORKERS]
    assert read_niceness("service") in ([], ["0"])


@pytest.mark.walk
def test_a_bot_replaces_a_player_who_timed_out(service: Serving) -> None:
    client = service.player()
    table = {"clock": {"kind": "per_move", "seconds": 1}, "timeOut": "bot"}
    match_id = client.post("/matches", {"title": "la_granja", "seats": 2, "table": table})["matchId"]
    client.post(f"/matches/{match_id}/seats", {"seat": 0})
    client.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": "random"})
    client.post(f"/matches/{match_id}/ready", {})

    client.wait_for_end(match_id)

    kinds = [entry["body"]["type"] for entry in entries_of(client, match_id)]
    assert kinds.count("timed_out") == kinds.count("seat_replaced") == 1
    assert_whole(client, match_id)
