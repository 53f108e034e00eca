"""What waits for an organiser: the tables of the newest round, and what is to be done next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, Literal

import msgspec

from api.http.clock import now
from api.tournaments.wire import RoundShown, TableShown
from domain.kernel.values import Value
from domain.tournaments.state import Tournament

NAMED: Final = 6
"""So many tables or people are named where something waits; of the others the number is told."""
NeedKind = Literal[
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


class BenchRow(msgspec.Struct, frozen=True):
    """A table of the newest round as organisers need it: whether it has no result, is disputed or over its deadline,
    who has not come, and whether its result may be taken back."""

    table: TableShown
    is_open: bool
    is_by_hand: bool
    is_disputed: bool
    is_late: bool
    can_undo: bool
    missing: tuple[int, ...] = ()

    @property
    def word(self) -> str:
        """What the list filters by."""
        disputed = self.is_disputed or self.table.contradicted
        states = {"open": self.is_open, "disputed": disputed, "late": self.is_late}
        return " ".join(name for name, holds in states.items() if holds)


class Spot(Value, frozen=True, omit_defaults=True):
    """The page where one of the things that wait is handled: what it is about, and who looks after it already."""

    path: str
    round: int = 0
    table: int = 0
    name: str = ""
    official: str = ""


class Need(Value, frozen=True, omit_defaults=True):
    """Something that waits for an organiser: how many tables or people, and the first of them."""

    kind: NeedKind
    count: int = 0
    tables: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    until: datetime | None = None
    spots: tuple[Spot, ...] = ()


def needs_of(
    state: Tournament,
    round_: RoundShown | None,
    rows: Sequence[BenchRow],
    names: Mapping[str, str],
    wanting: int,
    asked: Sequence[Need] = (),
) -> list[Need]:
    """What waits for an organiser, the most urgent first; `wanting`: so many people more the next round needs;
    `asked`: what players ask of officials."""
    found = [*asked]
    if state.status == "ended":
        return found
    if round_ is None:
        return [*found, *before_the_first(state, names, wanting)]
    if round_.status in {"failed", "proposed"}:
        found.append(Need("failed" if round_.status == "failed" else "misfit" if round_.misfits else "proposed"))
    for kind, which in (
        ("disputed", [row for row in rows if row.is_disputed]),
        ("contradicted", [row for row in rows if row.table.contradicted]),
        ("late", [row for row in rows if row.is_late]),
    ):
        if which:
            found.append(Need(kind, len(which), tuple(row.table.table for row in which[:NAMED])))  # type: ignore[arg-type]
    gone = [row.table.names[seat] for row in rows for seat in row.missing]
    if gone:
        found.append(Need("missing", len(gone), names=tuple(gone[:NAMED]), until=round_.start_due))
    waiting = [row for row in rows if row.is_open and row.is_by_hand and not row.is_late]
    if waiting:
        found.append(Need("open", len(waiting), tuple(row.table.table for row in waiting[:NAMED])))
    if rows and not any(row.is_open or row.is_disputed or row.table.contradicted for row in rows):
        found.append(Need("done"))
    if round_.status == "closed":
        found.append(Need("few", wanting) if wanting else Need("next"))
    return found


def before_the_first(state: Tournament, names: Mapping[str, str], wanting: int) -> Iterator[Need]:
    """What waits before the first round is asked for. It can be paired once nobody can enter any more, nobody is to
    check in and there are enough people."""
    calendar, at = state.calendar, now()
    not_yet = calendar.entry_opens is not None and at < calendar.entry_opens
    is_open = calendar.entry_closes is not None and at < calendar.entry_closes
    gone = [names[each.id] for each in state.entries if each.status == "in" and not (each.is_there or each.is_bot)]
    checks_in = calendar.check_in_closes is not None and not state.is_checked_in and bool(gone)
    if checks_in:
        yield Need("check_in", len(gone), names=tuple(gone[:NAMED]), until=calendar.check_in_closes)
    if not_yet:
        yield Need("not_yet", until=calendar.entry_opens)
    elif is_open:
        yield Need("registration", until=calendar.entry_closes)
    if wanting:
        yield Need("few", wanting)
    elif not (not_yet or is_open or checks_in):
        yield Need("next")
