"""Invitations to private tables, and the people who accepted one."""

from typing import Final

from sqlalchemy import Column, ForeignKey, Index, Table

from api.accounts.tables.metadata import METADATA, key, of_person
from projections.platform.tables import KEY, row_number

INVITATIONS: Final = Table(
    "invitations",
    METADATA,
    *row_number(),
    key("id"),
    Column("digest", KEY, nullable=False, unique=True),
    Column("match_id", KEY, nullable=False),
    of_person(),
    Column("created", KEY, nullable=False),
    Index("invitations_of_match", "match_id"),
    Index("invitations_of_person", "person"),
)
INVITED: Final = Table(
    "invited",
    METADATA,
    key("match_id"),
    of_person(is_key=True),
    Column("invitation", KEY, ForeignKey("invitations.id", ondelete="CASCADE"), primary_key=True),
    Index("invited_of_person", "person"),
    Index("invited_of_invitation", "invitation"),
    sqlite_with_rowid=False,
)
