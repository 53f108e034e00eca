"""Waiting for something new: a hint by Redis, or a look from time to time; without Redis only the look is left."""

import threading
import time
from typing import Final

from redis import Redis
from redis.backoff import NoBackoff
from redis.client import PubSub
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

CHANNEL: Final = "esporles:doorbell"
"""Whoever appends publishes the position here; must agree with the service, which rings."""
LOOK_SECONDS: Final = 0.25
"""The longest an entry waits when nobody rang."""
LOOK_SECONDS_WITHOUT: Final = 0.05
"""The same while there is no doorbell at all."""
REPAIR_SECONDS: Final = 1.0


class Doorbell:
    """Waits until somebody rings, the time is over, or it is told to stop."""

    def __init__(self, url: str, stopping: threading.Event, look_seconds: float = LOOK_SECONDS) -> None:
        self._url = url
        self._look_seconds = look_seconds
        self._stopping = stopping
        self._bell: PubSub | None = None
        self._repair_at = 0.0

    def wait(self) -> None:
        bell = self._hung_up()
        if bell is None:
            self._stopping.wait(LOOK_SECONDS_WITHOUT)
            return
        try:
            # Whatever rang while we were busy has been read already or is read next: one look answers them all.
            timeout = self._look_seconds
            while bell.get_message(timeout=timeout) is not None:
                timeout = 0
        except (RedisConnectionError, RedisTimeoutError, OSError):
            self.close()

    def close(self) -> None:
        if self._bell is not None:
            self._bell.close()
        self._bell, self._repair_at = None, time.monotonic() + REPAIR_SECONDS

    def _hung_up(self) -> PubSub | None:
        """The subscription, made again from time to time when it is lost."""
        if self._bell is None and self._url and time.monotonic() >= self._repair_at:
            # A blocking read must not end by redis-py's own five seconds; get_message brings its own limit.
            connection = Redis.from_url(self._url, socket_timeout=None, retry=Retry(NoBackoff(), 0))
            try:
                self._bell = connection.pubsub()  # type: ignore[no-untyped-call]  # redis-py left it so
                self._bell.subscribe(CHANNEL)
            except (RedisConnectionError, RedisTimeoutError, OSError):
                self.close()
        return self._bell
