"""The writer thread stores waiting commands in groups; acknowledged commands survive a kill."""

from __future__ import annotations

import asyncio
import gc
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, Final
from uuid import UUID
from weakref import ref

import pytest

from api.http.commit_queue import GROUP, GROUP_EVENTS_MAX, GROUP_MAX, CommitQueue
from api.http.guards import Caller
from api.http.notifier import Notifier
from api.http.writer import OneWriter
from api.matches.commands import act
from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.aggregate import legal_actions, seats_to_act
from domain.matches.errors import NotSeated
from domain.matches.log.entries import ALL
from domain.matches.verification.verify import verify
from projections.platform.store import ReadStore
from tests.api.service import PATIENCE_SECONDS
from tests.domain.eventstore.commands import write, write_and_refuse, write_many
from tests.domain.eventstore.faulty_stores import FaultyRecorder, Killed, faulty, kill_before_insert
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, start_match
from tests.seeding import entropy

ACKNOWLEDGED: Final = 150
ROUNDS: Final = 3
WHO: Final[ContextVar[str]] = ContextVar("who", default="nobody")


class BusyWriter:
    """A writer that is busy until released, so that commands queue up."""

    def __init__(self, commits: CommitQueue, store: FaultyRecorder, notifications: list[int]) -> None:
        self.commits, self.store, self.rings = commits, store, notifications
        self.begun, self.may_go_on = Event(), Event()
        self.busy = commits.send("busy", self._wait)

    def _wait(self, _: Matches) -> None:
        self.begun.set()
        self.may_go_on.wait(PATIENCE_SECONDS)

    async def release(self) -> None:
        self.may_go_on.set()
        await self.busy


def with_commits(
    folder: Path, story: Callable[[BusyWriter], Awaitable[Any]], group_seconds: float = PATIENCE_SECONDS
) -> Any:
    async def run_story() -> Any:
        matches, notifications = open_store(store_env(folder / "log.db"), entropy=entropy()), list[int]()
        store = faulty(matches)
        writer = BusyWriter(
            CommitQueue(matches, lambda: notifications.append(store.stored), group_seconds), store, notifications
        )
        assert writer.begun.wait(PATIENCE_SECONDS)
        try:
            return await story(writer)
        finally:
            writer.may_go_on.set()
            writer.commits.close()
            matches.close()

    return asyncio.run(run_story())


def test_waiting_commands_are_stored_as_a_group_in_order(tmp_path: Path) -> None:
    async def story(writer: BusyWriter) -> None:
        sent = [writer.commits.send("write", partial(write, f"page {number}")) for number in range(10)]
        refusal = writer.commits.send("refuse", partial(write_and_refuse, "no"))
        last = writer.commits.send("write", partial(write, "last"))
        await writer.release()

        assert await asyncio.gather(*sent, last) == [*range(2, 12), 13]
        with pytest.raises(NotSeated, match="no"):
            await refusal
        assert writer.store.stored == 1
        await asyncio.get_running_loop().run_in_executor(None, writer.commits.close)
        assert writer.rings == [0, 1], "whoever waits for entries is woken when they are stored"
        assert {"write", "refuse", "busy", GROUP} == writer.commits.meter.longest.keys()

    with_commits(tmp_path, story)


def test_no_command_joins_a_group_after_the_time_limit(tmp_path: Path) -> None:
    async def story(writer: BusyWriter) -> None:
        sent = [writer.commits.send("write", partial(write, str(number))) for number in range(3)]
        await writer.release()
        assert await asyncio.gather(*sent) == [2, 3, 4]
        assert writer.store.stored == 3

    with_commits(tmp_path, story, group_seconds=0.0)


def test_a_group_has_a_maximum_size(tmp_path: Path) -> None:
    async def story(writer: BusyWriter) -> None:
        sent = [writer.commits.send("write", partial(write, str(number))) for number in range(GROUP_MAX + 1)]
        await writer.release()
        assert await asyncio.gather(*sent) == [*range(2, GROUP_MAX + 3)]
        assert writer.store.stored == 2

    with_commits(tmp_path, story)


def test_a_group_with_many_events_takes_no_more_commands(tmp_path: Path) -> None:
    async def story(writer: BusyWriter) -> None:
        many = partial(write_many, GROUP_EVENTS_MAX // 2)
        sent = [writer.commits.send("write", many) for _ in range(4)]
        await writer.release()
        await asyncio.gather(*sent)
        assert writer.store.stored == 2

    with_commits(tmp_path, story)


def test_a_cancelled_command_is_not_executed(tmp_path: Path) -> None:
    async def story(writer: BusyWriter) -> None:
        gone, stays = (writer.commits.send("write", partial(write, text)) for text in ("gone", "stays"))
        gone.cancel()
        await writer.release()
        assert await stays == 2
        again = writer.commits.send("write", partial(write, "alone"))
        assert (await again, gone.cancelled()) == (3, True)

    with_commits(tmp_path, story)


def test_every_command_runs_in_the_context_of_its_sender(tmp_path: Path) -> None:
    async def story(writer: BusyWriter) -> None:
        sent = list[Any]()
        for name in ("anna", "bea"):
            WHO.set(name)
            sent.append(writer.commits.send("who", lambda _: (WHO.get(), WHO.set("another"))[0]))
        WHO.set("carl")
        await writer.release()
        assert await asyncio.gather(*sent) == ["anna", "bea"]
        assert await writer.commits.send("who", lambda _: WHO.get()) == "carl"

    with_commits(tmp_path, story)


def test_the_writer_survives_any_exception(tmp_path: Path) -> None:
    async def story(writer: BusyWriter) -> None:
        writer.store.faults = iter([kill_before_insert])
        sent = [writer.commits.send("write", partial(write, text)) for text in ("one", "two")]
        await writer.release()
        for each in sent:
            with pytest.raises(Killed):
                await each
        assert await writer.commits.send("write", partial(write, "three")) == 2

    with_commits(tmp_path, story)


def test_a_handled_exception_is_garbage_collected(tmp_path: Path) -> None:
    """The traceback would keep the frames of command and sender alive, and memory would grow."""

    async def story(writer: BusyWriter) -> None:
        refs = list[ref[NotSeated]]()

        def refuse(_: Matches) -> None:
            refusal = NotSeated("not you")
            refs.append(ref(refusal))
            raise refusal

        sent = [writer.commits.send("refuse", refuse) for _ in range(3)]
        await writer.release()
        for each in sent:
            with pytest.raises(NotSeated):
                await each
        sent.clear()
        del each
        await writer.commits.send("write", partial(write, "one"))
        gc.collect()

        assert [left() for left in refs] == [None, None, None]

    with_commits(tmp_path, story)


def test_close_waits_for_sent_commands_and_rejects_later_ones(tmp_path: Path) -> None:
    async def story(writer: BusyWriter) -> None:
        sent = [writer.commits.send("write", partial(write, text)) for text in ("one", "two")]
        closing = asyncio.get_running_loop().run_in_executor(None, writer.commits.close)
        writer.may_go_on.set()
        await closing
        assert await asyncio.gather(*sent) == [2, 3]
        with pytest.raises(RuntimeError, match="stopped"):
            writer.commits.send("write", partial(write, "late"))

    with_commits(tmp_path, story)


def test_acknowledged_entries_survive_a_kill_and_chains_stay_intact(tmp_path: Path) -> None:
    """Sixteen concurrent callers run in a subprocess that is killed, several times."""
    acknowledged = list[tuple[UUID, int, str]]()
    for round_ in range(ROUNDS):
        command = [sys.executable, "-m", "tests.api.http.test_commit_queue", str(tmp_path), str(round_)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(ACKNOWLEDGED)]
            process.send_signal(signal.SIGKILL)
            lines += [line for line in process.stdout if line.endswith("\n")]
        for line in lines:
            of_match, entry, digest = line.split()
            acknowledged.append((UUID(of_match), int(entry), digest))

    matches = open_store(store_env(tmp_path / "log.db"), titles=ALL_TITLES)
    assert len({(match_id, version) for match_id, version, _ in acknowledged}) == len(acknowledged)
    for match_id, version, head in acknowledged:
        assert matches.at(match_id, version).head == head
    for match_id in {match_id for match_id, _, _ in acknowledged}:
        assert verify(export_log(matches, match_id, ALL, at=matches.get(match_id).timestamp), titles=ALL_TITLES).is_good
    matches.close()


SERVICE = Caller(is_service=True)
CALLERS = 16


async def play(writer: OneWriter, matches: Matches, round_: int, caller: int) -> None:
    """Play match after match."""
    number = round_ * 1_000_000 + caller * 1_000
    while True:
        number += 1
        match = await writer.execute(start_match, UUID(int=number), (BOT, BOT))
        while not match.is_over:
            seat = seats_to_act(match)[0]
            action = legal_actions(match, seat)[0]
            expected, at = match.version, datetime.now(UTC)
            match = await writer.execute(act, match.id, SERVICE, seat, action, expected_version=expected, at=at)
            sys.stdout.write(f"{match.id} {expected + 1} {matches.at(match.id, expected + 1).head}\n")
            sys.stdout.flush()


async def hammer(folder: Path, round_: int) -> None:
    matches, reads = open_store(store_env(folder / "log.db"), titles=ALL_TITLES), ReadStore(folder / "reads.db")
    writer = OneWriter(matches, reads, Notifier(asyncio.get_running_loop()))
    await asyncio.gather(*(play(writer, matches, round_, caller) for caller in range(CALLERS)))


if __name__ == "__main__":
    asyncio.run(hammer(Path(sys.argv[1]), int(sys.argv[2])))
