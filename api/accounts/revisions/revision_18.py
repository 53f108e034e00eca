"""The tables as numbered steps left them: 17 in a file, 11 at a server. From here on, Alembic counts.

A service without Alembic refuses the store after this revision: it reads a number of steps that it does not know.
"""

from pathlib import Path
from typing import Final

from alembic import op
from sqlalchemy import column, inspect, table, update

revision: Final = "18"
down_revision: Final = None

SEPARATOR: Final = "-- step "


def steps_of(name: str) -> list[list[str]]:
    """Return the statements of each step of a file beside this one."""
    _head, *steps = Path(__file__).with_name(name).read_text().split(SEPARATOR)
    return [[each.strip() for each in step.split("\n", 1)[1].split(";\n") if each.strip()] for step in steps]


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        upgrade_file()
    else:
        upgrade_server()


def upgrade_file() -> None:
    connection, steps = op.get_bind(), steps_of("steps_in_files.sql")
    taken = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    take(steps[taken:])
    op.execute(f"PRAGMA user_version = {len(steps) + 1}")


def upgrade_server() -> None:
    connection, steps = op.get_bind(), steps_of("steps_at_servers.sql")
    if not inspect(connection).has_table("version"):
        op.execute("CREATE TABLE version (number BIGINT NOT NULL)")
        op.execute("INSERT INTO version VALUES (0)")
    taken = connection.exec_driver_sql("SELECT number FROM version").scalar_one()
    take(steps[taken:])
    op.execute(update(table("version", column("number"))).values(number=len(steps) + 1))


def take(steps: list[list[str]]) -> None:
    for step in steps:
        for statement in step:
            op.get_bind().exec_driver_sql(statement)
