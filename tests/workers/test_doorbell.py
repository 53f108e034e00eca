"""The doorbell: whoever waits is woken; a lost Redis only means looking from time to time."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from redis import Redis

from api.web import bells
from projections.doorbell import CHANNEL, Doorbell

PATIENCE_SECONDS = 60.0


class Waiting:
    """Somebody who waits at the door, over and over, until told to stop."""

    def __init__(self, url: str) -> None:
        self._stopping = threading.Event()
        self._woken = threading.Semaphore(0)
        self._bell = Doorbell(url, self._stopping, look_seconds=2 * PATIENCE_SECONDS)
        self._thread = threading.Thread(target=self._wait)
        self._thread.start()

    def _wait(self) -> None:
        while not self._stopping.is_set():
            self._bell.wait()
            self._woken.release()
        self._bell.close()

    def is_woken(self) -> bool:
        return self._woken.acquire(timeout=PATIENCE_SECONDS)

    def stop(self, connection: Redis | None = None) -> None:
        """It ends; where it waits by a bell, that is rung until it has ended."""
        self._stopping.set()
        while connection is not None and self._thread.is_alive():
            connection.publish(CHANNEL, 1)
        self._thread.join(PATIENCE_SECONDS)
        assert not self._thread.is_alive()


@pytest.fixture
def connection(redis_url: str) -> Iterator[Redis]:
    connection = Redis.from_url(redis_url)
    yield connection
    connection.close()


def ring(connection: Redis) -> None:
    """Rings until somebody has heard it."""
    while connection.publish(CHANNEL, 1) == 0:
        pass


def test_whoever_waits_is_woken_by_the_bell(redis_url: str, connection: Redis) -> None:
    waiting = Waiting(redis_url)

    ring(connection)

    assert waiting.is_woken()
    waiting.stop(connection)


def test_without_a_bell_one_looks_from_time_to_time(dead_redis_url: str) -> None:
    waiting = Waiting(dead_redis_url)

    assert waiting.is_woken()
    assert waiting.is_woken()
    waiting.stop()


def test_with_no_redis_at_all_one_looks_from_time_to_time() -> None:
    waiting = Waiting("")

    assert waiting.is_woken()
    waiting.stop()


def test_a_bell_that_was_lost_is_hung_up_again(redis_url: str, connection: Redis) -> None:
    waiting = Waiting(redis_url)
    ring(connection)
    assert waiting.is_woken()

    connection.client_kill_filter(_type="pubsub")

    assert waiting.is_woken()
    ring(connection)
    waiting.stop(connection)


@pytest.mark.parametrize("rings", [1, 2, 100])
def test_the_service_rings_for_what_it_appends_up_to_the_last(redis_url: str, connection: Redis, rings: int) -> None:
    told = connection.pubsub()  # type: ignore[no-untyped-call]  # redis-py left it so
    told.subscribe(bells.DOORBELL)
    assert told.get_message(timeout=PATIENCE_SECONDS)["type"] == "subscribe"

    async def append() -> None:
        door = bells.Doorbell(redis_url, bells.Bells())
        for position in range(1, rings + 1):
            door.ring(position)
            await asyncio.sleep(0)
        await asyncio.to_thread(heard)
        await door.close()

    positions = list[int]()

    def heard() -> None:
        while rings not in positions:
            message = told.get_message(timeout=PATIENCE_SECONDS)
            assert message is not None, positions
            positions.append(int(message["data"]))

    # On a thread of its own: where a browser is driven in the same process, this one has a loop already.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, append()).result()
    told.close()

    assert positions[0] == 1
    assert positions == sorted(set(positions))
