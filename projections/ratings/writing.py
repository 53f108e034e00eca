"""Writing rows of ratings, many per statement."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, TypeVar

from sqlalchemy import Insert

from domain.ratings.ladder import Pool
from projections.platform.database import Row
from projections.platform.fills import FillTransaction
from projections.platform.statements import Sized, in_sizes

Some = TypeVar("Some")

ROWS: Final = 500
"""The number of values in a list of one statement: databases take some thousands at a time."""


def key_of(pool: Pool) -> dict[str, Any]:
    """Return the statement parameters of a pool."""
    return {"title": pool.title, "seats": pool.seats}


def batches(values: Sequence[Some]) -> Iterator[Sequence[Some]]:
    """Return the values in lists that fit into one statement."""
    return (values[start : start + ROWS] for start in range(0, len(values), ROWS))


def put_rows(transaction: FillTransaction, statement: Callable[[int], Insert], rows: Sequence[Row]) -> None:
    """Write rows of a table, many per statement; one statement per row takes three times as long."""
    for batch in in_sizes(rows):
        transaction.change(Sized(statement, len(batch)), *chain.from_iterable(batch))
