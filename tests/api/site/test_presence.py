"""Presence at a table: shared between processes and shown according to each person's preference."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from functools import wraps
from typing import Any
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.languages import use_language
from api.http.notifier import Notifier
from api.http.stream_responses import Chunk
from api.matches.presence import NAMED_MAX, NO_ATTENDANCE, Attendance, Presence, Visit, topic_of
from api.matches.service import MATCHES
from api.site.pages.presence import (
    AttendanceFrame,
    PresenceEvent,
    describe_spectators,
    encode_event_of,
    hidden_seats,
    seat_statuses,
    without_blockers,
)
from projections.platform.messages import Attended
from projections.platform.pubsub import CHANNELS
from tests.api.service import PATIENCE_SECONDS, Person, start_match

TABLE, OTHER = UUID(int=1), UUID(int=2)
ANN, BEN = Visit("ann", "player"), Visit("ben", "named")


def story(scenario: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Run a test on a new event loop."""

    @wraps(scenario)
    def run() -> None:
        asyncio.run(scenario())

    return run


def two_processes(grace: float = 0.0, lasts: float = 30.0) -> tuple[Presence, Presence, list[Attended]]:
    """Return two processes that receive each other's encoded notifications."""
    loop, events = asyncio.get_running_loop(), list[Attended]()
    both = Presence(Notifier(loop), grace, lasts), Presence(Notifier(loop), grace, lasts)

    def tell(source: str, other: Presence) -> Callable[[Attended], None]:
        def notify(event: Attended) -> None:
            events.append(event)
            sent = msgspec.json.encode(msgspec.structs.replace(event, source=source))
            other.receive(msgspec.json.decode(sent, type=Attended))

        return notify

    both[0].set_sender(tell("one", both[1]))
    both[1].set_sender(tell("two", both[0]))
    return *both, events


async def wait_for_attendance(presence: Presence, wanted: Attendance, table: UUID = TABLE) -> None:
    while presence.of(table) != wanted:
        await asyncio.sleep(0)


@story
async def test_pages_of_all_processes_count_and_leaving_is_notified() -> None:
    local, remote, _ = two_processes()
    with ExitStack() as pages:
        pages.enter_context(local.visit(TABLE, ANN))
        pages.enter_context(remote.visit(TABLE, BEN))
        for visit in (Visit("", "counted"), Visit("", "counted"), Visit("cleo", "counted"), Visit("cleo", "counted")):
            pages.enter_context(remote.visit(TABLE, visit))
        everybody = Attendance(("ann",), ("ben",), 3)
        for process in (local, remote):
            await wait_for_attendance(process, everybody)
        assert local.of(OTHER) == NO_ATTENDANCE
    for process in (local, remote):
        await wait_for_attendance(process, NO_ATTENDANCE)
    assert (local.is_empty, remote.is_empty) == (True, True), "nothing stays behind"


@story
async def test_changing_the_page_does_not_count_as_leaving() -> None:
    local, remote, events = two_processes(grace=60.0)
    with local.visit(TABLE, ANN):
        pass
    with local.visit(TABLE, ANN):
        await wait_for_attendance(remote, Attendance(("ann",)))
        assert len(events) == 1


@story
async def test_reports_of_a_dead_process_expire_and_reports_are_repeated() -> None:
    local, remote, events = two_processes(lasts=-1.0)
    with remote.visit(TABLE, ANN):
        await wait_for_attendance(remote, Attendance(("ann",)))
        remote.resend()
        assert [set(each.tables) for each in events] == [{TABLE}, {TABLE}]
        while local.is_empty:
            await asyncio.sleep(0)
        with local.notifier.subscribe(topic_of(TABLE)) as subscriber:
            assert local.of(TABLE) == NO_ATTENDANCE, "it was said too long ago"
            local.resend()
            assert await subscriber.wait(0) == {topic_of(TABLE)}
        assert local.is_empty


@story
async def test_a_new_subscriber_receives_a_pending_notification() -> None:
    local, remote, _ = two_processes()
    with remote.visit(TABLE, ANN), local.notifier.subscribe(topic_of(TABLE)) as subscriber:
        assert local.of(TABLE) == NO_ATTENDANCE, "it has come, and is not taken up yet"

        assert await subscriber.wait(PATIENCE_SECONDS) == {topic_of(TABLE)}
        assert local.of(TABLE) == Attendance(("ann",))


@story
async def test_typing_is_immediate_and_many_spectators_are_counted() -> None:
    local, remote, _ = two_processes()
    local.mark_typing(TABLE, "ann")
    await wait_for_attendance(remote, Attendance(typing=("ann",)))
    with ExitStack() as pages:
        for number in range(NAMED_MAX + 2):
            pages.enter_context(local.visit(OTHER, Visit(f"p{number:02}", "named")))
        attendance = local.of(OTHER)
    assert (len(attendance.named), attendance.counted) == (NAMED_MAX, 2)


def test_notifications_of_one_process_are_merged_by_table() -> None:
    one, two = Attended({TABLE: "1", OTHER: "1"}), Attended({TABLE: "2"})

    assert one.merge(two).tables == {TABLE: "2", OTHER: "1"}
    assert CHANNELS[Attended] == "esporles:attended"


@pytest.mark.parametrize(
    ("names", "counted", "text"),
    [
        ([], 0, ""),
        ([], 1, "1 person is watching"),
        (["Ann"], 0, "Watching: Ann"),
        (["Ann", "Ben"], 2, "Watching: Ann, Ben and 2 others"),
    ],
)
def test_the_text_about_spectators(names: list[str], counted: int, text: str) -> None:
    with use_language("en"):
        assert describe_spectators(names, counted) == text


def test_seats_show_presence_and_typing(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    match = MATCHES.of(client).writer.matches.get(UUID(match_id))
    holders = [info.actor for info in match.seats]

    assert seat_statuses(match, Attendance((ann.id,))) == {holders.index(ann.id): "here", holders.index(ben.id): "away"}
    assert seat_statuses(match, Attendance((ann.id,), typing=(ann.id,)))[holders.index(ann.id)] == "typing"


def test_hidden_players_have_no_presence(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match = MATCHES.of(client).writer.matches.get(UUID(start_match(ann, ben)))
    people = PEOPLE.of(client)
    people.store_preferences(ann.id, "presence-hidden")

    assert hidden_seats(people, match) == {[info.actor for info in match.seats].index(ann.id)}


def test_people_who_block_a_reader_are_not_named() -> None:
    event = PresenceEvent({0: "here"}, {}, "Zuschauer: Ann und Ben")
    frame = AttendanceFrame(1, event, {"a": "Ann", "b": "Ben"}, 0, Chunk(encode_event_of(event)))

    assert without_blockers(frame, frozenset({"c"}), "de") is frame.chunk
    lonely = without_blockers(frame, frozenset({"b"}), "de").plain
    assert b"Ann" in lonely
    assert b"Ben" not in lonely
    assert b'"0":"here"' in lonely
