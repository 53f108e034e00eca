"""Open the stores of these tests: an SQLite file and, for the same tests, PostgreSQL."""

from tests.domain.eventstore.store_fixtures import matches, opened, place, quick

__all__ = ["matches", "opened", "place", "quick"]
