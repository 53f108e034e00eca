"""Add the secret words in the addresses of people's calendars."""

from typing import Final

from alembic import op

revision: Final = "22"
down_revision: Final = "21"

STATEMENT: Final = """CREATE TABLE calendars (
    person TEXT {c} NOT NULL PRIMARY KEY REFERENCES people ON DELETE CASCADE, word TEXT {c} NOT NULL)"""


def upgrade() -> None:
    """Create the table; on servers ids compare byte by byte."""
    collation = "" if op.get_bind().dialect.name == "sqlite" else 'COLLATE "C"'
    op.execute(STATEMENT.format(c=collation))
