"""Texts of clubs: names and descriptions, messages of requests, and reasons of removals."""

from typing import Final

from sqlalchemy import Column, Index, Table

from api.accounts.tables.metadata import METADATA, key, of_person
from projections.platform.tables import KEY, WORDS

CLUB_PROFILES: Final = Table(
    "club_profiles",
    METADATA,
    key("id"),
    Column("name", WORDS, nullable=False),
    Column("name_key", KEY, nullable=False, unique=True),
    Column("about", WORDS, nullable=False, server_default=""),
)
CLUB_REQUESTS: Final = Table(
    "club_requests",
    METADATA,
    key("club"),
    of_person(is_key=True),
    Column("message", WORDS, nullable=False),
    Index("club_requests_of_person", "person"),
)
CLUB_REMOVALS: Final = Table(
    "club_removals",
    METADATA,
    key("club"),
    of_person(is_key=True),
    Column("reason", WORDS, nullable=False),
    Index("club_removals_of_person", "person"),
)
