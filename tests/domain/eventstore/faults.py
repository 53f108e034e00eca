"""A store whose transactions can fail, be killed, or come second."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from eventsourcing.persistence import OperationalError, StoredEvent

from domain.eventstore.application import Matches
from domain.eventstore.match_store import MatchStore


class Killed(BaseException):
    """The process is gone."""


class FaultyRecorder:
    """A recorder that passes everything on; what is stored meets the faults that were ordered, one each time."""

    def __init__(self, recorder: Any) -> None:
        self._recorder = recorder
        self.faults: Iterator[Callable[[Callable[[], Any]], Any]] = iter(())
        self.stored = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._recorder, name)

    def insert_events(self, rows: Sequence[StoredEvent], **kwargs: Any) -> Any:
        def insert() -> Any:
            positions = self._recorder.insert_events(rows, **kwargs)
            self.stored += 1
            return positions

        return next(self.faults, passes)(insert)


Insert = Callable[[], Any]
Fault = Callable[[Insert], Any]


def passes(insert: Insert) -> Any:
    return insert()


def fails_before(_insert: Insert) -> Any:
    raise OperationalError("the disk is full")


def fails_after(insert: Insert) -> Any:
    """It is stored, and nobody is told."""
    insert()
    raise OperationalError("the connection was lost")


def asks_again(insert: Insert) -> Any:
    """The answer was lost and the driver asks once more, as that of PostgreSQL does."""
    insert()
    return insert()


def killed_before(_insert: Insert) -> Any:
    raise Killed


def killed_after(insert: Insert) -> Any:
    insert()
    raise Killed


def second_to(others: Callable[[], Any]) -> Fault:
    """Another process comes first."""

    def fault(insert: Insert) -> Any:
        others()
        return insert()

    return fault


def faulty(matches: Matches) -> FaultyRecorder:
    """The recorder of this store from now on."""
    recorder = FaultyRecorder(matches.log.recorder)
    assert isinstance(matches.log, MatchStore)
    matches.log.recorder = recorder  # type: ignore[assignment]  # other attributes are forwarded
    return recorder
