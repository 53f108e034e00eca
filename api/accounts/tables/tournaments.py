"""Photos of event tables, each in two sizes."""

from typing import Final

from sqlalchemy import Column, Index, Table

from api.accounts.tables.metadata import METADATA, key, of_person
from projections.platform.tables import BYTES, KEY, NUMBER, WORDS

PHOTOS: Final = Table(
    "photos",
    METADATA,
    key("id"),
    Column("event", KEY, nullable=False),
    Column("round", NUMBER, nullable=False),
    Column("number", NUMBER, nullable=False),
    of_person(),
    Column("caption", WORDS, nullable=False),
    Column("seen", WORDS, nullable=False),
    Column("width", NUMBER, nullable=False),
    Column("height", NUMBER, nullable=False),
    Column("small_width", NUMBER, nullable=False),
    Column("small_height", NUMBER, nullable=False),
    Column("created", KEY, nullable=False),
    Column("small", BYTES, nullable=False),
    Column("large", BYTES, nullable=False),
    Index("photos_of_event", "event", "created"),
    Index("photos_of_person", "person"),
)
