"""Stores for these tests: an SQLite file and PostgreSQL."""

from tests.domain.eventstore.store_fixtures import database, matches, reopen_store, sqlite

__all__ = ["database", "matches", "reopen_store", "sqlite"]
