"""Talk: messages, the people they mention, blocks and mutes, and reports."""

from typing import Final

from sqlalchemy import Column, Table

from api.accounts.tables.metadata import METADATA, of_person
from projections.platform.tables import KEY

BOUNDARIES: Final = Table(
    "boundaries",
    METADATA,
    of_person(is_key=True),
    of_person("other", is_key=True),
    Column("kind", KEY, nullable=False),
    Column("created", KEY, nullable=False),
    sqlite_with_rowid=False,
)
