"""Stores for these tests: an SQLite file and PostgreSQL."""

from tests.domain.eventstore.store_fixtures import matches, place, quick, reopen_store

__all__ = ["matches", "place", "quick", "reopen_store"]
