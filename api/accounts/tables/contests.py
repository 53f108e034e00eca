"""Private data of tournaments and leagues: passwords and lists of names for entry, and the texts of sanctions."""

from typing import Final

from sqlalchemy import Column, Index, Table

from api.accounts.tables.metadata import METADATA, key, of_person
from projections.platform.tables import KEY, WORDS

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
