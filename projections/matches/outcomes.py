"""Outcomes of matches after rulings, for tournaments, leagues and ratings."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index, Table, and_, bindparam, or_, select

from domain.matches.aggregate import Match
from domain.matches.facts import MatchForked
from domain.matches.log.entries import microseconds
from domain.matches.rulings.outcome import Outcome, Times, outcome_of
from projections.follow import FollowedStep
from projections.platform.statements import insert_new, upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model

NAME: Final = "outcomes"
SHAPE: Final = "5"


def outcome_table(name: str) -> Table:
    """Return a table of outcomes with this name: match, end, event and detail.

    Ratings use a separate one, at the position of their consumer.
    """
    return read_model(
        name,
        Column("match_id", TEXT, primary_key=True),
        Column("ended", NUMBER),
        Column("event", TEXT, nullable=False),
        Column("detail", BYTES, nullable=False),
    )


def line_table(name: str) -> Table:
    """Return a table with the match that each line belongs to."""
    return read_model(name, Column("line_id", TEXT, primary_key=True), Column("match_id", TEXT, nullable=False))


OUTCOMES: Final = outcome_table("outcomes")
OUTCOME_LINES: Final = line_table("outcome_lines")
TABLES: Final = by_name(OUTCOMES, OUTCOME_LINES)
Index("outcomes_by_end", OUTCOMES.c.ended, OUTCOMES.c.match_id)
Index("outcomes_by_event", OUTCOMES.c.event, OUTCOMES.c.match_id)


class OutcomeTables:
    """A pair of tables of outcomes with its statements."""

    def __init__(self, outcomes: Table, lines: Table) -> None:
        self.read: Final = select(outcomes.c.detail).where(outcomes.c.match_id == bindparam("match_id"))
        self.read_root: Final = select(lines.c.match_id).where(lines.c.line_id == bindparam("line_id"))
        self.write: Final = upsert(outcomes, kept=("event",))
        self.write_line: Final = insert_new(lines)


OWN: Final = OutcomeTables(OUTCOMES, OUTCOME_LINES)
COLUMNS: Final = OUTCOMES.c
READ: Final = (
    select(COLUMNS.detail)
    .join(OUTCOME_LINES, OUTCOME_LINES.c.match_id == COLUMNS.match_id)
    .where(OUTCOME_LINES.c.line_id == bindparam("line_id"))
)
READ_ENDED: Final = (
    select(COLUMNS.detail)
    .where(
        COLUMNS.ended.is_not(None),
        or_(
            COLUMNS.ended > bindparam("ended"),
            and_(COLUMNS.ended == bindparam("ended"), COLUMNS.match_id > bindparam("match_id")),
        ),
    )
    .order_by(COLUMNS.ended, COLUMNS.match_id)
    .limit(bindparam("limit"))
)
READ_TOURNAMENT: Final = select(COLUMNS.detail).where(COLUMNS.event == bindparam("event")).order_by(COLUMNS.match_id)

ALL_OF_THEM: Final = 2**62


OUTCOME: Final = msgspec.json.Decoder(Outcome)


class OfficialLine(NamedTuple):
    """The official line, its times, and the last step; None if only known from the store."""

    line_id: UUID
    times: Times
    step: FollowedStep | None = None


def follow(transaction: Transaction, steps: Sequence[FollowedStep], tables: OutcomeTables = OWN) -> None:
    """Store the outcome of every match, by its official line after all these entries.

    A fork by a ruling becomes the official line; later entries of a replaced line are ignored.
    """
    roots, found = dict[UUID, str](), dict[str, OfficialLine]()
    for step in steps:
        if (root := roots.get(step.line_id)) is None:
            root = roots[step.line_id] = root_of(transaction, step.match, str(step.line_id), tables)
            transaction.change(tables.write_line, line_id=str(step.line_id), match_id=root)
        official = found.get(root) or read_official_line(transaction, root, tables)
        takes_over = isinstance(step.fact, MatchForked) and step.fact.ruling != ""
        if official is not None and official.line_id != step.line_id and not takes_over:
            # A replaced line no longer affects the outcome.
            continue
        times = Times() if official is None else official.times
        found[root] = OfficialLine(step.line_id, times.after(step.match), step)
    for root, (line_id, times, last_step) in found.items():
        assert last_step is not None
        outcome = outcome_of(last_step.match, UUID(root), line_id, times, imported=last_step.imported)
        ended = None if outcome.ended_at is None else microseconds(outcome.ended_at)
        detail = msgspec.json.encode(outcome, order="deterministic")
        transaction.change(tables.write, match_id=root, ended=ended, event=outcome.event, detail=detail)


def read_official_line(transaction: Transaction, root: str, tables: OutcomeTables) -> OfficialLine | None:
    """Return the stored official line of a match, or None."""
    for (detail,) in transaction.rows(tables.read, match_id=root):
        outcome = OUTCOME.decode(detail)
        return OfficialLine(outcome.line_id, Times(outcome.started_at, outcome.ended_at))
    return None


def line_before(match: Match) -> str:
    """Return the line that this one replaced, or an empty string."""
    return str(match.origin.match_id) if match.origin is not None and match.docket.ruling else ""


def root_of(transaction: Transaction, match: Match, line_id: str, tables: OutcomeTables) -> str:
    """Return the original line of the match: as stored for it or for the line before; else the line itself."""
    for candidate in (line_id, line_before(match)):
        rows = transaction.rows(tables.read_root, line_id=candidate)
        if rows:
            return str(rows[0][0])
    return line_id


def get(store: ReadStore, match_id: UUID) -> Outcome | None:
    """Return the outcome of a line's match, or None."""
    rows = store.rows(READ, line_id=str(match_id))
    return OUTCOME.decode(rows[0][0]) if rows else None


def many(store: ReadStore, match_ids: Sequence[UUID]) -> dict[UUID, Outcome]:
    """Return the known outcomes by match id."""
    found = ((match_id, get(store, match_id)) for match_id in match_ids)
    return {match_id: outcome for match_id, outcome in found if outcome is not None}


def list_ended(
    store: ReadStore, after: tuple[datetime, UUID] | None = None, limit: int = ALL_OF_THEM
) -> tuple[Outcome, ...]:
    """Return at most `limit` ended and void matches after a key, sorted by (ended_at, match_id)."""
    moment, last = (-ALL_OF_THEM, "") if after is None else (microseconds(after[0]), str(after[1]))
    return tuple(OUTCOME.decode(row[0]) for row in store.rows(READ_ENDED, ended=moment, match_id=last, limit=limit))


def of_tournament(store: ReadStore, event: str) -> tuple[Outcome, ...]:
    """Return the outcomes of a tournament or league."""
    return tuple(OUTCOME.decode(row[0]) for row in store.rows(READ_TOURNAMENT, event=event))
