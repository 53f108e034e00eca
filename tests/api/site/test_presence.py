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
from api.http.bells import Bells
from api.http.languages import speaking
from api.http.outlets import Chunk
from api.matches.presence import NAMED_MAX, NOBODY_THERE, Attendance, Presence, Visit, topic_of
from api.matches.service import MATCHES
from api.site.pages.attending import AttendanceFrame, Told, encode_told, hidden_of, seats_of, told_to, watching_words
from projections.platform.doorbell import CHANNELS
from projections.platform.rings import Attended
from tests.api.house import PATIENCE_SECONDS, Person, started

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
    both = Presence(Bells(loop), grace, lasts), Presence(Bells(loop), grace, lasts)

    def tell(source: str, other: Presence) -> Callable[[Attended], None]:
        def ring(told: Attended) -> None:
            rung.append(told)
            sent = msgspec.json.encode(msgspec.structs.replace(told, source=source))
            other.hear(msgspec.json.decode(sent, type=Attended))

        return ring

    both[0].tell_by(tell("one", both[1]))
    both[1].tell_by(tell("two", both[0]))
    return *both, rung


async def settled(presence: Presence, wanted: Attendance, table: UUID = TABLE) -> None:
    while presence.of(table) != wanted:
        await asyncio.sleep(0)


@story
async def test_pages_of_all_processes_count_and_leaving_is_notified() -> None:
    here, there, _ = two_processes()
    with ExitStack() as pages:
        pages.enter_context(here.at(TABLE, ANN))
        pages.enter_context(there.at(TABLE, BEN))
        for visit in (Visit("", "counted"), Visit("", "counted"), Visit("cleo", "counted"), Visit("cleo", "counted")):
            pages.enter_context(there.at(TABLE, visit))
        everybody = Attendance(("ann",), ("ben",), 3)
        for process in (here, there):
            await settled(process, everybody)
        assert here.of(OTHER) == NOBODY_THERE
    for process in (here, there):
        await settled(process, NOBODY_THERE)
    assert (here.is_empty, there.is_empty) == (True, True), "nothing stays behind"


@story
async def test_changing_the_page_does_not_count_as_leaving() -> None:
    here, there, rung = two_processes(grace=60.0)
    with here.at(TABLE, ANN):
        pass
    with here.at(TABLE, ANN):
        await settled(there, Attendance(("ann",)))
        assert len(rung) == 1


@story
async def test_reports_of_a_dead_process_expire_and_reports_are_repeated() -> None:
    here, there, rung = two_processes(lasts=-1.0)
    with there.at(TABLE, ANN):
        await settled(there, Attendance(("ann",)))
        there.say_again()
        assert [set(each.tables) for each in rung] == [{TABLE}, {TABLE}]
        while here.is_empty:
            await asyncio.sleep(0)
        with here.bells.listening(topic_of(TABLE)) as ear:
            assert here.of(TABLE) == NOBODY_THERE, "it was said too long ago"
            here.say_again()
            assert await ear.rings(0) == {topic_of(TABLE)}
        assert here.is_empty


@story
async def test_a_new_subscriber_receives_a_pending_notification() -> None:
    here, there, _ = two_processes()
    with there.at(TABLE, ANN), here.bells.listening(topic_of(TABLE)) as ear:
        assert here.of(TABLE) == NOBODY_THERE, "it has come, and is not taken up yet"

        assert await ear.rings(PATIENCE_SECONDS) == {topic_of(TABLE)}
        assert here.of(TABLE) == Attendance(("ann",))


@story
async def test_typing_is_immediate_and_many_spectators_are_counted() -> None:
    here, there, _ = two_processes()
    here.types(TABLE, "ann")
    await settled(there, Attendance(typing=("ann",)))
    with ExitStack() as pages:
        for number in range(NAMED_MAX + 2):
            pages.enter_context(here.at(OTHER, Visit(f"p{number:02}", "named")))
        found = here.of(OTHER)
    assert (len(found.named), found.counted) == (NAMED_MAX, 2)


def test_notifications_of_one_process_are_merged_by_table() -> None:
    one, two = Attended({TABLE: "1", OTHER: "1"}), Attended({TABLE: "2"})

    assert one.then(two).tables == {TABLE: "2", OTHER: "1"}
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
    with speaking("en"):
        assert watching_words(names, counted) == words


def test_seats_show_presence_and_typing(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match_id = started(ann, ben)
    match = MATCHES.of(client).writer.matches.get(UUID(match_id))
    holders = [info.actor for info in match.seats]

    assert seats_of(match, Attendance((ann.id,))) == {holders.index(ann.id): "here", holders.index(ben.id): "away"}
    assert seats_of(match, Attendance((ann.id,), typing=(ann.id,)))[holders.index(ann.id)] == "typing"


def test_hidden_players_have_no_presence(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match = MATCHES.of(client).writer.matches.get(UUID(started(ann, ben)))
    people = PEOPLE.of(client)
    people.keep_preferences(ann.id, "presence-hidden")

    assert hidden_of(people, match) == {[info.actor for info in match.seats].index(ann.id)}


def test_people_who_block_a_reader_are_not_named() -> None:
    told = Told({0: "here"}, {}, "Zuschauer: Ann und Ben")
    frame = AttendanceFrame(1, told, {"a": "Ann", "b": "Ben"}, 0, Chunk(encode_told(told)))

    assert told_to(frame, frozenset({"c"}), "de") is frame.chunk
    lonely = told_to(frame, frozenset({"b"}), "de").plain
    assert b"Ann" in lonely
    assert b"Ben" not in lonely
    assert b'"0":"here"' in lonely
