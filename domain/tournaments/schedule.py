"""The schedule of a tournament, for everyone or for one participant."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal

from domain.kernel.values import Value
from domain.standings.contest import RoundTable
from domain.standings.results import Results, result_of
from domain.tournaments.state import Round, Tournament

FAR: datetime = datetime.max.replace(tzinfo=UTC)
AppointmentKind = Literal["entry_closes", "check_in", "round", "break"]
AppointmentStatus = Literal["to_come", "bye", "waiting", "over", "none"]


class Appointment(Value, frozen=True, kw_only=True, omit_defaults=True):
    """A scheduled event, or a round without a known time.

    `ends` of a round is its deadline. `table`, `entries` and `status` apply to the participant of the schedule:
    `to_come` until the round is public, `none` if they are not in it.
    """

    kind: AppointmentKind
    starts: datetime | None = None
    ends: datetime | None = None
    name: str = ""
    round: int = 0
    table: int = 0
    entries: tuple[str, ...] = ()
    status: AppointmentStatus = "to_come"


def schedule(state: Tournament, results: Results, entry: str = "") -> tuple[Appointment, ...]:
    """Return the appointments sorted by time; rounds keep their order, and appointments without a time are last.

    With `entry`, rounds have that participant's table and status.
    """
    appointments = [*list_event_appointments(state), *list_round_appointments(state, results, entry)]
    latest, by_time = datetime.min.replace(tzinfo=UTC), list[tuple[datetime, Appointment]]()
    for each in appointments:
        begins = each.starts or each.ends or FAR
        if each.kind == "round":
            begins = latest = max(latest, begins)
        by_time.append((begins, each))
    return tuple(each for _, each in sorted(by_time, key=lambda pair: pair[0]))


def list_event_appointments(state: Tournament) -> Iterator[Appointment]:
    """Yield the registration and check-in of the calendar, if they close at a time, and its breaks."""
    calendar = state.calendar
    if calendar.entry_closes is not None:
        yield Appointment(kind="entry_closes", starts=calendar.entry_opens, ends=calendar.entry_closes)
    if calendar.check_in_closes is not None:
        yield Appointment(kind="check_in", starts=calendar.check_in_opens, ends=calendar.check_in_closes)
    for each in calendar.breaks:
        yield Appointment(kind="break", starts=each.starts, ends=each.ends, name=each.name)


def list_round_appointments(state: Tournament, results: Results, entry: str) -> Iterator[Appointment]:
    """Yield every round that is scheduled or public; scheduled rounds that are not public are "to_come"."""
    public = {each.number: each for each in state.played_rounds}
    for number in range(1, max(len(state.calendar.rounds), len(public)) + 1):
        time, round_ = state.calendar.round(number), public.get(number)
        table, entries, status = (0, (), "to_come") if round_ is None else place_in(round_, results, entry)
        yield Appointment(
            kind="round",
            starts=time.starts or (round_.waits_from if round_ is not None else None),
            ends=time.deadline,
            round=number,
            table=table,
            entries=entries,
            status=status,
        )


def place_in(round_: Round, results: Results, entry: str) -> tuple[int, tuple[str, ...], AppointmentStatus]:
    """Return the table, its entries and the status of a participant in a public round; table 0 without one.

    The status is "bye", "none" outside of the round, or the table's. Without an entry, it is the round's:
    "over" or "waiting".
    """
    if not entry:
        return 0, (), "over" if round_.status == "closed" else "waiting"
    if entry in round_.byes:
        return 0, (), "bye"
    for number, table in enumerate(round_.tables, start=1):
        if entry in table.entries:
            return number, table.entries, status_at(table, results)
    return 0, (), "none"


def status_at(table: RoundTable, results: Results) -> AppointmentStatus:
    """Return whether a table has a result."""
    return "waiting" if result_of(table, results) is None else "over"
