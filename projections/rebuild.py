"""A projection made again from the log: beside the tables being read, which it then takes the place of."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple
from uuid import UUID

from projections.catalogue import PROJECTIONS
from projections.follow import AnyFollower, FollowedSteps, Log, Postponing, enrol, lead_of
from projections.store import Moved, ReadStore, Transaction

NEXT: Final = "_next"
BATCH: Final = 1_000

Progress = Callable[[str, int], None]
"""Told the projection's name and the position reached."""


class UnknownProjection(Exception):
    """No read model has that name."""


class RebuiltTwice(Exception):
    """Of two rebuilds of one projection the later one goes on."""


class Rebuilt(NamedTuple):
    """The position that was reached, and what was passed over on the way: why, by stream."""

    position: int
    passed_over: Mapping[UUID, str]


def rebuild(name: str, log: Log, store: ReadStore, progress: Progress = lambda _name, _position: None) -> Rebuilt:
    """Makes one projection again and puts it in the place of the old.

    The service may go on: pages read the old tables until the new ones take their place in one transaction, and a
    follower that finds its position moved goes on from there.
    """
    if name not in PROJECTIONS:
        raise UnknownProjection(f"there is no projection {name!r}; there are: {', '.join(sorted(PROJECTIONS))}")
    projection, steps, position = PROJECTIONS[name], FollowedSteps(log), 0
    lead = lead_of(projection)
    enrol(store, projection)
    begin(store, projection)
    try:
        while (taken := steps.after(position, BATCH))[1] != position:
            batch, end = taken
            with store.transaction(NEXT) as transaction:
                transaction.move(name + NEXT, position, end)
                lead(transaction, batch)
            position = end
            progress(name, position)
        while isinstance(projection, Postponing):
            with store.transaction(NEXT) as transaction:
                if not projection.go_on(transaction):
                    break
        with store.transaction() as transaction:
            transaction.move(name + NEXT, position, position)
            switch(transaction, projection, position)
    except Moved as moved:
        raise RebuiltTwice(f"somebody else has begun to rebuild {name} meanwhile; this one ends") from moved
    return Rebuilt(position, steps.passed_over)


def begin(store: ReadStore, projection: AnyFollower) -> None:
    """Empty tables beside those being read, with a position of their own: two rebuilds cannot fill the same ones."""
    with store.transaction(NEXT) as transaction:
        drop(transaction, projection)
        for definition in projection.TABLES.values():
            transaction.change(definition)
        transaction.change("DELETE FROM positions WHERE follower = ?", projection.NAME + NEXT)
        transaction.change(
            "INSERT INTO positions (follower, position, shape) VALUES (?, 0, ?)",
            projection.NAME + NEXT,
            projection.SHAPE,
        )


def drop(transaction: Transaction, projection: AnyFollower) -> None:
    for table in projection.TABLES:
        transaction.change(f"DROP TABLE IF EXISTS {{{table}}}")


def switch(transaction: Transaction, projection: AnyFollower, position: int) -> None:
    """The new tables take the names, the indexes and the position."""
    drop(transaction, projection)
    for table in projection.TABLES:
        transaction.change(f"ALTER TABLE {table}{NEXT} RENAME TO {table}")
    for index in projection.INDEXES:
        transaction.change(index)
    transaction.change("UPDATE positions SET position = ? WHERE follower = ?", position, projection.NAME)
    transaction.change("DELETE FROM positions WHERE follower = ?", projection.NAME + NEXT)
