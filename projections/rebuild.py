"""Rebuilding projections from the log, in separate tables that then replace the old ones.

The log is folded once for all projections, in ranges of matches, possibly by several processes. Each range gives a
temporary file whose rows are copied. Entries appended during the rebuild are followed afterwards.
"""

import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

from sqlalchemy import bindparam, text, update
from sqlalchemy.schema import CreateIndex, CreateTable, DropTable

from domain.eventstore.writer_lock import StoreBusy, writer_lock
from projections.catalogue import PROJECTIONS
from projections.follow import AnyFollower, Deferring, StepReader, batch_handler_of, ensure_tables
from projections.platform.fills import END_FILL
from projections.platform.merging import CopiedTable, Merging
from projections.platform.statements import any_of
from projections.platform.store import ADD, FORGET_CONSUMER, POSITIONS, SWITCH, ReadStore, Transaction, consumers_of
from projections.platform.tables import indexes_of
from projections.range_folding import FoldedRange, Task, common_streams, fold_range
from projections.ranges import ENTRIES, Range, WholeLog, divide_log

NEXT: Final = "_next"
BATCH: Final = 1_000
MOVE_MARKED: Final = (
    update(POSITIONS)
    .where(POSITIONS.c.shape == bindparam("mark"), POSITIONS.c.follower.in_(any_of("names")))
    .values(position=bindparam("to"))
)
SCRATCH: Final = "esporles-rebuilding-"
"""Prefix of the temporary folder, which may be next to folders of other programs."""

Progress = Callable[[int], None]
"""Called with the number of entries and records folded so far."""
FoldAll = Callable[[Sequence[Task]], Iterable[FoldedRange]]
"""Folds ranges, in any order."""


class UnknownProjection(Exception):
    """The error of an unknown projection."""


class RebuildSuperseded(Exception):
    """The error of a rebuild superseded by a later one of the same projection."""


class RebuildResult(NamedTuple):
    """The position that was reached, and skipped streams with reasons."""

    position: int
    passed_over: Mapping[UUID, str]


def rebuild(
    names: Sequence[str],
    log: WholeLog,
    store: ReadStore,
    progress: Progress = lambda _done: None,
    *,
    fold_all: FoldAll | None = None,
    entries: int = ENTRIES,
    folder: Path | None = None,
) -> RebuildResult:
    """Rebuild projections and replace their tables; `folder` holds temporary files.

    The service keeps running: readers use the old tables until one transaction replaces them, and a consumer
    that finds its offset moved continues from there. `fold_all` folds the ranges, possibly in parallel;
    `progress` gets the number of entries done. Raise `UnknownProjection` for an unknown name,
    `RebuildSuperseded` if another rebuild of them begins.
    """
    for name in names:
        if name not in PROJECTIONS:
            raise UnknownProjection(f"unknown projection {name!r}; choose from {', '.join(sorted(PROJECTIONS))}")
    rebuilt = RebuildTables(names, store)
    rebuilt.begin()
    upto = log.last_position()
    ranges = divide_log(log, upto, common=common_streams(names), entries=entries) or [Range((), 0)]
    entry_count, skipped_streams = 0, dict[UUID, str]()
    with scratch_folder(folder) as scratch_path:
        tasks = [
            Task(number, each, tuple(names), upto, scratch_path / f"{number}.db") for number, each in enumerate(ranges)
        ]
        for folded in fold_all(tasks) if fold_all else (fold_range(task, log) for task in tasks):
            rebuilt.absorb(folded.file)
            folded.file.unlink()
            skipped_streams |= folded.passed_over
            entry_count += folded.entries
            progress(entry_count)
    steps = StepReader(log)
    steps.skipped_streams |= skipped_streams
    position = rebuilt.catch_up(steps, upto, lambda more: progress(entry_count + more))
    rebuilt.switch(position)
    return RebuildResult(position, steps.skipped_streams)


@contextmanager
def scratch_folder(folder: Path | None) -> Iterator[Path]:
    """Provide a temporary folder, removed at the end, and delete folders left by killed rebuilds."""
    parent = Path(tempfile.gettempdir()) if folder is None else folder
    for leftover in parent.glob(f"{SCRATCH}*"):
        with suppress(StoreBusy, OSError), writer_lock(leftover):
            shutil.rmtree(leftover)
    with tempfile.TemporaryDirectory(prefix=SCRATCH, dir=parent) as created, writer_lock(Path(created)):
        yield Path(created)


class RebuildTables:
    """The separate tables of a rebuild, marked so that a later rebuild takes them over."""

    def __init__(self, names: Sequence[str], store: ReadStore) -> None:
        self._projections: tuple[AnyFollower, ...] = tuple(PROJECTIONS[name] for name in names)
        self._next = tuple(name + NEXT for name in names)
        self._store = store
        self._mark = secrets.token_hex(8)

    def begin(self) -> None:
        """Create empty tables next to the current ones, marked as this rebuild's.

        The tables of an earlier rebuild are dropped, which ends it.
        """
        for projection in self._projections:
            ensure_tables(self._store, projection)
        with self._store.transaction(NEXT) as transaction:
            for projection in self._projections:
                drop_tables(transaction, projection)
                for table in projection.TABLES.values():
                    transaction.change(CreateTable(table))
            for name in self._next:
                transaction.change(FORGET_CONSUMER, follower=name)
                transaction.change(ADD, follower=name, position=0, shape=self._mark)

    def absorb(self, file: Path) -> None:
        """Copy the rows of a range into the new tables; rows that several ranges count are added up.

        Raise `RebuildSuperseded` if another rebuild has begun.
        """
        with self._store.absorbing(file) as copy_table, self._store.transaction(NEXT) as transaction:
            self._move(transaction, 0)
            for projection in self._projections:
                merged = projection.MERGED if isinstance(projection, Merging) else {}
                for name, table in projection.TABLES.items():
                    copy_table(CopiedTable(table, NEXT, merged.get(name)))

    def catch_up(self, steps: StepReader, position: int, progress: Progress) -> int:
        """Apply entries appended during the rebuild, do deferred work, and return the position reached.

        `progress` gets the number of positions done. Raise `RebuildSuperseded` if another rebuild has begun.
        """
        handlers, start = [batch_handler_of(projection) for projection in self._projections], position
        while (result := steps.after(position, BATCH))[1] != position:
            batch, position = result
            with self._store.transaction(NEXT) as transaction:
                self._move(transaction, position)
                for handle_batch in handlers:
                    handle_batch(transaction, batch)
            progress(position - start)
        for projection in self._projections:
            while isinstance(projection, Deferring) and self._go_on(projection, position):
                pass
        return position

    def switch(self, position: int) -> None:
        """Replace the old tables by the new ones in one transaction, and set indexes and offsets.

        Raise `RebuildSuperseded` if another rebuild has begun.
        """
        with self._store.transaction() as transaction:
            self._move(transaction, position)
            for projection in self._projections:
                # Offsets before tables, the order in which consumers lock them.
                transaction.change(SWITCH, to=position, **consumers_of(projection.NAME))
            for projection in self._projections:
                drop_tables(transaction, projection)
                for name, table in projection.TABLES.items():
                    transaction.change(END_FILL, table=name)
                    transaction.change(text(f"ALTER TABLE {name}{NEXT} RENAME TO {name}"))
                    for index in indexes_of(table):
                        transaction.change(CreateIndex(index))
            for name in self._next:
                transaction.change(FORGET_CONSUMER, follower=name)

    def _go_on(self, projection: Deferring, position: int) -> bool:
        with self._store.transaction(NEXT) as transaction:
            self._move(transaction, position)
            return projection.do_deferred_work(transaction)

    def _move(self, transaction: Transaction, position: int) -> None:
        """Set the position of the new tables; raise `RebuildSuperseded` if another rebuild has begun."""
        if transaction.change(MOVE_MARKED, to=position, mark=self._mark, names=self._next) != len(self._next):
            names = ", ".join(projection.NAME for projection in self._projections)
            raise RebuildSuperseded(f"another process has started to rebuild {names}; stopping")


def drop_tables(transaction: Transaction, projection: AnyFollower) -> None:
    """Drop the tables of a projection."""
    for table in projection.TABLES.values():
        transaction.change(DropTable(table, if_exists=True))
