"""Add the private data of contests: countries, passwords and lists for entry, and the texts of sanctions."""

from typing import Final

from alembic import op

revision: Final = "19"
down_revision: Final = "18"

TABLES: Final = (
    """CREATE TABLE countries (
        person TEXT {c} PRIMARY KEY REFERENCES people ON DELETE CASCADE, country TEXT {c} NOT NULL)""",
    "CREATE TABLE entry_passwords (contest TEXT {c} PRIMARY KEY, password TEXT NOT NULL)",
    """CREATE TABLE entry_lists (
        contest TEXT {c} NOT NULL, person TEXT {c} NOT NULL REFERENCES people ON DELETE CASCADE,
        PRIMARY KEY (contest, person))""",
    "CREATE INDEX entry_lists_of_person ON entry_lists (person)",
    """CREATE TABLE sanction_texts (
        id TEXT {c} PRIMARY KEY, person TEXT {c} NOT NULL REFERENCES people ON DELETE CASCADE,
        series TEXT {c} NOT NULL, reason TEXT NOT NULL, appeal TEXT NOT NULL DEFAULT '',
        answer TEXT NOT NULL DEFAULT '')""",
    "CREATE INDEX sanction_texts_of_person ON sanction_texts (person)",
)


def upgrade() -> None:
    """Create the tables; on servers ids compare byte by byte."""
    collation = "" if op.get_bind().dialect.name == "sqlite" else 'COLLATE "C"'
    for statement in TABLES:
        op.execute(statement.format(c=collation))
