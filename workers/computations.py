"""Long computations cut into pieces: what lies in the queue's database of each, and how a piece is computed there.

A run is known by what is computed, so that the same one goes on where it was when whoever wanted it is killed. A piece
may be computed twice: it comes out the same, and the first result stays.
"""

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from redis import Redis
from redis.exceptions import RedisError
from rq import Queue
from rq.serializers import JSONSerializer

QUEUE: Final = "esporles-computations"
"""Apart from those that matches wait for: it is worked on by calculators alone."""
PIECE: Final = "compute_piece"
KEPT_SECONDS: Final = 86_400
"""How long inputs and results stay after they were last touched."""
PIECE_SECONDS_MAX: Final = 600
BEAT_SECONDS: Final = 1.0
BEAT_KEPT_MS: Final = 4_000
"""Of a piece at which nobody has been seen for so long nobody is at work any more."""
FAILURE_KEPT_SECONDS: Final = 3_600

Compute = Callable[[bytes], bytes]
"""Computes a piece; pure: the same bytes give the same bytes."""
Kinds = Mapping[str, Callable[[bytes], Compute]]
"""What can be computed: for what all pieces of a run share, how one of them is."""


class ComputationFailed(Exception):
    """A piece cannot be computed."""


class Run:
    """A computation in the queue's database."""

    def __init__(self, connection: Redis, run: str) -> None:
        self.id = run
        self._connection = connection
        self._key = f"esporles:computation:{run}"

    @classmethod
    def wanted(cls, connection: Redis, kind: str, version: str, spec: bytes, pieces: Sequence[bytes]) -> "Run":
        """The run of this computation, whoever asked for it first; what is there of it stays."""
        digest = hashlib.sha256()
        for part in (kind.encode(), version.encode(), spec, *pieces):
            digest.update(len(part).to_bytes(8, "big") + part)
        run = cls(connection, digest.hexdigest()[:32])
        with connection.pipeline() as pipeline:
            pipeline.hset(run._key, mapping={"kind": kind, "version": version, "spec": spec})
            for number, piece in enumerate(pieces):
                pipeline.hset(run._key, f"in:{number}", piece)
            pipeline.expire(run._key, KEPT_SECONDS)
            pipeline.execute()
        return run

    def field(self, name: str) -> bytes:
        """What the run says; `ComputationFailed` where it is gone."""
        found: bytes | None = self._connection.hget(self._key, name)  # type: ignore[assignment]  # the client is not asyncio's
        if found is None:
            raise ComputationFailed(f"the computation {self.id} is not there any more")
        return found

    def results(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """The results that are there, by piece; `ComputationFailed` says why one cannot be had."""
        found = self._many("out", numbers)
        for number, why in self._many("fault", [number for number in numbers if number not in found]).items():
            raise ComputationFailed(f"piece {number} of the computation could not be computed: {why.decode()}")
        return found

    def _many(self, prefix: str, numbers: Sequence[int]) -> dict[int, bytes]:
        if not numbers:
            return {}
        found: list[bytes | None] = self._connection.hmget(self._key, [f"{prefix}:{number}" for number in numbers])  # type: ignore[assignment]  # the same
        return {number: value for number, value in zip(numbers, found, strict=True) if value is not None}

    def keep(self, number: int, prefix: str, value: bytes) -> None:
        """The first result of a piece, or why there is none; whoever waits is rung."""
        with self._connection.pipeline() as pipeline:
            pipeline.hsetnx(self._key, f"{prefix}:{number}", value)
            pipeline.expire(self._key, KEPT_SECONDS)
            pipeline.rpush(f"{self._key}:rung", number)
            pipeline.expire(f"{self._key}:rung", KEPT_SECONDS)
            pipeline.execute()

    def forgive(self, numbers: Sequence[int]) -> None:
        """What failed in an earlier attempt is tried again."""
        self._connection.hdel(self._key, *(f"fault:{number}" for number in numbers))

    def wait(self, seconds: float) -> None:
        """Until a piece is done, or for so long."""
        self._connection.blpop([f"{self._key}:rung"], seconds)

    def is_at_work(self, number: int) -> bool:
        """Whether somebody has just been seen at a piece."""
        return bool(self._connection.exists(self._beat(number)))

    @contextmanager
    def at_work(self, number: int) -> Iterator[None]:
        """Shows that somebody is at a piece for as long as they live."""
        done = threading.Event()

        def beat() -> None:
            while True:
                self._connection.set(self._beat(number), 1, px=BEAT_KEPT_MS)
                if done.wait(BEAT_SECONDS):
                    return

        beating = threading.Thread(target=beat, daemon=True)
        beating.start()
        try:
            yield
        finally:
            done.set()
            beating.join()

    def _beat(self, number: int) -> str:
        return f"{self._key}:at:{number}"


class Pieces:
    """The queue of pieces."""

    def __init__(self, connection: Redis) -> None:
        self._queue = Queue(QUEUE, connection=connection, serializer=JSONSerializer, default_timeout=PIECE_SECONDS_MAX)

    def issue(self, run: Run, number: int, attempt: str) -> str:
        job_id = f"piece-{run.id}-{number}-{attempt}"
        self._queue.enqueue_call(
            PIECE,
            args=(run.id, number),
            job_id=job_id,
            timeout=PIECE_SECONDS_MAX,
            result_ttl=0,
            failure_ttl=FAILURE_KEPT_SECONDS,
            description=job_id,
        )
        return job_id

    def is_waiting(self, job_id: str) -> bool:
        return self._queue.get_job_position(job_id) is not None


class Computer:
    """Computes pieces in a process: the job of a calculator."""

    def __init__(self, connection: Redis, kinds: Kinds, version: str) -> None:
        self._connection = connection
        self._kinds = kinds
        self._version = version
        self._known: tuple[str, Compute] = ("", lambda piece: piece)

    def compute(self, run_id: str, number: int) -> None:
        """One piece, unless its result is there; what goes wrong is said to whoever waits for it."""
        run = Run(self._connection, run_id)
        with run.at_work(number):
            try:
                if not run.results([number]):
                    run.keep(number, "out", self._compute_of(run)(run.field(f"in:{number}")))
            except RedisError:
                # The queue's database was away for a moment: whoever wants the piece finds that nobody is at it.
                raise
            except Exception as error:  # Whatever it is, somebody waits to hear of it.
                run.keep(number, "fault", f"{type(error).__name__}: {error}".encode())

    def _compute_of(self, run: Run) -> Compute:
        if self._known[0] != run.id:
            kind, version = run.field("kind").decode(), run.field("version").decode()
            if version != self._version or kind not in self._kinds:
                raise ComputationFailed(f"{kind} of version {version}; this calculator is of {self._version}")
            self._known = (run.id, self._kinds[kind](run.field("spec")))
        return self._known[1]
