"""Add the holidays that people announce for all of their correspondence tables."""

from typing import Final

from alembic import op

revision: Final = "21"
down_revision: Final = "20"

STATEMENTS: Final = (
    """CREATE TABLE holidays (
        id TEXT {c} PRIMARY KEY, person TEXT {c} NOT NULL REFERENCES people ON DELETE CASCADE,
        first {n} NOT NULL, last {n} NOT NULL, announced {n} NOT NULL, ended {n} NOT NULL,
        is_applied {n} NOT NULL, signing_key TEXT {c} NOT NULL, signature TEXT {c} NOT NULL,
        end_signature TEXT {c} NOT NULL)""",
    "CREATE INDEX holidays_of_person ON holidays (person, last)",
    "CREATE INDEX holidays_by_end ON holidays (is_applied, last)",
)


def upgrade() -> None:
    """Create the table; on servers ids compare byte by byte."""
    collation, number = ("", "INTEGER") if op.get_bind().dialect.name == "sqlite" else ('COLLATE "C"', "BIGINT")
    for statement in STATEMENTS:
        op.execute(statement.format(c=collation, n=number))
