"""Notifications between processes by Redis publish/subscribe.

Losing Redis loses nothing: subscribers then poll every `look_seconds`, unsent notifications are sent after
reconnecting, and a subscriber that was disconnected polls once.
"""

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Final

import msgspec
import structlog
from redis import Redis
from redis.backoff import NoBackoff
from redis.client import PubSub
from redis.exceptions import RedisError
from redis.retry import Retry

from projections.platform.backoff import Backoff, Failures
from projections.platform.messages import Advanced, Appended, Attended, Message, Presented
from projections.platform.valkey import valkey

CHANNELS: Final[Mapping[type[Message], str]] = {
    Appended: "esporles:appended",
    Advanced: "esporles:advanced",
    Presented: "esporles:presented",
    Attended: "esporles:attended",
}
"""The channel of each kind of notification; a process subscribes only to those it needs."""
POLL_SECONDS: Final = 0.25
"""Polling interval in seconds without Redis."""
PUBLISH_SECONDS: Final = 0.02
"""Least interval between notifications; later ones are merged into the next."""
RECONNECTIONS: Final = Backoff(0.1, 2.0)
ANSWER_SECONDS_MAX: Final = 1.0
CLOSE_SECONDS_MAX: Final = 2.0
SOURCE_BYTES: Final = 8

MESSAGE: Final = msgspec.json.Decoder(Appended | Advanced | Presented | Attended)

Listener = Callable[[Message | None], None]
"""Called in a listener thread for every notification; with None if some may have been missed."""

logger = structlog.get_logger("doorbell")


def subscription_of(redis: Redis) -> PubSub:
    """Return a subscription of the connection."""
    return redis.pubsub()  # type: ignore[no-untyped-call, no-any-return]  # untyped in redis-py


class PubSubClient:
    """Publishes notifications of this process and listens to others'; without a URL it only polls."""

    def __init__(
        self,
        url: str,
        message_kinds: Sequence[type[Message]],
        listener: Listener,
        *,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        self._url = url
        self._listener = listener
        self._poll_seconds = poll_seconds
        self._source = secrets.token_hex(SOURCE_BYTES)
        self._own_channel = f"esporles:{self._source}"
        self._channels = tuple(CHANNELS[kind] for kind in message_kinds)
        self._poll_at = monotonic() + poll_seconds
        self._closing = threading.Event()
        self._wake = threading.Event()
        self._lock = threading.Lock()
        self._pending: dict[type[Message], Message] = {}
        self._threads = [threading.Thread(target=self._listen, name="doorbell-listen", daemon=True)]
        if url:
            self._threads.append(threading.Thread(target=self._publish_pending, name="doorbell-ring", daemon=True))
        for thread in self._threads:
            thread.start()

    def publish(self, message: Message) -> None:
        """Publish a notification soon, as from this process; thread-safe, never blocks, does nothing without a URL."""
        if self._url:
            with self._lock:
                self._put(msgspec.structs.replace(message, source=self._source))
            self._wake.set()

    def close(self) -> None:
        """Stop both threads; unsent notifications are lost, which polling makes up for."""
        self._closing.set()
        self._wake.set()
        if self._url:
            with suppress(RedisError, OSError), self._connection(ANSWER_SECONDS_MAX) as redis:
                # The listener blocks in a read, which only a message ends.
                redis.publish(self._own_channel, b"")
        for thread in self._threads:
            thread.join(CLOSE_SECONDS_MAX)

    def _connection(self, answer_seconds: float | None) -> Redis:
        """Return a client with this time limit for answers, without retries."""
        return valkey(
            self._url,
            socket_timeout=answer_seconds,
            socket_connect_timeout=ANSWER_SECONDS_MAX,
            retry=Retry(NoBackoff(), 0),
        )

    def _put(self, message: Message) -> None:
        pending = self._pending.get(type(message))
        # Notifications of a type are merged until they are sent.
        self._pending[type(message)] = message if pending is None else pending.merge(message)  # type: ignore[arg-type]

    def _publish_pending(self) -> None:
        """Publish the first notification at once, and later ones at intervals, until the client is closed.

        After a failure notifications are queued again, and sent after a growing delay.
        """
        failures = Failures(RECONNECTIONS)
        with self._connection(ANSWER_SECONDS_MAX) as redis:
            while not self._closing.is_set():
                self._wake.wait()
                self._wake.clear()
                with self._lock:
                    messages, self._pending = tuple(self._pending.values()), {}
                try:
                    for message in messages:
                        redis.publish(CHANNELS[type(message)], msgspec.json.encode(message))
                except (RedisError, OSError):
                    self._requeue(messages)
                    self._closing.wait(failures.fail())
                else:
                    failures.succeed()
                    self._closing.wait(PUBLISH_SECONDS)

    def _requeue(self, messages: Sequence[Message]) -> None:
        """Put unsent notifications back, merged with the next of their kind."""
        with self._lock:
            newer, self._pending = tuple(self._pending.values()), {}
            for message in (*messages, *newer):
                self._put(message)
        self._wake.set()

    def _listen(self) -> None:
        """Pass on notifications until the client is closed; poll while the server is away, or without a URL."""
        failures = Failures(RECONNECTIONS)
        while self._url and not self._closing.is_set():
            with suppress(RedisError, OSError):
                self._receive_all(failures)
            self._poll_for(failures.fail())
        while not self._closing.is_set():
            self._poll_for(self._poll_seconds)

    def _receive_all(self, failures: Failures) -> None:
        """Pass on notifications until the connection breaks or the client is closed; poll once after subscribing."""
        with self._connection(None) as redis, subscription_of(redis) as subscription:
            subscription.subscribe(self._own_channel, *self._channels)
            for message in subscription.listen():  # type: ignore[no-untyped-call]  # untyped in redis-py
                if self._closing.is_set():
                    return
                if message["type"] == "message":
                    self._receive_one(message["data"])
                else:
                    # After subscribing, a poll makes up for earlier notifications.
                    failures.succeed()
                    self._listener(None)

    def _receive_one(self, data: bytes) -> None:
        """Pass on a notification of another process; poll for an unreadable one, and ignore this process's."""
        try:
            message = MESSAGE.decode(data)
        except msgspec.DecodeError:
            logger.warning("unreadable notification; polling instead", data=data[:100])
            self._listener(None)
            return
        if message.source != self._source:
            self._listener(message)

    def _poll_for(self, seconds: float) -> None:
        """Poll at intervals for this many seconds."""
        deadline = monotonic() + seconds
        while (now := monotonic()) < deadline and not self._closing.is_set():
            if now >= self._poll_at:
                self._poll_at = now + self._poll_seconds
                self._listener(None)
            self._closing.wait(min(deadline, self._poll_at) - now)
