"""Accounts: people, names, sign-in methods, and the secrets of the service."""

from typing import Final

from sqlalchemy import Column, Index, Table, UniqueConstraint, text

from api.accounts.tables.metadata import METADATA, key, of_person
from projections.platform.tables import KEY, NUMBER, WORDS, row_number

PEOPLE: Final = Table(
    "people",
    METADATA,
    key("id"),
    Column("name", KEY, nullable=False),
    Column("name_key", KEY, nullable=False, unique=True),
    Column("password", WORDS),
    Column("role", KEY, nullable=False),
    Column("created", KEY, nullable=False),
    Column("is_guest", NUMBER, nullable=False, server_default=text("0")),
    Column("preferences", WORDS),
)
SECRETS: Final = Table("secrets", METADATA, key("name"), Column("value", WORDS, nullable=False))

# Skeletons of account names (`lookalikes.py`), so that no two names look alike.
LOOKS: Final = Table(
    "looks",
    METADATA,
    key("look"),
    of_person(is_key=True),
    Column("made_by", KEY, nullable=False),
    Index("looks_of_person", "person", "made_by"),
    sqlite_with_rowid=False,
)
LOCAL_GUESTS: Final = Table(
    "local_guests",
    METADATA,
    key("id"),
    of_person("opener"),
    Column("match_id", KEY, nullable=False),
    Column("name", WORDS, nullable=False),
    Index("local_guests_of_opener", "opener", "match_id"),
    sqlite_with_rowid=False,
)

SESSIONS: Final = Table(
    "sessions",
    METADATA,
    *row_number(),
    key("digest"),
    of_person(),
    Column("expires", KEY, nullable=False),
    Column("id", KEY, nullable=False, server_default=""),
    Column("created", KEY),
    Column("used", KEY),
    Column("agent", WORDS, nullable=False, server_default=""),
    Index("sessions_of_person", "person", "expires"),
    Index("sessions_by_end", "expires").ddl_if(dialect="postgresql"),
)
TOKENS: Final = Table(
    "tokens",
    METADATA,
    *row_number(),
    key("id"),
    Column("digest", KEY, nullable=False, unique=True),
    of_person(),
    Column("label", WORDS, nullable=False),
    Column("created", KEY, nullable=False),
    Column("scopes", WORDS, nullable=False, server_default="read play organise arbitrate admin"),
    Column("expires", KEY),
    Column("used", KEY),
    Index("tokens_of_person", "person"),
)
PASSKEYS: Final = Table(
    "passkeys",
    METADATA,
    *row_number(),
    key("id"),
    Column("credential", KEY, nullable=False, unique=True),
    of_person(),
    Column("domain", KEY, nullable=False),
    Column("label", WORDS, nullable=False),
    Column("public_key", WORDS, nullable=False),
    Column("sign_count", NUMBER, nullable=False),
    Column("created", KEY, nullable=False),
    Column("used", KEY),
    Index("passkeys_of_person", "person"),
)
IDENTITIES: Final = Table(
    "identities",
    METADATA,
    *row_number(),
    key("id"),
    Column("issuer", KEY, nullable=False),
    Column("subject", KEY, nullable=False),
    of_person(),
    Column("created", KEY, nullable=False),
    Column("used", KEY),
    UniqueConstraint("issuer", "subject"),
    Index("identities_of_person", "person"),
)
CEREMONIES: Final = Table(
    "ceremonies",
    METADATA,
    key("digest"),
    Column("kind", WORDS, nullable=False),
    of_person(is_optional=True),
    Column("facts", WORDS, nullable=False),
    Column("expires", KEY, nullable=False),
    Index("ceremonies_of_person", "person"),
    Index("ceremonies_by_end", "expires"),
)
