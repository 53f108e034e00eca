"""Long computations in pieces: every result once and in order despite crashes; failures are reported."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as AwayError

from api import VERSION
from ops.computing.spread import SpreadComputation, spread_over
from ops.console import Finding
from workers.computations import PIECE, QUEUE, Compute, Computer, Kinds, Run
from workers.health import Health
from workers.main import job_class, process_jobs
from workers.queues import patient_connection

COUNT: Final = 100
PIECES: Final = [b"%d" % number for number in range(COUNT)]
SQUARES: Final = {number: b"%d" % (number * number + 1) for number in range(COUNT)}


def squares(spec: bytes, *, marker_folder: Path | None = None, deadly_pieces: frozenset[int] = frozenset()) -> Compute:
    """Return a factory of squares that kills its process once over some pieces; `spec` is added to every square."""

    def square(piece: bytes) -> bytes:
        number = int(piece)
        if marker_folder is not None and number in deadly_pieces and not (marker_folder / piece.decode()).exists():
            (marker_folder / piece.decode()).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return b"%d" % (number * number + int(spec))

    return square


def kinds(marker_folder: Path | None = None, deadly_pieces: frozenset[int] = frozenset()) -> Kinds:
    return {"squares": partial(squares, marker_folder=marker_folder, deadly_pieces=deadly_pieces)}


def calculate(url: str, marker_folder: Path, deadly_pieces: frozenset[int]) -> None:
    """Run a calculator process."""
    computer = Computer(patient_connection(url), kinds(marker_folder, deadly_pieces), VERSION)
    process_jobs(url, (QUEUE,), job_class(computer, {PIECE: Computer.compute}), Health())


@contextmanager
def calculators(
    count: int, url: str, marker_folder: Path, deadly_pieces: frozenset[int] = frozenset()
) -> Iterator[list[Any]]:
    context = multiprocessing.get_context("spawn")
    started = [
        context.Process(target=calculate, args=(url, marker_folder, deadly_pieces), daemon=True) for _ in range(count)
    ]
    for process in started:
        process.start()
    try:
        yield started
    finally:
        for process in started:
            process.kill()
            process.join()


def results(url: str, kind: str = "squares", spec: bytes = b"1") -> dict[int, bytes]:
    return dict(SpreadComputation(patient_connection(url), kind, spec, PIECES).results())


@pytest.fixture
def connection(redis_url: str) -> Iterator[Redis]:
    connection = patient_connection(redis_url)
    yield connection
    connection.close()


@pytest.mark.parametrize("count", [1, 3])
def test_every_piece_is_computed_by_any_number_of_calculators(redis_url: str, tmp_path: Path, count: int) -> None:
    with calculators(count, redis_url, tmp_path):
        computed = results(redis_url)

    assert computed == SQUARES


@pytest.mark.walk
def test_killed_calculators_do_not_change_the_result(redis_url: str, tmp_path: Path) -> None:
    deadly_pieces = frozenset({0, 41, 99})

    with calculators(5, redis_url, tmp_path, deadly_pieces) as started:
        computed = results(redis_url)
        killed = [process for process in started if process.exitcode == -signal.SIGKILL]

    assert computed == SQUARES
    assert {int(marker.name) for marker in tmp_path.iterdir()} == deadly_pieces
    assert len(killed) == len(deadly_pieces)


def test_a_command_resumes_the_run_of_a_killed_one(connection: Redis, redis_url: str, tmp_path: Path) -> None:
    """Stored results are not computed again: those pieces would kill the process."""
    run = Run.find_or_create(connection, "squares", VERSION, b"1", PIECES)
    for number in range(0, COUNT, 2):
        Computer(connection, kinds(), VERSION).compute(run.id, number)
    run.store_result(1, "fault", b"what went wrong then")

    with calculators(1, redis_url, tmp_path, frozenset(range(0, COUNT, 2))):
        computed = results(redis_url)

    assert computed == SQUARES
    assert not list(tmp_path.iterdir())


def test_a_piece_that_is_computed_twice_keeps_its_first_result(connection: Redis) -> None:
    run = Run.find_or_create(connection, "squares", VERSION, b"1", PIECES)
    other_kinds: dict[str, Callable[[bytes], Compute]] = {"squares": lambda _: lambda _: b"something else"}
    Computer(connection, kinds(), VERSION).compute(run.id, 7)
    Computer(connection, other_kinds, VERSION).compute(run.id, 7)
    run.store_result(7, "out", b"something else")

    assert run.results([7]) == {7: SQUARES[7]}


def test_another_spec_is_another_computation(connection: Redis) -> None:
    ids = {
        Run.find_or_create(connection, kind, version, spec, pieces).id
        for kind in ("squares", "cubes")
        for version in ("1", "2")
        for spec in (b"1", b"2")
        for pieces in (PIECES, PIECES[:2], [b"01", b"2"], [b"0", b"12"])
    }

    assert len(ids) == 32


@pytest.mark.parametrize(
    ("kind", "version", "spec", "reason"),
    [
        ("squares", VERSION, b"no number", "ValueError: invalid literal"),
        ("cubes", VERSION, b"1", f"cubes requires version {VERSION}; this calculator has version {VERSION}"),
        ("squares", "0", b"1", f"squares requires version 0; this calculator has version {VERSION}"),
    ],
)
def test_failures_are_reported_with_the_reason(
    connection: Redis, kind: str, version: str, spec: bytes, reason: str
) -> None:
    run = Run.find_or_create(connection, kind, version, spec, PIECES)
    Computer(connection, kinds(), VERSION).compute(run.id, 3)

    with pytest.raises(Exception, match=f"piece 3 of the computation failed: .*{reason}"):
        run.results([2, 3, 4])


def test_a_command_ends_with_the_failure_of_a_piece(redis_url: str, tmp_path: Path) -> None:
    with calculators(1, redis_url, tmp_path), pytest.raises(Finding, match="failed: ValueError"):
        results(redis_url, spec=b"no number")


def test_an_unavailable_queue_is_not_a_failure_of_the_piece(connection: Redis) -> None:
    def fail(_: bytes) -> bytes:
        raise AwayError("connection reset by peer")

    run = Run.find_or_create(connection, "squares", VERSION, b"1", PIECES)
    with pytest.raises(AwayError):
        Computer(connection, {"squares": lambda _: fail}, VERSION).compute(run.id, 3)

    assert run.results([3]) == {}


def test_a_silent_queue_counts_as_unavailable() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        pytest.raises(Finding, match="cannot reach the queues"),
    ):
        spread_over(f"redis://127.0.0.1:{silent.getsockname()[1]}", answer_seconds=0.05)


def test_commands_explain_how_to_start_a_calculator(redis_url: str, dead_redis_url: str) -> None:
    with pytest.raises(
        Finding, match="no calculator is running; start one with `esporles run calculator`, on any host"
    ):
        spread_over(redis_url)
    with pytest.raises(Finding, match="cannot reach the queues"):
        spread_over(dead_redis_url)
