"""Open tasks of organisers: the latest round and the next step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, Literal

import msgspec

from api.tournaments.schemas import RoundShown, TableShown
from domain.kernel.values import Value
from domain.tournaments.state import Tournament
from projections.platform.clock import now

NAMED_MAX: Final = 6
"""Tables or people named in a task; the rest are counted."""
TaskKind = Literal[
    "called",
    "reported",
    "failed",
    "misfit",
    "proposed",
    "late",
    "disputed",
    "contradicted",
    "missing",
    "open",
    "done",
    "next",
    "check_in",
    "not_yet",
    "registration",
    "few",
]


class WorkbenchRow(msgspec.Struct, frozen=True):
    """A table of the latest round for the workbench: its open questions and possible actions."""

    table: TableShown
    is_open: bool
    is_by_hand: bool
    is_disputed: bool
    is_late: bool
    can_undo: bool
    missing: tuple[int, ...] = ()

    @property
    def word(self) -> str:
        """The filter keywords of the row, separated by spaces: "open", "disputed" (or contradicted) and "late"."""
        disputed = self.is_disputed or self.table.contradicted
        states = {"open": self.is_open, "disputed": disputed, "late": self.is_late}
        return " ".join(name for name, is_set in states.items() if is_set)


class TaskLink(Value, frozen=True, omit_defaults=True):
    """A link to the page that handles a task: its subject, and the official who handles it already."""

    path: str
    round: int = 0
    table: int = 0
    name: str = ""
    official: str = ""


class OpenTask(Value, frozen=True, omit_defaults=True):
    """An open task of organisers: the number of tables or people, and the first of them."""

    kind: TaskKind
    count: int = 0
    tables: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    until: datetime | None = None
    spots: tuple[TaskLink, ...] = ()


def find_open_tasks(
    state: Tournament,
    round_: RoundShown | None,
    rows: Sequence[WorkbenchRow],
    names: Mapping[str, str],
    missing_count: int,
    requests: Sequence[OpenTask] = (),
) -> list[OpenTask]:
    """Return the open tasks, most urgent first; of an ended tournament only `requests`.

    `missing_count` is the number of missing players for the next round; `requests` are from players to officials. Each
    task names at most `NAMED_MAX` tables or people.
    """
    found = [*requests]
    if state.status == "ended":
        return found
    if round_ is None:
        return [*found, *tasks_before_first_round(state, names, missing_count)]
    if round_.status in {"failed", "proposed"}:
        found.append(OpenTask("failed" if round_.status == "failed" else "misfit" if round_.misfits else "proposed"))
    for kind, problem_rows in (
        ("disputed", [row for row in rows if row.is_disputed]),
        ("contradicted", [row for row in rows if row.table.contradicted]),
        ("late", [row for row in rows if row.is_late]),
    ):
        if problem_rows:
            found.append(OpenTask(kind, len(problem_rows), tuple(row.table.table for row in problem_rows[:NAMED_MAX])))  # type: ignore[arg-type]
    absent_names = [row.table.names[seat] for row in rows for seat in row.missing]
    if absent_names:
        found.append(
            OpenTask("missing", len(absent_names), names=tuple(absent_names[:NAMED_MAX]), until=round_.start_due)
        )
    waiting = [row for row in rows if row.is_open and row.is_by_hand and not row.is_late]
    if waiting:
        found.append(OpenTask("open", len(waiting), tuple(row.table.table for row in waiting[:NAMED_MAX])))
    if rows and not any(row.is_open or row.is_disputed or row.table.contradicted for row in rows):
        found.append(OpenTask("done"))
    if round_.status == "closed":
        found.append(OpenTask("few", missing_count) if missing_count else OpenTask("next"))
    return found


def tasks_before_first_round(state: Tournament, names: Mapping[str, str], missing_count: int) -> Iterator[OpenTask]:
    """Yield the tasks before the first round.

    The round can be paired once registration is closed, no one has to check in, and there are enough people.
    """
    calendar, at = state.calendar, now()
    is_before_entry = calendar.entry_opens is not None and at < calendar.entry_opens
    is_entry_open = calendar.entry_closes is not None and at < calendar.entry_closes
    absent_names = [
        names[each.id] for each in state.entries if each.status == "in" and not (each.is_there or each.is_bot)
    ]
    is_check_in_pending = calendar.check_in_closes is not None and not state.is_checked_in and bool(absent_names)
    if is_check_in_pending:
        yield OpenTask(
            "check_in", len(absent_names), names=tuple(absent_names[:NAMED_MAX]), until=calendar.check_in_closes
        )
    if is_before_entry:
        yield OpenTask("not_yet", until=calendar.entry_opens)
    elif is_entry_open:
        yield OpenTask("registration", until=calendar.entry_closes)
    if missing_count:
        yield OpenTask("few", missing_count)
    elif not (is_before_entry or is_entry_open or is_check_in_pending):
        yield OpenTask("next")
