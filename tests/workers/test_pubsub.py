"""Notifications between processes: subscribers wake up; without Redis they poll and lose nothing."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from uuid import UUID

import pytest
from redis import Redis

from projections.platform.messages import IDS_MAX, Advanced, Appended, Message
from projections.platform.pubsub import CHANNELS, PubSubClient

PATIENCE_SECONDS = 60.0
NEVER_SECONDS = 3_600.0
"""With this polling interval a subscriber is woken by a notification or the test fails."""


def match(number: int) -> UUID:
    return UUID(int=number)


class Subscriber:
    """A subscriber."""

    def __init__(
        self, url: str, hears: Sequence[type[Message]] = (Appended,), look_seconds: float = NEVER_SECONDS
    ) -> None:
        self._heard: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self.pubsub = PubSubClient(url, hears, self._heard.put, poll_seconds=look_seconds)

    def next_notification(self) -> Message | None:
        """Return the next notification, or None if one may have been missed."""
        return self._heard.get(timeout=PATIENCE_SECONDS)

    def wait_until_subscribed(self) -> "Subscriber":
        """Wait until it has subscribed to its own channel and the others."""
        for _ in range(2):
            assert self.next_notification() is None
        return self


@pytest.fixture
def waiting() -> Iterator[Callable[..., Subscriber]]:
    there, before = list[Subscriber](), set(threading.enumerate())

    def begin(*arguments: object, **more: object) -> Subscriber:
        there.append(Subscriber(*arguments, **more))  # type: ignore[arg-type]  # arguments of Waiting
        return there[-1]

    yield begin
    for each in there:
        each.pubsub.close()
    assert not [thread.name for thread in set(threading.enumerate()) - before if thread.name.startswith("doorbell")]


def test_subscribers_receive_the_streams_that_have_grown(redis_url: str, waiting: Callable[..., Subscriber]) -> None:
    service, follower = waiting(redis_url, (Advanced,)), waiting(redis_url).wait_until_subscribed()

    service.pubsub.publish(Appended(7, {match(1): 3}))
    heard = follower.next_notification()

    assert isinstance(heard, Appended)
    assert (heard.position, heard.versions) == (7, {match(1): 3})


def test_a_follower_notifies_subscribers_of_read_models(redis_url: str, waiting: Callable[..., Subscriber]) -> None:
    service, follower = waiting(redis_url, (Advanced,)).wait_until_subscribed(), waiting(redis_url)

    follower.pubsub.publish(Advanced({"replay": 9}, ("m",)))
    heard = service.next_notification()

    assert isinstance(heard, Advanced)
    assert (heard.positions, heard.ids) == ({"replay": 9}, ("m",))


def test_own_and_unsubscribed_notifications_are_ignored(redis_url: str, waiting: Callable[..., Subscriber]) -> None:
    one, other = waiting(redis_url).wait_until_subscribed(), waiting(redis_url, (Advanced,))

    one.pubsub.publish(Appended(1, {}))
    one.pubsub.publish(Advanced({}, ()))
    other.pubsub.publish(Advanced({}, ()))
    other.pubsub.publish(Appended(2, {}))
    heard = one.next_notification()

    assert isinstance(heard, Appended)
    assert heard.position == 2


@pytest.mark.parametrize("rings", [1, 2, 100])
def test_notifications_cover_every_position(redis_url: str, waiting: Callable[..., Subscriber], rings: int) -> None:
    service, follower = waiting(redis_url, (Advanced,)), waiting(redis_url).wait_until_subscribed()
    for position in range(1, rings + 1):
        service.pubsub.publish(Appended(position, {match(position): position}))

    told, positions = dict[UUID, int](), [0]
    while positions[-1] < rings:
        heard = follower.next_notification()
        assert isinstance(heard, Appended)
        told |= heard.versions
        positions.append(heard.position)

    assert told == {match(position): position for position in range(1, rings + 1)}
    assert positions == sorted(set(positions))


def test_a_notification_of_too_many_streams_means_all() -> None:
    many = Appended(1, {match(number): 1 for number in range(IDS_MAX)}).merge(Appended(2, {match(IDS_MAX): 1}))
    read = Advanced({"a": 1}, tuple(map(str, range(IDS_MAX)))).merge(Advanced({"b": 2}, ("more",)))
    few = Appended(1, {match(1): 4}).merge(Appended(2, {match(1): 3, match(2): 1}))

    assert (many.position, many.versions, many.is_cut) == (2, {}, True)
    assert (read.positions, read.ids, read.is_cut) == ({"a": 1, "b": 2}, (), True)
    assert (few.versions, few.is_cut) == ({match(1): 4, match(2): 1}, False)


def test_an_unreadable_notification_triggers_a_poll(redis_url: str, waiting: Callable[..., Subscriber]) -> None:
    follower = waiting(redis_url).wait_until_subscribed()

    with Redis.from_url(redis_url) as connection:
        connection.publish(CHANNELS[Appended], "17")

    assert follower.next_notification() is None


def test_without_redis_subscribers_poll(dead_redis_url: str, waiting: Callable[..., Subscriber]) -> None:
    lonely, without = waiting(dead_redis_url, look_seconds=0.001), waiting("", look_seconds=0.001)

    for each in (lonely, without):
        each.pubsub.publish(Appended(1, {}))
        assert each.next_notification() is None
        assert each.next_notification() is None


def test_reconnecting_makes_up_for_missed_notifications(redis_url: str, waiting: Callable[..., Subscriber]) -> None:
    service, follower = waiting(redis_url, (Advanced,)), waiting(redis_url).wait_until_subscribed()

    with Redis.from_url(redis_url) as connection:
        connection.client_kill_filter(_type="pubsub")
    follower.wait_until_subscribed()
    service.pubsub.publish(Appended(5, {}))
    heard: Message | None = None
    while heard is None:
        heard = follower.next_notification()

    assert isinstance(heard, Appended)
    assert heard.position == 5


def test_unsent_notifications_are_sent_after_reconnecting(redis_url: str, waiting: Callable[..., Subscriber]) -> None:
    service, follower = waiting(redis_url, (Advanced,)), waiting(redis_url).wait_until_subscribed()
    service.pubsub.publish(Appended(1, {match(1): 1}))
    assert follower.next_notification() is not None

    with Redis.from_url(redis_url) as connection:
        connection.client_kill_filter(_type="normal", skipme=True)
    service.pubsub.publish(Appended(2, {match(2): 1}))
    heard = follower.next_notification()

    assert isinstance(heard, Appended)
    assert heard.versions == {match(2): 1}
