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
        self, url: str, message_types: Sequence[type[Message]] = (Appended,), poll_seconds: float = NEVER_SECONDS
    ) -> None:
        self._received: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self.pubsub = PubSubClient(url, message_types, self._received.put, poll_seconds=poll_seconds)

    def next_notification(self) -> Message | None:
        """Return the next notification, or None if one may have been missed."""
        return self._received.get(timeout=PATIENCE_SECONDS)

    def wait_until_subscribed(self) -> "Subscriber":
        """Wait until it has subscribed to its own channel and the others."""
        for _ in range(2):
            assert self.next_notification() is None
        return self


@pytest.fixture
def new_subscriber() -> Iterator[Callable[..., Subscriber]]:
    subscribers, before = list[Subscriber](), set(threading.enumerate())

    def create(*args: object, **options: object) -> Subscriber:
        subscribers.append(Subscriber(*args, **options))  # type: ignore[arg-type]  # arguments of Subscriber
        return subscribers[-1]

    yield create
    for subscriber in subscribers:
        subscriber.pubsub.close()
    assert not [thread.name for thread in set(threading.enumerate()) - before if thread.name.startswith("doorbell")]


def test_subscribers_receive_the_streams_that_have_grown(
    redis_url: str, new_subscriber: Callable[..., Subscriber]
) -> None:
    service, follower = new_subscriber(redis_url, (Advanced,)), new_subscriber(redis_url).wait_until_subscribed()

    service.pubsub.publish(Appended(7, {match(1): 3}))
    notification = follower.next_notification()

    assert isinstance(notification, Appended)
    assert (notification.position, notification.versions) == (7, {match(1): 3})


def test_a_follower_notifies_subscribers_of_read_models(
    redis_url: str, new_subscriber: Callable[..., Subscriber]
) -> None:
    service, follower = new_subscriber(redis_url, (Advanced,)).wait_until_subscribed(), new_subscriber(redis_url)

    follower.pubsub.publish(Advanced({"replay": 9}, ("m",)))
    notification = service.next_notification()

    assert isinstance(notification, Advanced)
    assert (notification.positions, notification.ids) == ({"replay": 9}, ("m",))


def test_own_and_unsubscribed_notifications_are_ignored(
    redis_url: str, new_subscriber: Callable[..., Subscriber]
) -> None:
    first, second = new_subscriber(redis_url).wait_until_subscribed(), new_subscriber(redis_url, (Advanced,))

    first.pubsub.publish(Appended(1, {}))
    first.pubsub.publish(Advanced({}, ()))
    second.pubsub.publish(Advanced({}, ()))
    second.pubsub.publish(Appended(2, {}))
    notification = first.next_notification()

    assert isinstance(notification, Appended)
    assert notification.position == 2


@pytest.mark.parametrize("notification_count", [1, 2, 100])
def test_notifications_cover_every_position(
    redis_url: str, new_subscriber: Callable[..., Subscriber], notification_count: int
) -> None:
    service, follower = new_subscriber(redis_url, (Advanced,)), new_subscriber(redis_url).wait_until_subscribed()
    for position in range(1, notification_count + 1):
        service.pubsub.publish(Appended(position, {match(position): position}))

    versions, positions = dict[UUID, int](), [0]
    while positions[-1] < notification_count:
        notification = follower.next_notification()
        assert isinstance(notification, Appended)
        versions |= notification.versions
        positions.append(notification.position)

    assert versions == {match(position): position for position in range(1, notification_count + 1)}
    assert positions == sorted(set(positions))


def test_a_notification_of_too_many_streams_means_all() -> None:
    many = Appended(1, {match(number): 1 for number in range(IDS_MAX)}).merge(Appended(2, {match(IDS_MAX): 1}))
    projections = Advanced({"a": 1}, tuple(map(str, range(IDS_MAX)))).merge(Advanced({"b": 2}, ("more",)))
    few = Appended(1, {match(1): 4}).merge(Appended(2, {match(1): 3, match(2): 1}))

    assert (many.position, many.versions, many.is_cut) == (2, {}, True)
    assert (projections.positions, projections.ids, projections.is_cut) == ({"a": 1, "b": 2}, (), True)
    assert (few.versions, few.is_cut) == ({match(1): 4, match(2): 1}, False)


def test_an_unreadable_notification_triggers_a_poll(redis_url: str, new_subscriber: Callable[..., Subscriber]) -> None:
    follower = new_subscriber(redis_url).wait_until_subscribed()

    with Redis.from_url(redis_url) as connection:
        connection.publish(CHANNELS[Appended], "17")

    assert follower.next_notification() is None


def test_without_redis_subscribers_poll(dead_redis_url: str, new_subscriber: Callable[..., Subscriber]) -> None:
    unreachable, without_url = (
        new_subscriber(dead_redis_url, poll_seconds=0.001),
        new_subscriber("", poll_seconds=0.001),
    )

    for each in (unreachable, without_url):
        each.pubsub.publish(Appended(1, {}))
        assert each.next_notification() is None
        assert each.next_notification() is None


def test_reconnecting_makes_up_for_missed_notifications(
    redis_url: str, new_subscriber: Callable[..., Subscriber]
) -> None:
    service, follower = new_subscriber(redis_url, (Advanced,)), new_subscriber(redis_url).wait_until_subscribed()

    with Redis.from_url(redis_url) as connection:
        connection.client_kill_filter(_type="pubsub")
    follower.wait_until_subscribed()
    service.pubsub.publish(Appended(5, {}))
    notification: Message | None = None
    while notification is None:
        notification = follower.next_notification()

    assert isinstance(notification, Appended)
    assert notification.position == 5


def test_unsent_notifications_are_sent_after_reconnecting(
    redis_url: str, new_subscriber: Callable[..., Subscriber]
) -> None:
    service, follower = new_subscriber(redis_url, (Advanced,)), new_subscriber(redis_url).wait_until_subscribed()
    service.pubsub.publish(Appended(1, {match(1): 1}))
    assert follower.next_notification() is not None

    with Redis.from_url(redis_url) as connection:
        connection.client_kill_filter(_type="normal", skipme=True)
    service.pubsub.publish(Appended(2, {match(2): 1}))
    notification = follower.next_notification()

    assert isinstance(notification, Appended)
    assert notification.versions == {match(2): 1}
