"""The writer thread: it stores waiting commands in groups, one transaction each."""

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
from domain.eventstore.circuit_breaker import ANSWER_SECONDS, RESPONSE_TIMEOUT
from domain.eventstore.group_commit import Command, Group, Outcome, run_command
from projections.platform.telemetry.metrics import SECONDS
from projections.platform.telemetry.spans import COMMAND, GROUPED, SPAN, STORED, Span

R = TypeVar("R")

GROUP_MAX: Final = 64
"""Maximum number of commands in a group."""
GROUP_EVENTS_MAX: Final = 1_000
"""No command joins a group with this many entries and records; storing 1,000 takes about 35 ms."""
GROUP_SECONDS: Final = 0.005
"""Time after which no command joins a group, because its first command waits for all of them."""
GROUP: Final = "group"
"""Label for group commits in the command metrics."""
GROUP_BUCKETS: Final = (1, 2, 4, 8, 16, 32, 64)


class CommandTime(msgspec.Struct, frozen=True):
    """Seconds for which a command occupied the writer thread, wall-clock and CPU time.

    Wall-clock time includes the disk and other processes on a busy machine.
    """

    seconds: float = 0.0
    processor: float = 0.0

    def maximum(self, other: CommandTime) -> CommandTime:
        """Return the maximum of each value."""
        return CommandTime(max(self.seconds, other.seconds), max(self.processor, other.processor))


class CommitMetrics:
    """Metrics of the writer: command duration, waiting time and group size."""

    def __init__(self) -> None:
        self.longest: Final[dict[str, CommandTime]] = {}
        """The longest duration of each command, by name."""
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
        """Run the command and return its result; record its duration and the longest one by name, even if it raises."""
        started, processor_started = perf_counter(), thread_time()
        try:
            return command()
        finally:
            duration = CommandTime(perf_counter() - started, thread_time() - processor_started)
            self.longest[name] = duration.maximum(self.longest.get(name, CommandTime()))
            self._commands.labels(name).observe(duration.seconds)


class QueuedCommand(msgspec.Struct, frozen=True):
    """A waiting command with the context of its sender."""

    name: str
    command: Command
    context: Context
    future: asyncio.Future[Any]
    sent_at: float
    """Time of sending, by `perf_counter`."""
    span: Span | None
    """The sender's span, if the request is traced."""
    match_id: UUID | None
    """The match of the command, if any."""

    def record_waiting_time(self) -> None:
        """Record the waiting time in the trace."""
        if self.span is not None:
            self.span.record_child("wait", self.sent_at, perf_counter(), {COMMAND: self.name})


class CommitQueue:
    """One thread that stores commands in the order of sending; it calls `on_done` after answering them."""

    def __init__(self, matches: Matches, on_done: Callable[[], None], group_seconds: float = GROUP_SECONDS) -> None:
        self.meter: Final = CommitMetrics()
        self._matches = matches
        self._on_done = on_done
        self._group_seconds = group_seconds
        self._waiting = SimpleQueue[QueuedCommand | None]()
        self._thread = Thread(target=self._run, name="writer_0", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait until all commands are done, and stop the thread."""
        self._waiting.put(None)
        self._thread.join()

    def send(self, name: str, command: Command, match_id: UUID | None = None) -> asyncio.Future[Any]:
        """Queue a command and return a future of its result; raise `RuntimeError` after `close`.

        `match_id` is the match that the command concerns. A command whose future was cancelled is skipped.
        """
        if not self._thread.is_alive():
            raise RuntimeError("the writer has stopped")
        future = asyncio.get_running_loop().create_future()
        queued = QueuedCommand(name, command, copy_context(), future, perf_counter(), SPAN.get(), match_id)
        self._waiting.put(queued)
        return queued.future

    def _run(self) -> None:
        """Run queued commands until `close`, in groups if more are waiting.

        An unexpected error rejects its whole group.
        """
        RESPONSE_TIMEOUT.set(ANSWER_SECONDS)
        while (first := self._waiting.get()) is not None:
            group = [first]
            try:
                outcomes = self._execute(group)
            except BaseException as fault:
                outcomes = [Outcome(refusal=fault)] * len(group)
            self._resolve(group, outcomes)

    def _execute(self, commands: list[QueuedCommand]) -> Sequence[Outcome]:
        """Run and store the command.

        If others are waiting, take them into one group that is stored in one transaction.
        """
        if self._waiting.empty():
            commands[0].record_waiting_time()
            with self.meter.committed.time(), trace_commit(commands):
                return [run_command(self._matches, self._measure(commands[0]))]
        group, deadline = Group(self._matches), perf_counter() + self._group_seconds
        commands[0].record_waiting_time()
        group.add(self._measure(commands[0]))
        while self._has_room(group) and perf_counter() < deadline and (queued := self._take()) is not None:
            commands.append(queued)
            queued.record_waiting_time()
            group.add(self._measure(queued))
        with self.meter.committed.time(), trace_commit(commands):
            return self.meter.measure(GROUP, group.store)

    def _has_room(self, group: Group) -> bool:
        """Return whether the group takes another command: it is below `GROUP_MAX` and `GROUP_EVENTS_MAX`."""
        return len(group) < GROUP_MAX and group.event_count < GROUP_EVENTS_MAX

    def _take(self) -> QueuedCommand | None:
        """Return the next waiting command or None; put the marker of `close` back."""
        try:
            queued = self._waiting.get_nowait()
        except Empty:
            return None
        if queued is None:
            self._waiting.put(None)
        return queued

    def _measure(self, queued: QueuedCommand) -> Command:
        """Return the command with its sender's context, measured and traced; if cancelled, it does nothing."""

        def command(matches: Matches) -> Any:
            if queued.future.cancelled():
                return None
            started = perf_counter()
            try:
                # A copy, because a command may run twice.
                context = queued.context.copy()
                context.run(RESPONSE_TIMEOUT.set, ANSWER_SECONDS)
                return context.run(self.meter.measure, queued.name, lambda: queued.command(matches))
            finally:
                if queued.span is not None:
                    queued.span.record_child("command", started, perf_counter(), {COMMAND: queued.name})

        return command

    def _resolve(self, commands: Sequence[QueuedCommand], outcomes: Sequence[Outcome]) -> None:
        """Resolve the futures on their event loop and call `on_done`; nothing happens if the loop is closed."""
        results, now = list(zip(commands, outcomes, strict=True)), perf_counter()
        self.meter.grouped.observe(len(commands))
        for queued, outcome in results:
            if outcome.refusal is None:
                self.meter.appended.observe(now - queued.sent_at)
        # A closed event loop has no waiting senders.
        with suppress(RuntimeError):
            commands[0].future.get_loop().call_soon_threadsafe(resolve_futures, results)
            self._on_done()


@contextmanager
def trace_commit(commands: Sequence[QueuedCommand]) -> Iterator[None]:
    """Trace the block as the commit of each traced command, and pass the traces by match to the store."""
    traced = [(queued.span, queued.match_id) for queued in commands if queued.span is not None]
    if not traced:
        yield
        return
    trace_parents = {
        match_id: span.traceparent for span, match_id in traced if match_id is not None and span.is_propagated
    }
    token, started = STORED.set(trace_parents), perf_counter()
    try:
        yield
    finally:
        STORED.reset(token)
        for span, _ in traced:
            span.record_child("commit", started, perf_counter(), {GROUPED: len(commands)})


def resolve_futures(results: Iterable[tuple[QueuedCommand, Outcome]]) -> None:
    """Set the result or exception of each future, unless it is done, because its sender no longer waits."""
    for queued, (value, refusal) in results:
        if queued.future.done():
            continue
        if refusal is None:
            queued.future.set_result(value)
        else:
            queued.future.set_exception(refusal)
