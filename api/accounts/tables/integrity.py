"""Hashes of the network addresses of people by day; their salt is deleted (`api/integrity/addresses.py`)."""

from typing import Final

from sqlalchemy import Index, Table

from api.accounts.tables.metadata import METADATA, key, of_person

ADDRESS_USES: Final = Table(
    "address_uses",
    METADATA,
    key("day"),
    key("hash"),
    of_person(is_key=True),
    Index("address_uses_of_person", "person"),
    sqlite_with_rowid=False,
)
