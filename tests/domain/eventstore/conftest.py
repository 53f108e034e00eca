"""Stores for these tests: an SQLite file and PostgreSQL."""

from tests.domain.eventstore.store_fixtures import matches, opened, place, quick

__all__ = ["matches", "opened", "place", "quick"]
