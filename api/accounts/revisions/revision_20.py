"""Add the texts of clubs: names and descriptions, messages of requests, and reasons of removals."""

from typing import Final

from alembic import op

revision: Final = "20"
down_revision: Final = "19"

TABLES: Final = (
    """CREATE TABLE club_profiles (
        id TEXT {c} PRIMARY KEY, name TEXT NOT NULL, name_key TEXT {c} NOT NULL UNIQUE,
        about TEXT NOT NULL DEFAULT '')""",
    """CREATE TABLE club_requests (
        club TEXT {c} NOT NULL, person TEXT {c} NOT NULL REFERENCES people ON DELETE CASCADE,
        message TEXT NOT NULL, PRIMARY KEY (club, person))""",
    "CREATE INDEX club_requests_of_person ON club_requests (person)",
    """CREATE TABLE club_removals (
        club TEXT {c} NOT NULL, person TEXT {c} NOT NULL REFERENCES people ON DELETE CASCADE,
        reason TEXT NOT NULL, PRIMARY KEY (club, person))""",
    "CREATE INDEX club_removals_of_person ON club_removals (person)",
)


def upgrade() -> None:
    """Create the tables; on servers ids compare byte by byte."""
    collation = "" if op.get_bind().dialect.name == "sqlite" else 'COLLATE "C"'
    for statement in TABLES:
        op.execute(statement.format(c=collation))
