"""The narration of a match: one line for each entry, as a spectator may read it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Column, bindparam, insert, select

from domain.eventstore.compression import Compressor
from domain.kernel.messages import Message
from domain.kernel.values import Value
from domain.matches.facts import ActionTaken, Actor, Fact, MatchForked, MatchStarted
from domain.matches.log.entries import microseconds, peek_fact_type, redact
from domain.matches.titles import read_fact
from projections.data import DATA
from projections.follow import FollowedStep, moment
from projections.matches.boards import phase_of, scores_of
from projections.matches.narration import is_chosen_by_service, narrate_fact
from projections.platform.database import Row
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model

NAME: Final = "replay"
SHAPE: Final = "7"
SLICED: Final = True
REPLAY: Final = read_model(
    "replay",
    Column("match_id", TEXT, primary_key=True),
    Column("version", NUMBER, primary_key=True),
    Column("line", BYTES, nullable=False),
    Column("parent", TEXT),
    Column("parent_version", NUMBER),
    sqlite_with_rowid=False,
)
TABLES: Final = by_name(REPLAY)

COLUMNS: Final = REPLAY.c
OF_MATCH: Final = COLUMNS.match_id == bindparam("match_id")
WRITE: Final = insert(REPLAY)
READ: Final = (
    select(COLUMNS.match_id, COLUMNS.version, COLUMNS.line)
    .where(OF_MATCH, COLUMNS.version > bindparam("after"), COLUMNS.version <= bindparam("upto"))
    .order_by(COLUMNS.version)
    .limit(bindparam("limit"))
)
READ_PARENT: Final = select(COLUMNS.parent, COLUMNS.parent_version).where(OF_MATCH, COLUMNS.parent.is_not(None))

LAST: Final = 2**62
"""Greater than any version and any number of lines."""

LINES: Final = Compressor(DATA / "lines-1.zdict")
"""Another dictionary requires another `SHAPE`."""


class StoredLine(msgspec.Struct, frozen=True, array_like=True):
    """The compressed part of a line; the rest is in columns."""

    at: int
    kind: str
    seat: int | None
    by: Actor | None
    phase: str
    scores: tuple[int, ...]
    narration: tuple[Message, ...]


LINE: Final = msgspec.json.Decoder(StoredLine)


class ReplayLine(Value, frozen=True):
    """The narration of entry `version`, with its kind, seat and player and the match after it."""

    match_id: UUID
    version: int
    at: datetime
    kind: str
    seat: int | None
    by: Actor | None
    phase: str
    scores: tuple[int, ...]
    narration: tuple[Message, ...]


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Insert one line for each entry, the first of a fork with its parent; lines never change."""
    for step in steps:
        parent, parent_version = (
            (step.fact.parent, step.fact.at) if isinstance(step.fact, MatchForked) else (None, None)
        )
        line = msgspec.json.encode(stored_line(step), order="deterministic")
        transaction.change(
            WRITE,
            match_id=str(step.line_id),
            version=step.version,
            line=LINES.compress(line),
            parent=parent,
            parent_version=parent_version,
        )


def stored_line(step: FollowedStep) -> StoredLine:
    """Build the stored line of a step."""
    match, fact = step.match, step.fact
    return StoredLine(
        microseconds(step.entry.timestamp),
        peek_fact_type(step.entry).type,
        getattr(fact, "seat", None),
        getattr(fact, "by", None),
        phase_of(match),
        scores_of(match),
        narration(step),
    )


def narration(step: FollowedStep) -> tuple[Message, ...]:
    """Narrate a step as a spectator of the running match could know it; the words stay the same after the end."""
    match = step.match
    visible_fact: Fact = read_fact(match.definition, redact(step.entry, None)) if step.entry.secrets else step.fact
    effects: tuple[Any, ...] = visible_fact.effects if isinstance(visible_fact, ActionTaken | MatchStarted) else ()
    effect_messages = match.definition.rules.narrate(step.spectator_view, effects) if effects else ()
    speaks_for_itself = (
        isinstance(visible_fact, ActionTaken) and effect_messages and not is_chosen_by_service(visible_fact)
    )
    return effect_messages if speaks_for_itself else (*narrate_fact(visible_fact), *effect_messages)


def lines(store: ReadStore, match_id: UUID, after: int = 0, limit: int | None = None) -> tuple[ReplayLine, ...]:
    """Return the lines after entry `after`; lines of a fork start with those shared with its parent."""
    return tuple(lines_between(store, str(match_id), after, LAST, LAST if limit is None else limit))


def lines_between(store: ReadStore, match_id: str, after: int, upto: int, limit: int) -> list[ReplayLine]:
    """Return at most `limit` lines in (after, upto], by version, including those shared with the parents.

    Empty for an unknown match.
    """
    parent_lines: list[ReplayLine] = []
    for parent, parent_version in store.rows(READ_PARENT, match_id=match_id):
        if after < parent_version:
            parent_lines = lines_between(store, parent, after, min(upto, parent_version), limit)
    own_rows = store.rows(READ, match_id=match_id, after=after, upto=upto, limit=limit - len(parent_lines))
    return parent_lines + [line_of(row) for row in own_rows]


def line_of(row: Row) -> ReplayLine:
    """Convert a row into a line."""
    match_id, version, compressed = row
    line = LINE.decode(LINES.decompress(compressed))
    return ReplayLine(
        match_id=UUID(match_id),
        version=version,
        at=moment(line.at),
        kind=line.kind,
        seat=line.seat,
        by=line.by,
        phase=line.phase,
        scores=line.scores,
        narration=line.narration,
    )
