"""The days of absence that a table allows each seat."""

from msgspec import UNSET

from domain.kernel.rules import UnknownOption
from domain.matches.facts import Table
from domain.matches.play.absences import DAYS_MAX


def fault_of_absence_days(table: Table) -> str | None:
    """Return why days of absence are not possible at the table, or None."""
    if table.absence_days is UNSET or table.clock.kind == "correspondence":
        return None
    return f"absenceDays={table.absence_days}: only correspondence tables have days of absence"


def check_absence_days(table: Table, log_format: int) -> None:
    """Raise `UnknownOption` for days of absence at a table without correspondence, or before log format 3."""
    if (fault := fault_of_absence_days(table)) is not None:
        raise UnknownOption(fault)
    if table.absence_days is not UNSET and log_format < 3:
        raise UnknownOption(f"absenceDays={table.absence_days}: the log format {log_format} has no absences")


def allowed_days(table: Table) -> int:
    """Return the days of absence that the table allows each seat, in all."""
    return DAYS_MAX if table.absence_days is UNSET else table.absence_days
