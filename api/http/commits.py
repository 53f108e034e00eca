"""The thread that writes: it takes all commands that wait, stores them in one transaction and answers each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import Context, copy_context
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter, thread_time
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from prometheus_client import Histogram, Summary
from prometheus_client.registry import Collector

from domain.eventstore.application import Matches
from domain.eventstore.circuit_breaker import ANSWER_SECONDS, PATIENCE
from domain.eventstore.group_commit import Command, Group, Outcome, outcome_of
from projections.platform.telemetry.metrics import SECONDS
from projections.platform.telemetry.spans import COMMAND, GROUPED, SPAN, STORED, Span

R = TypeVar("R")

GROUP_MAX: Final = 64
"""No more commands are stored at once."""
GROUP_EVENTS_MAX: Final = 1_000
"""No command is added to a group with this many entries and records; storing 1,000 takes about 35 ms."""
GROUP_SECONDS: Final = 0.005
"""After so long no more are taken: the first of a group waits for all of them."""
GROUP: Final = "group"
"""What storing a group is called where commands are measured."""
GROUP_BUCKETS: Final = (1, 2, 4, 8, 16, 32, 64)


class Held(msgspec.Struct, frozen=True):
    """For how many seconds a thread was held: by the clock, and those in which its processor worked for it. The clock
    counts the disk as well, and everybody else on a machine that has much to do."""

    seconds: float = 0.0
    processor: float = 0.0

    def at_most(self, other: Held) -> Held:
        """The most of both, each for itself."""
        return Held(max(self.seconds, other.seconds), max(self.processor, other.processor))


class Meter:
    """How long commands hold the writer's thread, how long their senders wait, and how many are stored at once."""

    def __init__(self) -> None:
        self.longest: Final[dict[str, Held]] = {}
        """By the name of a command, the most it ever took."""
        self._commands = Summary(
            "esporles_command_seconds",
            "Time that a command occupied the writer thread",
            ["command"],
            registry=None,
        )
        self.appended: Final = Histogram(
            "esporles_append_seconds",
            "Time from sending a command to the writer until it is stored",
            buckets=SECONDS,
            registry=None,
        )
        self.committed: Final = Histogram(
            "esporles_commit_seconds",
            "Time to store a group of commands in one transaction; for a single command, all of it",
            buckets=SECONDS,
            registry=None,
        )
        self.grouped: Final = Histogram(
            "esporles_group_commands", "Commands stored in one transaction", buckets=GROUP_BUCKETS, registry=None
        )
        self.measures: Final[tuple[Collector, ...]] = (self._commands, self.appended, self.committed, self.grouped)

    def measure(self, name: str, command: Callable[[], R]) -> R:
        """What the command comes to, its time taken even where it refuses."""
        begun, worked = perf_counter(), thread_time()
        try:
            return command()
        finally:
            held = Held(perf_counter() - begun, thread_time() - worked)
            self.longest[name] = held.at_most(self.longest.get(name, Held()))
            self._commands.labels(name).observe(held.seconds)


class Sent(msgspec.Struct, frozen=True):
    """A command that waits, in the context of who sent it."""

    name: str
    command: Command
    context: Context
    answer: asyncio.Future[Any]
    at: float
    """When, by the clock of the process."""
    span: Span | None
    """What of the sender's work is traced here."""
    about: UUID | None
    """The match it is about, where it is about one."""

    def note_waiting(self) -> None:
        """It waits no longer."""
        if self.span is not None:
            self.span.note("wait", self.at, perf_counter(), {COMMAND: self.name})


class Commits:
    """One thread; commands are stored in the order in which they were sent. `on_done` is called from it after what was
    sent has been answered."""

    def __init__(self, matches: Matches, on_done: Callable[[], None], group_seconds: float = GROUP_SECONDS) -> None:
        self.meter: Final = Meter()
        self._matches = matches
        self._on_done = on_done
        self._group_seconds = group_seconds
        self._waiting = SimpleQueue[Sent | None]()
        self._thread = Thread(target=self._run, name="writer_0", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """When all that was sent is done."""
        self._waiting.put(None)
        self._thread.join()

    def send(self, name: str, command: Command, about: UUID | None = None) -> asyncio.Future[Any]:
        """What the command will have come to; `about`: the match that it concerns. One whose sender has gone before its
        turn is not carried out."""
        if not self._thread.is_alive():
            raise RuntimeError("the writer has stopped")
        answer = asyncio.get_running_loop().create_future()
        sent = Sent(name, command, copy_context(), answer, perf_counter(), SPAN.get(), about)
        self._waiting.put(sent)
        return sent.answer

    def _run(self) -> None:
        PATIENCE.set(ANSWER_SECONDS)
        while (first := self._waiting.get()) is not None:
            taken = [first]
            try:
                outcomes = self._carry_out(taken)
            except BaseException as fault:
                outcomes = [Outcome(refusal=fault)] * len(taken)
            self._tell(taken, outcomes)

    def _carry_out(self, taken: list[Sent]) -> Sequence[Outcome]:
        if self._waiting.empty():
            taken[0].note_waiting()
            with self.meter.committed.time(), storing(taken):
                return [outcome_of(self._matches, self._measured(taken[0]))]
        group, until = Group(self._matches), perf_counter() + self._group_seconds
        taken[0].note_waiting()
        group.add(self._measured(taken[0]))
        while self._has_room(group) and perf_counter() < until and (sent := self._take()) is not None:
            taken.append(sent)
            sent.note_waiting()
            group.add(self._measured(sent))
        with self.meter.committed.time(), storing(taken):
            return self.meter.measure(GROUP, group.store)

    def _has_room(self, group: Group) -> bool:
        return len(group) < GROUP_MAX and group.event_count < GROUP_EVENTS_MAX

    def _take(self) -> Sent | None:
        """What waits; whoever closes waits for this group too."""
        try:
            sent = self._waiting.get_nowait()
        except Empty:
            return None
        if sent is None:
            self._waiting.put(None)
        return sent

    def _measured(self, sent: Sent) -> Command:
        def command(matches: Matches) -> Any:
            if sent.answer.cancelled():
                return None
            begun = perf_counter()
            try:
                # A copy, for a command may be composed again.
                context = sent.context.copy()
                context.run(PATIENCE.set, ANSWER_SECONDS)
                return context.run(self.meter.measure, sent.name, lambda: sent.command(matches))
            finally:
                if sent.span is not None:
                    sent.span.note("command", begun, perf_counter(), {COMMAND: sent.name})

        return command

    def _tell(self, taken: Sequence[Sent], outcomes: Sequence[Outcome]) -> None:
        told, now = list(zip(taken, outcomes, strict=True)), perf_counter()
        self.meter.grouped.observe(len(taken))
        for sent, outcome in told:
            if outcome.refusal is None:
                self.meter.appended.observe(now - sent.at)
        # A loop that has ended has nobody who waits.
        with suppress(RuntimeError):
            taken[0].answer.get_loop().call_soon_threadsafe(tell, told)
            self._on_done()


@contextmanager
def storing(taken: Sequence[Sent]) -> Iterator[None]:
    """What is done meanwhile is to store all of these, and stands in the trace of each that has one."""
    traced = [(sent.span, sent.about) for sent in taken if sent.span is not None]
    if not traced:
        yield
        return
    handed = {about: span.traceparent for span, about in traced if about is not None and span.is_handed_on}
    token, begun = STORED.set(handed), perf_counter()
    try:
        yield
    finally:
        STORED.reset(token)
        for span, _ in traced:
            span.note("commit", begun, perf_counter(), {GROUPED: len(taken)})


def tell(told: Iterable[tuple[Sent, Outcome]]) -> None:
    """Whoever still waits is told what became of the command."""
    for sent, (answer, refusal) in told:
        if sent.answer.done():
            continue
        if refusal is None:
            sent.answer.set_result(answer)
        else:
            sent.answer.set_exception(refusal)
