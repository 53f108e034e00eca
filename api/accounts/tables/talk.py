"""Talk: messages, mentions, blocks and mutes, and reports.

Numbers of deleted messages are never reused, so a reader that continues after a number misses none.
"""

from typing import Final

from sqlalchemy import Column, ForeignKey, Index, Table, UniqueConstraint

from api.accounts.tables.metadata import METADATA, key, of_person
from projections.platform.tables import KEY, WORDS, row_number

MESSAGES: Final = Table(
    "messages",
    METADATA,
    *row_number(is_never_reused=True),
    key("id"),
    Column("room", KEY, nullable=False),
    of_person(),
    Column("words", WORDS, nullable=False),
    Column("phrase", KEY, nullable=False),
    Column("created", KEY, nullable=False),
    Column("removed", KEY),
    Index("messages_in_room", "room", "rowid"),
    Index("messages_of_person", "person", "rowid"),
)
MENTIONS: Final = Table(
    "mentions",
    METADATA,
    *row_number(is_never_reused=True),
    Column("message", KEY, ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True),
    of_person(is_key=True),
    Index("mentions_of_person", "person"),
)
BOUNDARIES: Final = Table(
    "boundaries",
    METADATA,
    of_person(is_key=True),
    of_person("other", is_key=True),
    Column("kind", KEY, nullable=False),
    Column("created", KEY, nullable=False),
    Index("boundaries_of_other", "other"),
    sqlite_with_rowid=False,
)
REPORTS: Final = Table(
    "reports",
    METADATA,
    key("id"),
    Column("message", KEY, ForeignKey("messages.id", ondelete="CASCADE"), nullable=False),
    of_person(),
    Column("reason", WORDS, nullable=False),
    Column("event", KEY, nullable=False),
    Column("created", KEY, nullable=False),
    Column("answered", KEY),
    UniqueConstraint("message", "person"),
    Index("reports_that_wait", "answered", "event"),
    Index("reports_of_person", "person"),
)
