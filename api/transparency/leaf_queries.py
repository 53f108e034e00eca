"""Queries of the leaves of the tree, with their labels where the tree has a table of them."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from sqlalchemy import Select, bindparam, literal, select

from projections.tree import LABELS, LEAVES


class LeafQueries(NamedTuple):
    """The queries; rows have number, position, stream, version, salt, leaf and label (None without one)."""

    of_stream: Select[Any]
    of_entry: Select[Any]
    since: Select[Any]
    between: Select[Any]
    bundle: Select[Any]
    """Rows have leaf and label only."""


def leaf_queries(*, has_labels: bool) -> LeafQueries:
    """Return the queries; `has_labels`: whether the table of labels exists."""
    label = LABELS.c.label if has_labels else literal(None).label("label")
    source = LEAVES.outerjoin(LABELS, LABELS.c.number == LEAVES.c.number) if has_labels else LEAVES
    columns = (LEAVES.c.number, LEAVES.c.position, LEAVES.c.stream, LEAVES.c.version, LEAVES.c.salt, LEAVES.c.leaf)
    leaves = select(*columns, label).select_from(source).order_by(LEAVES.c.number)
    of_stream = leaves.where(LEAVES.c.stream == bindparam("stream"))
    since = leaves.where(LEAVES.c.number >= bindparam("first"))
    between = since.where(LEAVES.c.number < bindparam("end"))
    return LeafQueries(
        of_stream=of_stream,
        of_entry=of_stream.where(LEAVES.c.version == bindparam("version")),
        since=since,
        between=between,
        bundle=between.with_only_columns(LEAVES.c.leaf, label),
    )


LABELLED: Final = leaf_queries(has_labels=True)
PLAIN: Final = leaf_queries(has_labels=False)
"""For a tree that an earlier version of the service has written, opened read-only."""
