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


def story(told: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Run a test on a new event loop."""

    @wraps(told)
    def run() -> None:
        asyncio.run(told())

    return run


def two_processes(grace: float = 0.0, lasts: float = 30.0) -> tuple[Presence, Presence, list[Attended]]:
    """Return two processes that receive each other's encoded notifications."""
    loop, rung = asyncio.get_running_loop(), list[Attended]()
    both = Presence(Notifier(loop), grace, lasts), Presence(Notifier(loop), grace, lasts)

    def tell(source: str, other: Presence) -> Callable[[Attended], None]:
        def ring(told: Attended) -> None:
            rung.append(told)
            sent = msgspec.json.encode(msgspec.structs.replace(told, source=source))
            other.receive(msgspec.json.decode(sent, type=Attended))

        return ring

    both[0].set_sender(tell("one", both[1]))
    both[1].set_sender(tell("two", both[0]))
    return *both, rung


async def wait_for_attendance(presence: Presence, wanted: Attendance, table: UUID = TABLE) -> None:
    while presence.of(table) != wanted:
        await asyncio.sleep(0)


@story
async def test_pages_of_all_processes_count_and_leaving_is_notified() -> None:
    here, there, _ = two_processes()
    with ExitStack() as pages:
        pages.enter_context(here.visit(TABLE, ANN))
        pages.enter_context(there.visit(TABLE, BEN))
        for visit in (Visit("", "counted"), Visit("", "counted"), Visit("cleo", "counted"), Visit("cleo", "counted")):
            pages.enter_context(there.visit(TABLE, visit))
        everybody = Attendance(("ann",), ("ben",), 3)
        for process in (here, there):
            await wait_for_attendance(process, everybody)
        assert here.of(OTHER) == NO_ATTENDANCE
    for process in (here, there):
        await wait_for_attendance(process, NO_ATTENDANCE)
    assert (here.is_empty, there.is_empty) == (True, True), "nothing stays behind"


@story
async def test_changing_the_page_does_not_count_as_leaving() -> None:
    here, there, rung = two_processes(grace=60.0)
    with here.visit(TABLE, ANN):
        pass
    with here.visit(TABLE, ANN):
        await wait_for_attendance(there, Attendance(("ann",)))
        assert len(rung) == 1


@story
async def test_reports_of_a_dead_process_expire_and_reports_are_repeated() -> None:
    here, there, rung = two_processes(lasts=-1.0)
    with there.visit(TABLE, ANN):
        await wait_for_attendance(there, Attendance(("ann",)))
        there.resend()
        assert [set(each.tables) for each in rung] == [{TABLE}, {TABLE}]
        while here.is_empty:
            await asyncio.sleep(0)
        with here.notifier.subscribe(topic_of(TABLE)) as subscriber:
            assert here.of(TABLE) == NO_ATTENDANCE, "it was said too long ago"
            here.resend()
            assert await subscriber.wait(0) == {topic_of(TABLE)}
        assert here.is_empty


@story
async def test_a_new_subscriber_receives_a_pending_notification() -> None:
    here, there, _ = two_processes()
    with there.visit(TABLE, ANN), here.notifier.subscribe(topic_of(TABLE)) as subscriber:
        assert here.of(TABLE) == NO_ATTENDANCE, "it has come, and is not taken up yet"

        assert await subscriber.wait(PATIENCE_SECONDS) == {topic_of(TABLE)}
        assert here.of(TABLE) == Attendance(("ann",))


@story
async def test_typing_is_immediate_and_many_spectators_are_counted() -> None:
    here, there, _ = two_processes()
    here.mark_typing(TABLE, "ann")
    await wait_for_attendance(there, Attendance(typing=("ann",)))
    with ExitStack() as pages:
        for number in range(NAMED_MAX + 2):
            pages.enter_context(here.visit(OTHER, Visit(f"p{number:02}", "named")))
        found = here.of(OTHER)
    assert (len(found.named), found.counted) == (NAMED_MAX, 2)


def test_notifications_of_one_process_are_merged_by_table() -> None:
    one, two = Attended({TABLE: "1", OTHER: "1"}), Attended({TABLE: "2"})

    assert one.merge(two).tables == {TABLE: "2", OTHER: "1"}
    assert CHANNELS[Attended] == "esporles:attended"


@pytest.mark.parametrize(
    ("names", "counted", "words"),
    [
        ([], 0, ""),
        ([], 1, "1 person is watching"),
        (["Ann"], 0, "Watching: Ann"),
        (["Ann", "Ben"], 2, "Watching: Ann, Ben and 2 others"),
    ],
)
def test_the_text_about_spectators(names: list[str], counted: int, words: str) -> None:
    with use_language("en"):
        assert describe_spectators(names, counted) == words


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
    told = PresenceEvent({0: "here"}, {}, "Zuschauer: Ann und Ben")
    frame = AttendanceFrame(1, told, {"a": "Ann", "b": "Ben"}, 0, Chunk(encode_event_of(told)))

    assert without_blockers(frame, frozenset({"c"}), "de") is frame.chunk
    lonely = without_blockers(frame, frozenset({"b"}), "de").plain
    assert b"Ann" in lonely
    assert b"Ben" not in lonely
    assert b'"0":"here"' in lonely
