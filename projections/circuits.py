"""Circuits: their state, list, contests, and acts of organisers."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index, bindparam, delete, insert, select

from domain.circuits.acts import CircuitAct, act_of
from domain.circuits.fact_base import ContestKey
from domain.circuits.state import CIRCUIT, Circuit
from domain.kernel.values import Value
from domain.matches.facts import Actor
from projections.follow import FollowedRecord, LogEvent
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.statements import insert_new, upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model

NAME: Final = "circuits"
SHAPE: Final = "1"
CIRCUITS: Final = read_model(
    "circuits",
    Column("circuit_id", TEXT, primary_key=True),
    Column("opened", NUMBER, nullable=False),
    Column("organiser", TEXT, nullable=False),
    Column("opened_at", TEXT, nullable=False),
    Column("detail", BYTES, nullable=False),
    Column("listed", BYTES, nullable=False),
)
CIRCUIT_CONTESTS: Final = read_model(
    "circuit_contests",
    Column("contest_id", TEXT, primary_key=True),
    Column("season", NUMBER, primary_key=True),
    Column("circuit_id", TEXT, primary_key=True),
    Column("part", TEXT, nullable=False),
)
CIRCUIT_ACTS: Final = read_model(
    "circuit_acts",
    Column("circuit_id", TEXT, primary_key=True),
    Column("version", NUMBER, primary_key=True),
    Column("act", BYTES, nullable=False),
)
TABLES: Final = by_name(CIRCUITS, CIRCUIT_CONTESTS, CIRCUIT_ACTS)
"""`part` of a contest: `event` or `final`."""
Index("circuits_by_opening", CIRCUITS.c.opened)
Index("circuits_by_organiser", CIRCUITS.c.organiser)

Part = Literal["event", "final"]
COLUMNS: Final = CIRCUITS.c
PARTS: Final = CIRCUIT_CONTESTS.c
ACTS: Final = CIRCUIT_ACTS.c
OF_CIRCUIT: Final = COLUMNS.circuit_id == bindparam("circuit_id")
READ_OPENING: Final = select(COLUMNS.opened, COLUMNS.detail).where(OF_CIRCUIT)
READ_LISTED: Final = select(COLUMNS.listed).where(OF_CIRCUIT)
WRITE: Final = upsert(CIRCUITS, kept=("opened", "organiser", "opened_at"))
WRITE_PART: Final = insert_new(CIRCUIT_CONTESTS)
FORGET_PART: Final = delete(CIRCUIT_CONTESTS).where(
    PARTS.contest_id == bindparam("contest_id"),
    PARTS.season == bindparam("season"),
    PARTS.circuit_id == bindparam("circuit_id"),
)
WRITE_ACT: Final = insert(CIRCUIT_ACTS)
READ_ACTS: Final = (
    select(ACTS.act)
    .where(ACTS.circuit_id == bindparam("circuit_id"), ACTS.version < bindparam("before"))
    .order_by(ACTS.version.desc())
    .limit(bindparam("limit"))
)
READ: Final = (
    select(COLUMNS.listed)
    .where(COLUMNS.opened < bindparam("before"))
    .order_by(COLUMNS.opened.desc())
    .limit(bindparam("limit"))
)
READ_AROUND: Final = (
    select(COLUMNS.listed, PARTS.part, PARTS.season)
    .join(CIRCUIT_CONTESTS, PARTS.circuit_id == COLUMNS.circuit_id)
    .where(PARTS.contest_id == bindparam("contest_id"))
    .order_by(COLUMNS.opened, PARTS.season)
    .limit(bindparam("limit"))
)
READ_OPENED: Final = (
    select(COLUMNS.circuit_id, COLUMNS.opened_at)
    .where(COLUMNS.organiser == bindparam("organiser"))
    .order_by(COLUMNS.opened)
)


class CircuitRow(Value, frozen=True, kw_only=True):
    """A circuit in the list; `opened` is the position of its first record."""

    circuit_id: UUID
    opened: int
    name: str
    contests: int
    is_settled: bool
    first: Actor = ""
    """The person at the head of the official standings."""


class CircuitAround(Value, frozen=True):
    """A circuit for which a contest, or its season (0: no season), counts, or whose final it is."""

    circuit: CircuitRow
    part: Part
    season: int


STATE: Final = msgspec.json.Decoder(Circuit)
LISTED: Final = msgspec.json.Decoder(CircuitRow)
ACT: Final = msgspec.json.Decoder(CircuitAct)


def follow_all(transaction: Transaction, events: Sequence[LogEvent]) -> None:
    """Store the state, the acts and the contests of every circuit; items of other kinds are ignored."""
    for event in events:
        if isinstance(event, FollowedRecord) and CIRCUIT.owns(event.record):
            follow_record(transaction, event)


def follow_record(transaction: Transaction, event: FollowedRecord) -> None:
    """Apply a record of a circuit."""
    record, name = event.record, str(event.record.stream_id)
    rows = transaction.rows(READ_OPENING, circuit_id=name)
    opened, previous = (rows[0][0], STATE.decode(rows[0][1])) if rows else (event.position, None)
    fact = CIRCUIT.read(record)
    if previous is not None and (act := act_of(previous, record, fact)) is not None:
        encoded = msgspec.json.encode(act, order="deterministic")
        transaction.change(WRITE_ACT, circuit_id=name, version=act.version, act=encoded)
    state = CIRCUIT.evolve(previous, record, fact)
    transaction.change(
        WRITE,
        circuit_id=name,
        opened=opened,
        organiser=state.organiser,
        opened_at=state.opened_at.isoformat(),
        detail=msgspec.json.encode(state, order="deterministic"),
        listed=msgspec.json.encode(row_of(state, opened), order="deterministic"),
    )
    before, after = parts_of(previous) if previous else {}, parts_of(state)
    for key in before.keys() - after.keys():
        transaction.change(FORGET_PART, circuit_id=name, **columns_of(key))
    for key in sorted(after.keys() - before.keys(), key=str):
        transaction.change(WRITE_PART, circuit_id=name, part=after[key], **columns_of(key))


def columns_of(key: ContestKey) -> dict[str, str | int]:
    """Return the columns that identify a contest."""
    return {"contest_id": str(key.id), "season": key.season}


def parts_of(circuit: Circuit) -> Mapping[ContestKey, Part]:
    """Return the contests that count, and the final."""
    found: dict[ContestKey, Part] = {each.key: "event" for each in circuit.active_contests}
    return found if circuit.final is None else {**found, circuit.final: "final"}


def row_of(circuit: Circuit, opened: int) -> CircuitRow:
    """Return the list entry of a circuit."""
    return CircuitRow(
        circuit_id=circuit.id,
        opened=opened,
        name=circuit.plan.name,
        contests=len(circuit.active_contests),
        is_settled=circuit.is_settled,
        first=next((line.actor for line in circuit.settled if line.rank == 1), ""),
    )


def find_row(store: ReadStore, circuit_id: UUID) -> CircuitRow | None:
    """Return the list entry of a circuit, or None if it is unknown here."""
    rows = store.rows(READ_LISTED, circuit_id=str(circuit_id))
    return LISTED.decode(rows[0][0]) if rows else None


def circuits(store: ReadStore, limit: int = LIMIT, before: int | None = None) -> Page[CircuitRow]:
    """Return a page of circuits, latest first; the key is `opened`."""
    rows = store.rows(READ, before=end_of(before), limit=limit + 1)
    return page_of([LISTED.decode(row[0]) for row in rows], limit, lambda circuit: circuit.opened)


def circuits_around(store: ReadStore, contest_id: UUID, limit: int = LIMIT) -> tuple[CircuitAround, ...]:
    """Return the circuits for which a tournament, a league or a circuit counts, or whose final it is, oldest first."""
    rows = store.rows(READ_AROUND, contest_id=str(contest_id), limit=limit)
    return tuple(CircuitAround(LISTED.decode(listed), part, season) for listed, part, season in rows)


def circuits_opened_by(store: ReadStore, person: Actor) -> tuple[tuple[UUID, datetime], ...]:
    """Return the circuits that a person opened, with their times, oldest first."""
    rows: Iterable[tuple[str, str]] = store.rows(READ_OPENED, organiser=person)
    return tuple((UUID(name), datetime.fromisoformat(opened_at)) for name, opened_at in rows)


def acts_of(store: ReadStore, circuit_id: UUID, limit: int = LIMIT, before: int | None = None) -> Page[CircuitAct]:
    """Return a page of the organisers' acts, latest first; the key is the version."""
    rows = store.rows(READ_ACTS, circuit_id=str(circuit_id), before=end_of(before), limit=limit + 1)
    return page_of([ACT.decode(row[0]) for row in rows], limit, lambda act: act.version)
