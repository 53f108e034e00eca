"""A load records acknowledgements, and detects their absence from the logs."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ops.cli import main
from ops.dev.faulting.loading import PATIENCE_SECONDS, BackgroundLoad
from ops.dev.load.checking import Comparison, check, collect
from ops.dev.load.client import Client, NoResponse, read_head
from ops.dev.load.journal import Acked, Followed, Heard, Journal, Sent, Told, read_journal
from ops.dev.load.running import Measured, Plan, run_plan
from tests.api.service import Sockets, behind_sockets

Drops = Callable[[bytes], bool]
"""Return whether to drop the response to a request with this first line."""


class Forgetful:
    """A proxy that drops some responses."""

    def __init__(self, port: int, drops: Drops) -> None:
        self._port, self._drops = port, drops
        self.dropped = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
                body = await reader.readexactly(int(lengths[0].partition(b":")[2]))
                upstream[1].write(head + body)
                status, headers = await read_head(upstream[0])
                content = await upstream[0].readexactly(int(headers["content-length"]))
                if self._drops(head.partition(b"\r\n")[0]):
                    self.dropped += 1
                    return
                line = f"HTTP/1.1 {status} -\r\nContent-Length: {len(content)}\r\n\r\n"
                writer.write(line.encode() + content)
        except (EOFError, OSError):
            return
        finally:
            writer.close()
            upstream[1].close()


@asynccontextmanager
async def forgetful(port: int, drops: Drops) -> AsyncIterator[tuple[str, Forgetful]]:
    """Run the proxy and yield its URL."""
    proxy = Forgetful(port, drops)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", proxy
    finally:
        server.close()


def every(count: int, text: bytes) -> Drops:
    """Drop every `count`-th response to requests that contain `text`."""
    request_count = 0

    def drops(line: bytes) -> bool:
        nonlocal request_count
        request_count += text in line
        return text in line and request_count % count == 0

    return drops


ENOUGH = 20


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sockets]:
    with behind_sockets(tmp_path_factory.mktemp("load")) as sockets:
        yield sockets


def url_of(service: Sockets) -> str:
    return f"http://127.0.0.1:{service.port}"


def acknowledged_count(path: Path) -> int:
    return sum(isinstance(line, Acked) for line in read_journal(path))


def until_enough(path: Path, count: int = ENOUGH) -> Callable[[], bool]:
    return lambda: acknowledged_count(path) >= count


def play_load(service: Sockets, path: Path, **options: Any) -> Measured:
    """Run a short load in a closed loop."""
    plan = msgspec.convert({"title": "la_granja"} | options, Plan)
    with Journal(path) as journal:
        return asyncio.run(run_plan([url_of(service)], plan, journal, patience=20.0, is_over=until_enough(path)))


def check_journal_at(service: Sockets, path: Path) -> Comparison:
    return asyncio.run(check([url_of(service)], path, 20.0))


@pytest.mark.parametrize("is_whole", [False, True], ids=["three requests", "one request"])
def test_every_acknowledged_action_is_in_the_log_once(service: Sockets, tmp_path: Path, is_whole: bool) -> None:
    path = tmp_path / "journal"

    measured = play_load(service, path, people=4, tables=2, spectators=3, isWhole=is_whole)
    comparison = check_journal_at(service, path)

    assert measured.actions >= ENOUGH
    assert not measured.refused
    assert not measured.faults
    assert comparison.acknowledged == measured.actions
    assert (comparison.matches, comparison.unknown, comparison.faults) == (2, 0, ())
    assert comparison.streams == 3


def test_a_load_of_a_title_with_secret_actions_checks(service: Sockets, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    play_load(service, path, title="el_grande", people=3, tables=1, seats=3)

    assert check_journal_at(service, path).faults == ()


def test_lost_responses_are_retried_without_duplicate_effects(service: Sockets, tmp_path: Path) -> None:
    path = tmp_path / "journal"

    async def run() -> tuple[Measured, int]:
        async with forgetful(service.port, every(3, b"POST")) as (url, proxy):
            plan = Plan(title="la_granja", people=2, tables=2)
            with Journal(path) as journal:
                measured = await run_plan([url], plan, journal, patience=60.0, is_over=until_enough(path))
            return measured, proxy.dropped

    measured, dropped = asyncio.run(run())

    comparison = check_journal_at(service, path)
    assert dropped == measured.lost >= ENOUGH // 3
    assert comparison.acknowledged == measured.actions >= ENOUGH
    assert comparison.faults == ()


def test_an_action_without_a_response_is_unknown(service: Sockets, tmp_path: Path) -> None:
    path = tmp_path / "journal"

    async def run() -> None:
        async with forgetful(service.port, every(4, b"/actions")) as (url, _):
            with Journal(path) as journal:
                await run_plan([url], Plan(title="la_granja", people=2, tables=1), journal, is_over=until_enough(path))

    asyncio.run(run())

    comparison = check_journal_at(service, path)
    assert comparison.unknown == comparison.unknown_taken > 0
    assert comparison.acknowledged >= ENOUGH
    assert comparison.faults == ()


def falsify_journal(path: Path, change: Callable[[list[Any]], list[Any]]) -> Path:
    """Write a modified journal, as if the service had lost, duplicated or changed something."""
    falsified = path.with_name("false")
    with Journal(falsified) as journal:
        for line in change(list(read_journal(path))):
            journal.write(line)
    return falsified


def lose(lines: list[Any]) -> list[Any]:
    """Add an acknowledgement for an action that is not in the log."""
    match_id = next(line.match for line in lines if isinstance(line, Acked))
    return [*lines, Sent(match_id, 0, 10_000, msgspec.Raw(b'{"type":"none"}')), Acked(match_id, 10_000, 10_001, "00")]


def double(lines: list[Any]) -> list[Any]:
    """Remove an action that is in the log."""
    index = max(number for number, line in enumerate(lines) if isinstance(line, Acked))
    expected, match_id = lines[index].expected, lines[index].match
    return [
        line
        for line in lines
        if not (isinstance(line, Sent | Acked) and (line.match, line.expected) == (match_id, expected))
    ]


def behead(lines: list[Any]) -> list[Any]:
    return [msgspec.structs.replace(line, head="00" * 32) if isinstance(line, Acked) else line for line in lines]


def misread(lines: list[Any]) -> list[Any]:
    match_id = next(line.match for line in lines if isinstance(line, Acked))
    return [*lines, Followed(match_id, 1, 5, "00" * 32)]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lose, "was acknowledged and is not in the log"),
        (double, "without a response"),
        (behead, "was acknowledged with a head that differs from version"),
        (misread, "which differs from the log"),
    ],
)
def test_differences_between_journal_and_log_are_found(
    service: Sockets, tmp_path: Path, change: Callable[[list[Any]], list[Any]], sentence: str
) -> None:
    path = tmp_path / "journal"
    play_load(service, path, people=2, tables=1)

    comparison = check_journal_at(service, falsify_journal(path, change))

    assert any(sentence in fault for fault in comparison.faults)
    assert check_journal_at(service, path).faults == ()


def test_acknowledged_announcements_occur_once(service: Sockets, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    plan = Plan(title="la_granja", people=0, tables=0, organisers=1)

    def has_announced() -> bool:
        return any(isinstance(line, Heard) for line in read_journal(path))

    with Journal(path) as journal:
        asyncio.run(run_plan([url_of(service)], plan, journal, patience=20.0, is_over=has_announced))
    comparison = check_journal_at(service, path)
    event = next(line.event for line in read_journal(path) if isinstance(line, Heard))
    unrecorded = [Told(event, "load never"), Heard(event, "load never")]
    falsified = check_journal_at(service, falsify_journal(path, lambda lines: [*lines, *unrecorded]))

    assert comparison.announced >= 1
    assert comparison.faults == ()
    assert falsified.faults == (f"event {event}: 'load never' was acknowledged but is missing",)


def test_an_incomplete_last_line_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.write(Sent("m", 0, 1, msgspec.Raw(b"{}")))
    path.write_bytes(path.read_bytes() + b'{"kind":"acked","mat')

    assert collect(path).matches["m"].acts[0].answer is None


def test_an_unavailable_address_is_replaced_by_another(service: Sockets) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        unreachable = f"http://127.0.0.1:{listener.getsockname()[1]}"

    async def ask(patience: float) -> tuple[int, Any]:
        client = Client([unreachable, url_of(service)], patience=patience)
        try:
            return await client.ask("GET", "/api/health")
        finally:
            client.close()

    assert asyncio.run(ask(20.0))[0] == 200
    with pytest.raises(NoResponse):
        asyncio.run(ask(0.0))


def test_the_command_reports_its_findings(service: Sockets, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "journal"
    command = ["load", url_of(service), "--people", "2", "--seconds", "0.2", "--journal", str(path), "--json"]

    assert main(command) == 0
    report = json.loads(capsys.readouterr().out)
    assert main(["load", url_of(service), "--check", "--journal", str(path), "--json"]) == 0
    checked = json.loads(capsys.readouterr().out)
    assert main(["load", url_of(service), "--check", "--journal", str(falsify_journal(path, lose))]) == 1

    assert report["checked"]["faults"] == []
    assert report["checked"]["acknowledged"] == checked["acknowledged"] == report["actions"]
    assert "was acknowledged and is not in the log" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--people", "-1"], "invalid --people -1: expected a number from 0 to 100,000"),
        (["--people", "1"], "--people 1 is not enough for a table of 2"),
        (["--people", "0"], "nothing to simulate"),
        (["--bots", "3"], "--bots 3 is not a multiple of 2 seats"),
        (["--seats", "9"], "invalid --seats 9: expected a number from 1 to 4 for la_granja"),
        (["--rate", "nan"], "invalid --rate nan: expected a number of at least 0"),
        (["--check"], "--check requires an existing --journal, not None"),
        (["ftp://x"], "invalid URL 'ftp://x': expected an address such as http://127.0.0.1:8000"),
    ],
)
def test_unusable_arguments_are_refused(args: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["load", *args]) == 2
    assert sentence in capsys.readouterr().err


def test_running_matches_can_be_played_to_their_end(service: Sockets, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    plan = Plan(title="el_grande", people=2, tables=1, seconds=float("inf"), is_whole=True)
    with Journal(path) as journal:
        load = BackgroundLoad([url_of(service)], plan, journal)
        load.start()
        unfinished = load.finish(PATIENCE_SECONDS)
        load.stop()

    (match_id,) = collect(path).matches
    assert unfinished == []
    assert service.ask("GET", f"/matches/{match_id}")[1]["status"] == "ended"
    assert check_journal_at(service, path).faults == ()


def test_finishing_waits_for_bots_and_organisers(service: Sockets, tmp_path: Path) -> None:
    """People may finish early; the load continues until everything has ended."""
    plan = Plan(title="el_grande", people=2, tables=1, bot_tables=1, seconds=float("inf"), is_whole=True)
    with Journal(tmp_path / "journal") as journal:
        load = BackgroundLoad([url_of(service)], plan, journal)
        load.start()
        load.house.finish()
        load.wait_until("people are done", lambda: load.house.tables[0].is_over, PATIENCE_SECONDS)
        bot_match = load.house.bot_tables[0].match_id
        match = service.ask("GET", f"/matches/{bot_match}")[1]

        assert load.house.describe_unfinished() == [f"the match {bot_match}, of bots"]
        assert match["status"] == "running"
        load.stop()
