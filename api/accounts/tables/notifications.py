"""Notifications: mail addresses, push subscriptions, their pace, and the outbox."""

from typing import Final

from sqlalchemy import Column, Index, Table, UniqueConstraint

from api.accounts.tables.metadata import METADATA, key, of_person
from projections.platform.tables import KEY, NUMBER, WORDS

MAIL_ADDRESSES: Final = Table(
    "mail_addresses",
    METADATA,
    of_person(is_key=True),
    Column("id", KEY, nullable=False, unique=True),
    Column("address", WORDS, nullable=False),
    Column("state", KEY, nullable=False),
    Column("language", WORDS, nullable=False),
    Column("created", KEY, nullable=False),
)
PUSH_SUBSCRIPTIONS: Final = Table(
    "push_subscriptions",
    METADATA,
    key("id"),
    of_person(),
    Column("endpoint", KEY, nullable=False, unique=True),
    Column("p256dh", WORDS, nullable=False),
    Column("auth", WORDS, nullable=False),
    Column("agent", WORDS, nullable=False),
    Column("language", WORDS, nullable=False),
    Column("created", KEY, nullable=False),
    Index("push_subscriptions_of_person", "person"),
)
PACES: Final = Table(
    "paces",
    METADATA,
    of_person(is_key=True),
    key("way"),
    key("kind"),
    Column("pace", WORDS, nullable=False),
    sqlite_with_rowid=False,
)
OUTBOX: Final = Table(
    "outbox",
    METADATA,
    key("id"),
    Column("fact", KEY, nullable=False),
    of_person(),
    Column("kind", KEY, nullable=False),
    Column("way", KEY, nullable=False),
    Column("device", KEY, nullable=False),
    Column("what", WORDS, nullable=False),
    Column("about", WORDS, nullable=False),
    Column("number", NUMBER, nullable=False),
    Column("pace", KEY, nullable=False),
    Column("made_us", NUMBER, nullable=False),
    Column("due_us", NUMBER, nullable=False),
    Column("state", KEY, nullable=False),
    Column("message", KEY, nullable=False),
    Column("attempt", NUMBER, nullable=False),
    Column("leased_us", NUMBER, nullable=False),
    UniqueConstraint("fact", "person", "kind", "way", "device"),
    Index("outbox_by_time", "state", "way", "due_us"),
    Index("outbox_of_person", "person"),
    Index("outbox_by_message", "message"),
)
OUTBOX_WAYS: Final = Table(
    "outbox_ways",
    METADATA,
    key("way"),
    Column("position", NUMBER, nullable=False),
    Column("failures", NUMBER, nullable=False),
    Column("rests_us", NUMBER, nullable=False),
)
