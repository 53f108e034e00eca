"""Long computations divided into pieces: their storage in Redis and the worker that computes a piece.

A run is identified by its content, so that it resumes after its caller was killed. A piece may be computed twice; the
results are equal and the first is kept.
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
"""A separate queue that only calculators process, so that matches never wait for it."""
PIECE: Final = "compute_piece"
KEPT_SECONDS: Final = 86_400
"""Seconds for which inputs and results are kept after the last access."""
PIECE_SECONDS_MAX: Final = 600
BEAT_SECONDS: Final = 1.0
BEAT_KEPT_MS: Final = 4_000
"""Milliseconds without a heartbeat after which a piece counts as abandoned."""
FAILURE_KEPT_SECONDS: Final = 3_600

Compute = Callable[[bytes], bytes]
"""A pure function that computes a piece."""
Kinds = Mapping[str, Callable[[bytes], Compute]]
"""Factories by kind of computation: shared input of a run -> function that computes a piece."""


class ComputationFailed(Exception):
    """The error of a piece that cannot be computed."""


class Run:
    """A computation stored in Redis."""

    def __init__(self, connection: Redis, run: str) -> None:
        self.id = run
        self._connection = connection
        self._key = f"esporles:computation:{run}"

    @classmethod
    def find_or_create(cls, connection: Redis, kind: str, version: str, spec: bytes, pieces: Sequence[bytes]) -> "Run":
        """Return the run of this computation, creating it or extending the life of an existing one.

        Its id is a hash of all arguments; it expires after `KEPT_SECONDS`.
        """
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
        """Return a field of the run; raise `ComputationFailed` if the run expired."""
        found: bytes | None = self._connection.hget(self._key, name)  # type: ignore[assignment]  # the client is synchronous
        if found is None:
            raise ComputationFailed(f"the computation {self.id} no longer exists")
        return found

    def results(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Return available results by piece; raise `ComputationFailed` if a piece failed."""
        found = self._many("out", numbers)
        for number, fault in self._many("fault", [number for number in numbers if number not in found]).items():
            raise ComputationFailed(f"piece {number} of the computation failed: {fault.decode()}")
        return found

    def _many(self, prefix: str, numbers: Sequence[int]) -> dict[int, bytes]:
        """Return the fields of this prefix that exist, by number."""
        if not numbers:
            return {}
        found: list[bytes | None] = self._connection.hmget(self._key, [f"{prefix}:{number}" for number in numbers])  # type: ignore[assignment]  # as above
        return {number: value for number, value in zip(numbers, found, strict=True) if value is not None}

    def store_result(self, number: int, prefix: str, value: bytes) -> None:
        """Store the first result of a piece ("out") or its failure ("fault"), and notify the waiting process."""
        with self._connection.pipeline() as pipeline:
            pipeline.hsetnx(self._key, f"{prefix}:{number}", value)
            pipeline.expire(self._key, KEPT_SECONDS)
            pipeline.rpush(f"{self._key}:rung", number)
            pipeline.expire(f"{self._key}:rung", KEPT_SECONDS)
            pipeline.execute()

    def clear_failures(self, numbers: Sequence[int]) -> None:
        """Delete the failures of earlier attempts, so that the pieces are tried again."""
        self._connection.hdel(self._key, *(f"fault:{number}" for number in numbers))

    def wait(self, seconds: float) -> None:
        """Wait for a finished piece, at most `seconds`."""
        self._connection.blpop([f"{self._key}:rung"], seconds)

    def has_heartbeat(self, number: int) -> bool:
        """Return whether a piece has a recent heartbeat."""
        return bool(self._connection.exists(self._beat(number)))

    @contextmanager
    def send_heartbeats(self, number: int) -> Iterator[None]:
        """Send heartbeats for a piece while the context is active."""
        done = threading.Event()

        def beat() -> None:
            while True:
                self._connection.set(self._beat(number), 1, px=BEAT_KEPT_MS)
                if done.wait(BEAT_SECONDS):
                    return

        heartbeat_thread = threading.Thread(target=beat, daemon=True)
        heartbeat_thread.start()
        try:
            yield
        finally:
            done.set()
            heartbeat_thread.join()

    def _beat(self, number: int) -> str:
        return f"{self._key}:at:{number}"


class Pieces:
    """The queue of pieces."""

    def __init__(self, connection: Redis) -> None:
        self._queue = Queue(QUEUE, connection=connection, serializer=JSONSerializer, default_timeout=PIECE_SECONDS_MAX)

    def issue(self, run: Run, number: int, attempt: str) -> str:
        """Enqueue a piece and return its job id."""
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
        """Return whether the job is still in the queue."""
        return self._queue.get_job_position(job_id) is not None


class Computer:
    """Computes pieces in a calculator process."""

    def __init__(self, connection: Redis, kinds: Kinds, version: str) -> None:
        self._connection = connection
        self._kinds = kinds
        self._version = version
        self._current: tuple[str, Compute] = ("", lambda piece: piece)

    def compute(self, run_id: str, number: int) -> None:
        """Compute a piece and store its result, unless one exists, or its error; a `RedisError` is raised instead.

        Heartbeats are sent in parallel.
        """
        run = Run(self._connection, run_id)
        with run.send_heartbeats(number):
            try:
                if not run.results([number]):
                    run.store_result(number, "out", self._compute_of(run)(run.field(f"in:{number}")))
            except RedisError:
                # Redis was briefly unavailable; the waiting process will notice the missing heartbeat.
                raise
            except Exception as error:  # The waiting process must learn of any error.
                run.store_result(number, "fault", f"{type(error).__name__}: {error}".encode())

    def _compute_of(self, run: Run) -> Compute:
        """Return the function of the run's kind, prepared with its specification; the last one is cached.

        Raise `ComputationFailed` for an unknown kind or another version, or if the run has expired.
        """
        if self._current[0] != run.id:
            kind, version = run.field("kind").decode(), run.field("version").decode()
            if version != self._version or kind not in self._kinds:
                raise ComputationFailed(
                    f"{kind} requires version {version}; this calculator has version {self._version}"
                )
            self._current = (run.id, self._kinds[kind](run.field("spec")))
        return self._current[1]
