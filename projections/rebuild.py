"""Projections made again from the log: beside the tables being read, which they then take the place of.

The log is folded once for all of them, in ranges of matches: each range by whoever is given it, into a file of its own,
and its rows are taken over as it is done. What was appended meanwhile is followed after that, in the order of the log.
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
from projections.follow import AnyFollower, FollowedSteps, Postponing, enrol, lead_of
from projections.parts import Folded, Task, common_streams, fold_range
from projections.platform.merging import Absorbed, Merging
from projections.platform.statements import any_of
from projections.platform.store import ADD, FORGET_PLACE, POSITIONS, SWITCH, ReadStore, Transaction, all_of
from projections.platform.tables import indexes_of
from projections.ranges import ENTRIES, Range, WholeLog, cut

NEXT: Final = "_next"
BATCH: Final = 1_000
MOVE_MARKED: Final = (
    update(POSITIONS)
    .where(POSITIONS.c.shape == bindparam("mark"), POSITIONS.c.follower.in_(any_of("names")))
    .values(position=bindparam("to"))
)
SCRATCH: Final = "esporles-rebuilding-"
"""How the folder of the files begins that a rebuild throws away; it may stand among those of other programs."""

Progress = Callable[[int], None]
"""Told the number of entries and records that were folded so far."""
FoldAll = Callable[[Sequence[Task]], Iterable[Folded]]
"""Folds ranges, in any order."""


class UnknownProjection(Exception):
    """No read model has that name."""


class RebuiltTwice(Exception):
    """Of two rebuilds of one projection the later one goes on."""


class Rebuilt(NamedTuple):
    """The position that was reached, and what was passed over on the way: why, by stream."""

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
) -> Rebuilt:
    """Makes projections again and puts them in the place of the old ones. `folder`: for files that are thrown away.

    The service may go on: pages read the old tables until the new ones take their place in one transaction, and a
    follower that finds its position moved goes on from there.
    """
    for name in names:
        if name not in PROJECTIONS:
            raise UnknownProjection(f"there is no projection {name!r}; there are: {', '.join(sorted(PROJECTIONS))}")
    making = Making(names, store)
    making.begin()
    upto = log.last_position()
    ranges = cut(log, upto, common=common_streams(names), entries=entries) or [Range((), 0)]
    done, passed_over = 0, dict[UUID, str]()
    with scratch_folder(folder) as scratch:
        tasks = [Task(number, each, tuple(names), upto, scratch / f"{number}.db") for number, each in enumerate(ranges)]
        for folded in fold_all(tasks) if fold_all else (fold_range(task, log) for task in tasks):
            making.absorb(folded.file)
            folded.file.unlink()
            passed_over |= folded.passed_over
            done += folded.entries
            progress(done)
    steps = FollowedSteps(log)
    steps.passed_over |= passed_over
    position = making.catch_up(steps, upto, lambda more: progress(done + more))
    making.switch(position)
    return Rebuilt(position, steps.passed_over)


@contextmanager
def scratch_folder(folder: Path | None) -> Iterator[Path]:
    """A folder for files that are thrown away; those that a killed rebuild has left are thrown away too."""
    inside = Path(tempfile.gettempdir()) if folder is None else folder
    for left in inside.glob(f"{SCRATCH}*"):
        with suppress(StoreBusy, OSError), writer_lock(left):
            shutil.rmtree(left)
    with tempfile.TemporaryDirectory(prefix=SCRATCH, dir=inside) as made, writer_lock(Path(made)):
        yield Path(made)


class Making:
    """Tables beside those being read, with a mark of their own: of two rebuilds the later one has them."""

    def __init__(self, names: Sequence[str], store: ReadStore) -> None:
        self._projections: tuple[AnyFollower, ...] = tuple(PROJECTIONS[name] for name in names)
        self._next = tuple(name + NEXT for name in names)
        self._store = store
        self._mark = secrets.token_hex(8)

    def begin(self) -> None:
        """Empty tables."""
        for projection in self._projections:
            enrol(self._store, projection)
        with self._store.transaction(NEXT) as transaction:
            for projection in self._projections:
                drop(transaction, projection)
                for table in projection.TABLES.values():
                    transaction.change(CreateTable(table))
            for name in self._next:
                transaction.change(FORGET_PLACE, follower=name)
                transaction.change(ADD, follower=name, position=0, shape=self._mark)

    def absorb(self, file: Path) -> None:
        """The rows of a range."""
        with self._store.absorbing(file) as absorb, self._store.transaction(NEXT) as transaction:
            self._move(transaction, 0)
            for projection in self._projections:
                merged = projection.MERGED if isinstance(projection, Merging) else {}
                for name, table in projection.TABLES.items():
                    absorb(Absorbed(table, NEXT, merged.get(name)))

    def catch_up(self, steps: FollowedSteps, position: int, progress: Progress) -> int:
        """What was appended meanwhile, and what projections have put off; the position reached."""
        leads, begun = [lead_of(projection) for projection in self._projections], position
        while (taken := steps.after(position, BATCH))[1] != position:
            batch, position = taken
            with self._store.transaction(NEXT) as transaction:
                self._move(transaction, position)
                for lead in leads:
                    lead(transaction, batch)
            progress(position - begun)
        for projection in self._projections:
            while isinstance(projection, Postponing) and self._go_on(projection, position):
                pass
        return position

    def switch(self, position: int) -> None:
        """The new tables take the names, the indexes and the position."""
        with self._store.transaction() as transaction:
            self._move(transaction, position)
            for projection in self._projections:
                # Before the tables: who follows takes both in this order.
                transaction.change(SWITCH, to=position, **all_of(projection.NAME))
            for projection in self._projections:
                drop(transaction, projection)
                for name, table in projection.TABLES.items():
                    transaction.change(text(f"ALTER TABLE {name}{NEXT} RENAME TO {name}"))
                    for index in indexes_of(table):
                        transaction.change(CreateIndex(index))
            for name in self._next:
                transaction.change(FORGET_PLACE, follower=name)

    def _go_on(self, projection: Postponing, position: int) -> bool:
        with self._store.transaction(NEXT) as transaction:
            self._move(transaction, position)
            return projection.go_on(transaction)

    def _move(self, transaction: Transaction, position: int) -> None:
        """The new tables are ours still, and stand at a position."""
        if transaction.change(MOVE_MARKED, to=position, mark=self._mark, names=self._next) != len(self._next):
            names = ", ".join(projection.NAME for projection in self._projections)
            raise RebuiltTwice(f"somebody else has begun to rebuild {names} meanwhile; this one ends")


def drop(transaction: Transaction, projection: AnyFollower) -> None:
    for table in projection.TABLES.values():
        transaction.change(DropTable(table, if_exists=True))
