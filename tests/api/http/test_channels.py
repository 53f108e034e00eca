"""Channels: one query for all readers, a bounded buffer, and no reader left waiting."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

import pytest

from api.http.channels import WAKE_BATCH_SIZE, Channel, Channels, send_frames
from api.http.notifier import Notifier, Subscriber, Topic
from api.http.requests_in_progress import RequestsInProgress
from api.http.stream_responses import Chunk, StreamOutput, accepts_gzip, compress_chunk, deflate

TOPIC = "news"
BEAT = Chunk(b"beat")


class Page(NamedTuple):
    number: int
    chunk: Chunk


class Pages:
    """A source with one more page after each notification; it can be made to fail."""

    calm_seconds = 0.0
    buffer_max = 3

    def __init__(self) -> None:
        self.number = 0
        self.looks = 0
        self.is_broken = False

    def topics(self) -> Sequence[Topic]:
        return (TOPIC,)

    async def poll(self, _: Subscriber, heard: frozenset[Topic]) -> Sequence[Page]:
        self.looks += 1
        if self.is_broken:
            raise OSError("the store is away")
        if not heard:
            return []
        self.number += 1
        return [Page(self.number, compress_chunk(f"{self.number} ".encode()))]

    async def is_urgent(self, _: frozenset[Topic], __: frozenset[Topic]) -> bool:
        return True


class Reader:
    """A reader that takes data while `may_take` is set."""

    def __init__(self) -> None:
        self.taken = b""
        self.may_take = asyncio.Event()
        self.may_take.set()
        self.is_known = asyncio.Event()
        self.is_known.set()
        self.is_welcome = True

    async def send(self, message: Any) -> None:
        self.taken += message["body"]
        await self.may_take.wait()

    async def may_go_on(self) -> bool:
        await self.is_known.wait()
        return self.is_welcome

    async def reads(self, channel: Channel[Page], number: int = 0) -> int | None:
        output = StreamOutput(self.send, is_packed=False)
        return await send_frames(channel, number, output, self.may_go_on, lambda pages: pages[-1].chunk, BEAT)


def run_story(
    story: Callable[[Notifier, Channels, Pages], Awaitable[None]],
    in_progress: Callable[[], RequestsInProgress] = RequestsInProgress,
) -> None:
    async def whole() -> None:
        notifier = Notifier(asyncio.get_running_loop(), 3_600.0)
        await story(notifier, Channels(notifier, in_progress()), Pages())

    asyncio.run(whole())


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0)


def test_one_query_serves_and_wakes_all_readers() -> None:
    async def story(notifier: Notifier, channels: Channels, pages: Pages) -> None:
        readers = [Reader() for _ in range(2 * WAKE_BATCH_SIZE + 1)]
        with channels.join("key", lambda: pages) as channel, channels.join("key", Pages) as same:
            assert same is channel
            await channel.wait_until_started()
            tasks = [asyncio.create_task(reader.reads(channel)) for reader in readers]
            for number in (1, 2):
                notifier.notify(TOPIC)
                await until(lambda: all(reader.taken.endswith(f"{number} ".encode()) for reader in readers))  # noqa: B023
            for task in tasks:
                task.cancel()
        assert pages.looks == 3
        assert {reader.taken for reader in readers} == {b"1 2 "}
        assert channels.is_empty

    run_story(story)


def test_requests_in_progress_finish_before_more_readers_wake() -> None:
    in_progress = RequestsInProgress()

    async def story(notifier: Notifier, channels: Channels, pages: Pages) -> None:
        readers = [Reader() for _ in range(2 * WAKE_BATCH_SIZE + 1)]
        with channels.join("key", lambda: pages) as channel:
            await channel.wait_until_started()
            tasks = [asyncio.create_task(reader.reads(channel)) for reader in readers]
            in_progress.begin()
            notifier.notify(TOPIC)
            await until(lambda: readers[WAKE_BATCH_SIZE - 1].taken == b"1 ")
            for _ in range(WAKE_BATCH_SIZE):
                await asyncio.sleep(0)
            assert [reader.taken for reader in readers[WAKE_BATCH_SIZE:]] == [b""] * (WAKE_BATCH_SIZE + 1)
            in_progress.end()
            await until(lambda: all(reader.taken == b"1 " for reader in readers))
            for task in tasks:
                task.cancel()

    run_story(story, lambda: in_progress)


def test_readers_do_not_wait_for_requests_that_never_end() -> None:
    in_progress = RequestsInProgress()

    async def story(notifier: Notifier, channels: Channels, pages: Pages) -> None:
        readers = [Reader() for _ in range(3 * WAKE_BATCH_SIZE)]
        with channels.join("key", lambda: pages) as channel:
            await channel.wait_until_started()
            tasks = [asyncio.create_task(reader.reads(channel)) for reader in readers]
            in_progress.begin()
            notifier.notify(TOPIC)
            await until(lambda: all(reader.taken == b"1 " for reader in readers))
            for task in tasks:
                task.cancel()
        assert in_progress.count == 1

    run_story(story, lambda: in_progress)


def test_a_slow_reader_delays_no_other_and_is_disconnected_beyond_the_buffer() -> None:
    async def story(notifier: Notifier, channels: Channels, pages: Pages) -> None:
        slow, quick = Reader(), Reader()
        slow.may_take.clear()
        with channels.join("key", lambda: pages) as channel:
            await channel.wait_until_started()
            stuck, reading = asyncio.create_task(slow.reads(channel)), asyncio.create_task(quick.reads(channel))
            for number in range(1, 7):
                notifier.notify(TOPIC)
                await until(lambda: quick.taken.endswith(f"{number} ".encode()))  # noqa: B023
            assert quick.taken == b"1 2 3 4 5 6 "
            assert slow.taken == b"1 ", "nothing waits for it but what it is taking"
            slow.may_take.set()
            assert await stuck is None
            assert channel.frames_after(1) is None
            assert [page.number for page in channel.frames_after(3) or ()] == [4, 5, 6]
            reading.cancel()

    run_story(story)


def test_a_reader_without_access_receives_nothing_more_and_keeps_the_position() -> None:
    async def story(notifier: Notifier, channels: Channels, pages: Pages) -> None:
        reader = Reader()
        with channels.join("key", lambda: pages) as channel:
            await channel.wait_until_started()
            reading = asyncio.create_task(reader.reads(channel))
            notifier.notify(TOPIC)
            await until(lambda: reader.taken == b"1 ")
            reader.is_welcome = False
            notifier.notify(TOPIC)
            assert await reading == 1
        assert reader.taken == b"1 "

    run_story(story)


async def turns() -> None:
    """Let all tasks proceed until they wait."""
    for _ in range(50):
        await asyncio.sleep(0)


def test_a_slow_access_check_skips_to_the_last_page_without_a_buffer() -> None:
    async def story(notifier: Notifier, channels: Channels, pages: Pages) -> None:
        reader, pages.buffer_max = Reader(), 0
        with channels.join("key", lambda: pages) as channel:
            await channel.wait_until_started()
            reading = asyncio.create_task(reader.reads(channel))
            await turns()
            reader.is_known.clear()
            notifier.notify(TOPIC)
            await turns()
            reader.is_known.set()
            await turns()
            assert reader.taken == b"1 "
            assert not reading.done()
            reading.cancel()

    run_story(story)


def test_a_reader_is_disconnected_if_the_channel_ends_during_the_access_check() -> None:
    async def story(notifier: Notifier, channels: Channels, pages: Pages) -> None:
        reader = Reader()
        with channels.join("key", lambda: pages) as channel:
            await channel.wait_until_started()
            reader.is_known.clear()
            reading = asyncio.create_task(reader.reads(channel))
            pages.is_broken = True
            notifier.notify(TOPIC)
            await until(lambda: channel.has_ended)
            reader.is_known.set()
            await turns()
            assert reading.done()

    run_story(story)


def test_a_failing_query_disconnects_all_readers_and_the_next_opens_a_new_channel() -> None:
    async def story(notifier: Notifier, channels: Channels, pages: Pages) -> None:
        reader = Reader()
        with channels.join("key", lambda: pages) as channel:
            await channel.wait_until_started()
            reading = asyncio.create_task(reader.reads(channel))
            pages.is_broken = True
            notifier.notify(TOPIC)
            assert await reading is None
            with channels.join("key", Pages) as another:
                assert another is not channel
                await another.wait_until_started()
        assert channels.is_empty

    run_story(story)


def test_compressed_chunks_concatenate_to_one_stream() -> None:
    received = bytearray()

    async def send(message: Any) -> None:
        received.extend(message["body"])

    async def story() -> None:
        output = StreamOutput(send, is_packed=True)
        for chunk in (compress_chunk(b"for all, " * 50), Chunk(b"a token"), compress_chunk(b"for all, " * 50)):
            await output.send(chunk)

    asyncio.run(story())

    unpacked = zlib.decompressobj(zlib.MAX_WBITS + 16).decompress(bytes(received))
    assert unpacked == b"for all, " * 50 + b"a token" + b"for all, " * 50
    assert b"a token" in received, "what is a reader's own is not compressed"
    assert received.count(deflate(b"for all, " * 50)) == 2, "and what is for all is the same for all"
    assert gzip.compress(b"")[:3] == received[:3]


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        ("gzip", True),
        ("br, gzip;q=0.5", True),
        ("GZIP", True),
        ("gzip;q=0", False),
        ("gzip; q=0.00", False),
        ("identity", False),
        ("", False),
        ("x-gzip-not", False),
    ],
)
def test_gzip_is_sent_only_to_clients_that_accept_it(accepted: str, expected: bool) -> None:
    assert accepts_gzip(accepted) == expected


def test_readers_are_asked_to_reconnect_at_shutdown() -> None:
    async def story(notifier: Notifier, channels: Channels, pages: Pages) -> None:
        reader = Reader()
        with channels.join("key", lambda: pages) as channel:
            await channel.wait_until_started()
            reading = asyncio.create_task(reader.reads(channel))
            notifier.close()
            assert await reading is None
        assert reader.taken.removesuffix(b"\r\n\r\n").rpartition(b"retry: ")[2].isdigit()

    run_story(story)
