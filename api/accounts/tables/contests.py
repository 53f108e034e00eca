"""Private data of tournaments and leagues: entry, the texts of sanctions, announced holidays, and calendars."""

from typing import Final

from sqlalchemy import Column, Index, Table

from api.accounts.tables.metadata import METADATA, key, of_person
from projections.platform.tables import KEY, NUMBER, WORDS

COUNTRIES: Final = Table(
    "countries",
    METADATA,
    of_person(is_key=True),
    Column("country", KEY, nullable=False),
)
ENTRY_PASSWORDS: Final = Table(
    "entry_passwords",
    METADATA,
    key("contest"),
    Column("password", WORDS, nullable=False),
)
ENTRY_LISTS: Final = Table(
    "entry_lists",
    METADATA,
    key("contest"),
    of_person(is_key=True),
    Index("entry_lists_of_person", "person"),
)
SANCTION_TEXTS: Final = Table(
    "sanction_texts",
    METADATA,
    key("id"),
    of_person(),
    Column("series", KEY, nullable=False),
    Column("reason", WORDS, nullable=False),
    Column("appeal", WORDS, nullable=False, server_default=""),
    Column("answer", WORDS, nullable=False, server_default=""),
    Index("sanction_texts_of_person", "person"),
)
CALENDARS: Final = Table(
    "calendars",
    METADATA,
    of_person(is_key=True),
    Column("word", KEY, nullable=False),
)
HOLIDAYS: Final = Table(
    "holidays",
    METADATA,
    key("id"),
    of_person(),
    Column("first", NUMBER, nullable=False),
    Column("last", NUMBER, nullable=False),
    Column("announced", NUMBER, nullable=False),
    Column("ended", NUMBER, nullable=False),
    Column("is_applied", NUMBER, nullable=False),
    Column("signing_key", KEY, nullable=False),
    Column("signature", KEY, nullable=False),
    Column("end_signature", KEY, nullable=False),
    Index("holidays_of_person", "person", "last"),
    Index("holidays_by_end", "is_applied", "last"),
)
"""`is_applied`: the end has reached all tables, and nothing is left to do."""
