"""The tables of the transparency tree: the order of the log, its hashes, and signatures of the service and witnesses.

Tables were only added since the first version, so opening a tree creates the missing ones and no tree is migrated
(decision 0067).
"""

from typing import Any, Final

from sqlalchemy import CheckConstraint, Column, Index, MetaData, Table

from projections.platform.tables import BYTES, NUMBER, TEXT

SCHEMA: Final = "tree"
"""The schema of the tables in PostgreSQL."""
METADATA: Final = MetaData()


def number(name: str, *, is_key: bool = False) -> Column[Any]:
    # The service gives the numbers; PostgreSQL would create a sequence for a key of one number.
    """Return an integer column."""
    return Column(name, NUMBER, primary_key=is_key, nullable=False, autoincrement=False)


def text(name: str) -> Column[Any]:
    """Return a text column."""
    return Column(name, TEXT, nullable=False)


def data(name: str) -> Column[Any]:
    """Return a binary column."""
    return Column(name, BYTES, nullable=False)


LEAVES: Final = Table(
    "leaves",
    METADATA,
    number("number", is_key=True),
    number("position"),
    data("stream"),
    number("version"),
    data("salt"),
    data("leaf"),
    Index("leaves_of_stream", "stream", "version", unique=True),
)
"""The leaves, each with its position in the log, and the stream and version of its entry or record.

Announcements have a separate stream, no salt, and their content in `leaf`.
"""
LABELS: Final = Table(
    "labels",
    METADATA,
    number("number", is_key=True),
    data("label"),
)
"""The labels of leaves; those before the announcement of format 2 have none.

They are different because streams and versions are. An index of random values would double the time of an append.
"""
TILES: Final = Table(
    "tiles",
    METADATA,
    number("level", is_key=True),
    number("number", is_key=True),
    data("hashes"),
)
READING: Final = Table(
    "reading",
    METADATA,
    number("id", is_key=True),
    number("position"),
    CheckConstraint("id = 1"),
)
"""The position up to which the log was read. It is beyond the last leaf, because not every record has a leaf."""
CHECKPOINTS: Final = Table(
    "checkpoints",
    METADATA,
    Column("what", TEXT, primary_key=True),
    text("text"),
    text("signature"),
    number("at"),
)
WITNESSES: Final = Table(
    "witnesses",
    METADATA,
    Column("name", TEXT, primary_key=True),
    number("size"),
    text("text"),
    text("signature"),
    number("at"),
    text("trouble"),
    text("reason"),
    number("since"),
)
