"""Distribution of a computation to the calculators of all hosts: issues pieces and collects results."""

import os
import secrets
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from rq import Queue, Worker

from api import VERSION
from ops.console import Finding, WrongUsage
from projections.platform.backoff import Backoff
from projections.platform.setting_values import BadSetting
from projections.platform.settings import Settings, names_of
from projections.platform.valkey import valkey
from workers.computations import QUEUE, ComputationFailed, Pieces, Run

PENDING_MAX: Final = 64
"""Pieces in the queue or in progress at the same time."""
LOOK_SECONDS: Final = 1.0
ANSWER_SECONDS_MAX: Final = 10.0
"""Timeout of Redis, after which it counts as unavailable, since its host may be disconnected."""
LOST_POLLS: Final = 3
"""Consecutive polls without a trace of a piece before it is issued again."""
RECONNECT_DELAYS: Final = Backoff(0.5, 5.0)
AWAY_MAX: Final = 60
"""Attempts to reach Redis."""

NO_RETRY: Final = Retry(NoBackoff(), 0)

Spread = Callable[[str, bytes, Sequence[bytes]], Iterator[tuple[int, bytes]]]
"""Computes pieces of a kind; yields results with their numbers, in order of completion."""


class IssuedPiece(msgspec.Struct):
    """An issued piece."""

    job: str
    looks: int = 0
    """Consecutive polls without a trace of it."""


class SpreadComputation:
    """The pieces of one computation."""

    def __init__(self, connection: Redis, kind: str, spec: bytes, parts: Sequence[bytes]) -> None:
        self._connection = connection
        self._request = (kind, VERSION, spec, parts)
        self._queue = Pieces(connection)
        self._pending = dict.fromkeys(range(len(parts)))
        self._issued = dict[int, IssuedPiece]()
        self._attempts = 0
        self._token = secrets.token_hex(4)
        self._run: Run | None = None

    def results(self) -> Iterator[tuple[int, bytes]]:
        """Yield (number, result) of all pieces, including results of an earlier command with the same computation.

        Lost pieces are issued again. Raises `Finding` if a piece fails, or after `AWAY_MAX` attempts to reach Redis in
        a row.
        """
        failures = 0
        while self._pending:
            try:
                yield from self._step()
                failures = 0
            except ComputationFailed as failed:
                raise Finding(str(failed)) from failed
            except RedisError as error:
                failures += 1
                if failures > AWAY_MAX:
                    raise Finding(f"cannot reach the queues; run the command again to resume: {error}") from error
                # Redis may have lost the pieces, so request them again.
                self._run, self._issued = None, {}
                time.sleep(RECONNECT_DELAYS.delay(failures))

    def _step(self) -> Iterator[tuple[int, bytes]]:
        """Issue pieces and yield results for `LOOK_SECONDS`, then reissue lost pieces.

        The first step joins the computation.
        """
        if self._run is None:
            self._run = Run.find_or_create(self._connection, *self._request)
            self._run.clear_failures([*self._pending])
            yield from self._gather(self._run, [*self._pending])
        self._issue(self._run)
        deadline = time.monotonic() + LOOK_SECONDS
        while self._pending and (seconds := deadline - time.monotonic()) > 0:
            self._run.wait(seconds)
            yield from self._gather(self._run, [*self._issued])
            self._issue(self._run)
        self._reissue_lost(self._run)

    def _gather(self, run: Run, numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """Yield the results that exist of these pieces, and count them as done."""
        for number, result in run.results(numbers).items():
            self._pending.pop(number)
            self._issued.pop(number, None)
            yield number, result

    def _issue(self, run: Run) -> None:
        """Issue pieces in order, up to `PENDING_MAX` at the same time."""
        for number in self._pending:
            if len(self._issued) >= PENDING_MAX:
                return
            if number not in self._issued:
                self._issued[number] = IssuedPiece(self._put(run, number))

    def _reissue_lost(self, run: Run) -> None:
        """Reissue pieces that were neither in progress nor in the queue at `LOST_POLLS` polls in a row."""
        for number, issued in self._issued.items():
            is_alive = run.has_heartbeat(number) or self._queue.is_waiting(issued.job)
            issued.looks = 0 if is_alive else issued.looks + 1
            if issued.looks >= LOST_POLLS:
                issued.job, issued.looks = self._put(run, number), 0

    def _put(self, run: Run, number: int) -> str:
        self._attempts += 1
        return self._queue.issue(run, number, f"{self._token}-{self._attempts}")


def spread_over(url: str, answer_seconds: float = ANSWER_SECONDS_MAX) -> Spread:
    """Return a function that computes on the calculators of this queue.

    Raises `Finding` if there is no calculator or Redis does not respond, `BadServer` for a bad URL.
    """
    connection = valkey(url, socket_timeout=answer_seconds, socket_connect_timeout=answer_seconds, retry=NO_RETRY)
    try:
        count = Worker.count(queue=Queue(QUEUE, connection=connection))
    except RedisError as error:
        raise Finding(f"cannot reach the queues: {error}") from error
    if count == 0:
        raise Finding("no calculator is running; start one with `esporles run calculator`, on any host")
    return lambda kind, spec, parts: SpreadComputation(connection, kind, spec, parts).results()


def add_workers_option(parser: ArgumentParser, prefix: str = "") -> None:
    """Add the option `--workers`, false by default; `prefix` begins its help."""
    parser.add_argument(
        "--workers",
        action="store_true",
        help=f"{prefix}distribute the work to calculators (`esporles run calculator`)",
    )


def spread_from_environment() -> Spread:
    """Return the function that computes on the calculators of this environment's queue.

    Raises `WrongUsage` for a bad setting or without Redis, `Finding` without a calculator.
    """
    try:
        settings = Settings.from_environment(os.environ)
    except BadSetting as error:
        raise WrongUsage(str(error)) from error
    if not settings.redis:
        raise WrongUsage(f"--workers requires {names_of('redis')}, the queue of the calculators")
    return spread_over(settings.redis)


def spread_of(*, is_wanted: bool) -> Spread | None:
    """Return the function of `spread_from_environment` if `--workers` is given, else None; raise as it does."""
    return spread_from_environment() if is_wanted else None
