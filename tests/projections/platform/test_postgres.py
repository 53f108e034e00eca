"""A connection whose preparation fails is closed at once, not when Python collects it."""

import gc
import warnings

import psycopg

from projections.platform.postgres import PostgresDatabase

RESERVED = "pg_ours"
"""PostgreSQL refuses schemas with this prefix."""


def is_refused(url: str) -> bool:
    """Return whether a database refuses the schema. No traceback keeps its connection alive afterwards."""
    try:
        PostgresDatabase(url, RESERVED)
    except psycopg.errors.ReservedName:
        return True
    return False


def test_a_connection_is_closed_when_its_schema_is_refused(fresh_postgres: str) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert is_refused(fresh_postgres)
        gc.collect()

    assert [str(each.message) for each in warned] == []
