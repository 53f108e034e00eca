"""A computation of this command, computed by the calculators of all hosts: issued, issued again where it was lost, and
gathered."""

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

UNDER_WAY: Final = 64
"""The pieces that lie in the queue or are at work at the same time."""
LOOK_SECONDS: Final = 1.0
ANSWER_SECONDS_MAX: Final = 10.0
"""A database of the queue that says nothing for so long counts as away: its host may be cut off."""
LOST_LOOKS: Final = 3
"""A piece that is neither in the queue nor at work for so many looks is lost, and issued anew."""
AWAY: Final = Backoff(0.5, 5.0)
AWAY_MAX: Final = 60
"""So often the queue's database is asked again when it does not answer."""

ONCE: Final = Retry(NoBackoff(), 0)

Spread = Callable[[str, bytes, Sequence[bytes]], Iterator[tuple[int, bytes]]]
"""Computes pieces of a kind; their results with their numbers, in the order in which they are done."""


class Issued(msgspec.Struct):
    """A piece that somebody has been asked for."""

    job: str
    looks: int = 0
    """How often it has been nowhere."""


class Spreading:
    """The pieces of one computation."""

    def __init__(self, connection: Redis, kind: str, spec: bytes, pieces: Sequence[bytes]) -> None:
        self._connection = connection
        self._wanted = (kind, VERSION, spec, pieces)
        self._queue = Pieces(connection)
        self._left = dict.fromkeys(range(len(pieces)))
        self._issued = dict[int, Issued]()
        self._attempts = 0
        self._own = secrets.token_hex(4)
        self._run: Run | None = None

    def results(self) -> Iterator[tuple[int, bytes]]:
        """All of them; those of an earlier command that wanted the same are there already."""
        failures = 0
        while self._left:
            try:
                yield from self._step()
                failures = 0
            except ComputationFailed as failed:
                raise Finding(str(failed)) from failed
            except RedisError as error:
                failures += 1
                if failures > AWAY_MAX:
                    raise Finding(
                        f"the queues are away; the same command goes on where this one was: {error}"
                    ) from error
                # What lay there may be gone: it is asked for again.
                self._run, self._issued = None, {}
                time.sleep(AWAY.delay(failures))

    def _step(self) -> Iterator[tuple[int, bytes]]:
        if self._run is None:
            self._run = Run.wanted(self._connection, *self._wanted)
            self._run.forgive([*self._left])
            yield from self._gather(self._run, [*self._left])
        self._issue(self._run)
        until = time.monotonic() + LOOK_SECONDS
        while self._left and (seconds := until - time.monotonic()) > 0:
            self._run.wait(seconds)
            yield from self._gather(self._run, [*self._issued])
            self._issue(self._run)
        self._look(self._run)

    def _gather(self, run: Run, numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        for number, result in run.results(numbers).items():
            self._left.pop(number)
            self._issued.pop(number, None)
            yield number, result

    def _issue(self, run: Run) -> None:
        for number in self._left:
            if len(self._issued) >= UNDER_WAY:
                return
            if number not in self._issued:
                self._issued[number] = Issued(self._put(run, number))

    def _look(self, run: Run) -> None:
        """What is nowhere has been lost with whoever had it."""
        for number, issued in self._issued.items():
            is_there = run.is_at_work(number) or self._queue.is_waiting(issued.job)
            issued.looks = 0 if is_there else issued.looks + 1
            if issued.looks >= LOST_LOOKS:
                issued.job, issued.looks = self._put(run, number), 0

    def _put(self, run: Run, number: int) -> str:
        self._attempts += 1
        return self._queue.issue(run, number, f"{self._own}-{self._attempts}")


def spread_over(url: str, answer_seconds: float = ANSWER_SECONDS_MAX) -> Spread:
    """Over the calculators that take their pieces from there; there must be one."""
    connection = valkey(url, socket_timeout=answer_seconds, socket_connect_timeout=answer_seconds, retry=ONCE)
    try:
        count = Worker.count(queue=Queue(QUEUE, connection=connection))
    except RedisError as error:
        raise Finding(f"the queues are away: {error}") from error
    if count == 0:
        raise Finding("no calculator takes pieces from the queue: `esporles run calculator` starts one, on any host")
    return lambda kind, spec, pieces: Spreading(connection, kind, spec, pieces).results()


def take_workers(parser: ArgumentParser, when: str = "") -> None:
    """The option `--workers`."""
    parser.add_argument(
        "--workers",
        action="store_true",
        help=f"{when}compute on the calculators of all hosts (`esporles run calculator`)",
    )


def spread_from_environment() -> Spread:
    """Return what `--workers` computes on: the calculators of the queue in this environment."""
    try:
        settings = Settings.from_environment(os.environ)
    except BadSetting as error:
        raise WrongUsage(str(error)) from error
    if not settings.redis:
        raise WrongUsage(f"--workers needs {names_of('redis')}: where the calculators take their pieces from")
    return spread_over(settings.redis)


def spread_of(*, is_wanted: bool) -> Spread | None:
    """Return what `--workers` computes on, if it is given."""
    return spread_from_environment() if is_wanted else None
