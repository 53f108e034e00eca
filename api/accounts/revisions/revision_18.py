"""Upgrade the tables from the last numbered step: 17 in files, 11 on servers. Later changes use Alembic.

Services without Alembic reject the store after this revision, because they do not know its step number.
"""

from pathlib import Path
from typing import Final

from alembic import op
from sqlalchemy import column, inspect, table, update

revision: Final = "18"
down_revision: Final = None

SEPARATOR: Final = "-- step "


def steps_of(name: str) -> list[list[str]]:
    """Return the statements of each step in a file next to this module."""
    _head, *steps = Path(__file__).with_name(name).read_text().split(SEPARATOR)
    return [[each.strip() for each in step.split("\n", 1)[1].split(";\n") if each.strip()] for step in steps]


def upgrade() -> None:
    """Run the missing numbered steps of a file (SQLite) or server."""
    if op.get_bind().dialect.name == "sqlite":
        upgrade_file()
    else:
        upgrade_server()


def upgrade_file() -> None:
    """Run the missing steps of a file, and set `user_version` above their number."""
    connection, steps = op.get_bind(), steps_of("steps_in_files.sql")
    step_count = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    take(steps[step_count:])
    op.execute(f"PRAGMA user_version = {len(steps) + 1}")


def upgrade_server() -> None:
    """Run the missing steps of a server, and set the number in the table `version` above their number."""
    connection, steps = op.get_bind(), steps_of("steps_at_servers.sql")
    if not inspect(connection).has_table("version"):
        op.execute("CREATE TABLE version (number BIGINT NOT NULL)")
        op.execute("INSERT INTO version VALUES (0)")
    step_count = connection.exec_driver_sql("SELECT number FROM version").scalar_one()
    take(steps[step_count:])
    op.execute(update(table("version", column("number"))).values(number=len(steps) + 1))


def take(steps: list[list[str]]) -> None:
    """Execute the statements of the steps, in order."""
    for step in steps:
        for statement in step:
            op.get_bind().exec_driver_sql(statement)
