"""What every match counts as, after rulings: one outcome for a match and all lines that took its place.

Tournaments, leagues and ratings are counted from here. An outcome is made from facts of the log alone, so a ruling
that voids a match or sets its result changes everything that is derived from it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

import msgspec

from domain.kernel.values import Value
from domain.matches.aggregate import Match
from domain.matches.facts import Actor, MatchForked, Standing
from domain.matches.log import microseconds
from domain.matches.ruling import counted_result, points_taken
from projections.follow import FollowedStep
from projections.store import ReadStore, Transaction

NAME: Final = "outcomes"
SHAPE: Final = "2"
TABLES: Final = {
    "outcomes": """CREATE TABLE {outcomes} (match_id TEXT PRIMARY KEY, ended INTEGER, event TEXT NOT NULL,
        detail BLOB NOT NULL)""",
    "outcome_lines": """CREATE TABLE {outcome_lines} (line_id TEXT PRIMARY KEY, match_id TEXT NOT NULL)""",
}
INDEXES: Final = (
    "CREATE INDEX outcomes_by_end ON outcomes (ended, match_id)",
    "CREATE INDEX outcomes_by_event ON outcomes (event, match_id)",
)

READ_OWN: Final = "SELECT detail FROM {outcomes} WHERE match_id = ?"
READ_ROOT: Final = "SELECT match_id FROM {outcome_lines} WHERE line_id = ?"
WRITE: Final = (
    "INSERT INTO {outcomes} (match_id, ended, event, detail) VALUES (?, ?, ?, ?) ON CONFLICT (match_id) DO UPDATE SET"
    " ended = excluded.ended, detail = excluded.detail"
)
WRITE_LINE: Final = "INSERT INTO {outcome_lines} (line_id, match_id) VALUES (?, ?) ON CONFLICT (line_id) DO NOTHING"

READ: Final = (
    "SELECT detail FROM outcomes JOIN outcome_lines ON outcome_lines.match_id = outcomes.match_id WHERE line_id = ?"
)
READ_ENDED: Final = (
    "SELECT detail FROM outcomes WHERE ended IS NOT NULL AND (ended > ? OR (ended = ? AND match_id > ?))"
    " ORDER BY ended, match_id LIMIT ?"
)
READ_TOURNAMENT: Final = "SELECT detail FROM outcomes WHERE event = ? ORDER BY match_id"

OutcomeStatus = Literal["open", "waiting", "running", "paused", "ended", "void", "superseded"]
ALL_OF_THEM: Final = 2**62


class Began(Value, frozen=True):
    """Who sat on a seat when the match started, and in how many rounds they have acted. `substituted`: somebody whom
    an organiser named has played there, so nobody is rated for the seat."""

    actor: Actor | None
    standing: Standing
    rounds: int
    substituted: bool


class Outcome(Value, frozen=True, kw_only=True):
    """What a match counts as. `match_id` is the line it began as, `line_id` the one that counts now.

    `scores` and `ranking` (places, shared ones allowed) are there once it has ended, `penalties` are the points that
    rulings took from each seat. A fork that no ruling made official is a match of its own, and never rated.
    """

    match_id: UUID
    line_id: UUID
    title: str
    options: dict[str, str]
    players: tuple[Actor | None, ...]
    began: tuple[Began, ...]
    clocked: bool
    rated: bool
    imported: bool
    forked: bool
    public: bool
    event: str
    status: OutcomeStatus
    scores: tuple[int, ...]
    ranking: tuple[int, ...] | None
    penalties: tuple[int, ...]
    resigned: tuple[int, ...]
    started_at: datetime | None
    ended_at: datetime | None
    ruled: bool


OUTCOME: Final = msgspec.json.Decoder(Outcome)


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Keeps the outcome of every match as its official line stands."""
    for step in steps:
        match, line_id = step.match, str(step.line_id)
        root = root_of(transaction, match, line_id)
        transaction.change(WRITE_LINE, line_id, root)
        rows = transaction.rows(READ_OWN, root)
        known = OUTCOME.decode(rows[0][0]) if rows else None
        takes_over = isinstance(step.fact, MatchForked) and step.fact.ruling != ""
        if known is not None and known.line_id != step.line_id and not takes_over:
            # What happens to a line that another one has replaced changes nothing any more.
            continue
        outcome = outcome_of(step, UUID(root), known)
        ended = None if outcome.ended_at is None else microseconds(outcome.ended_at)
        transaction.change(WRITE, root, ended, outcome.event, msgspec.json.encode(outcome, order="deterministic"))


def line_before(match: Match) -> str:
    """The line this one took the place of."""
    return str(match.origin.match_id) if match.origin is not None and match.docket.ruling else ""


def root_of(transaction: Transaction, match: Match, line_id: str) -> str:
    """The line the match began as."""
    for known in (line_id, line_before(match)):
        rows = transaction.rows(READ_ROOT, known)
        if rows:
            return str(rows[0][0])
    return line_id


def outcome_of(step: FollowedStep, root: UUID, known: Outcome | None) -> Outcome:
    match = step.match
    is_fork = match.origin is not None and not match.docket.ruling
    result = counted_result(match) if match.is_over else None
    started_at, ended_at = (None, None) if known is None else (known.started_at, known.ended_at)
    if started_at is None and match.state is not None:
        started_at = match.timestamp
    if match.status not in ("ended", "void"):
        ended_at = None
    elif ended_at is None:
        ended_at = match.timestamp
    return Outcome(
        match_id=root,
        line_id=step.line_id,
        title=match.title,
        options=match.options,
        players=tuple(info.actor for info in match.seats),
        began=tuple(
            Began(starter.actor, starter.standing, starter.rounds, info.stands_in_for != "")
            for starter, info in zip(match.starters, match.seats, strict=True)
        )
        if match.starters
        else (),
        clocked=match.table.clock.kind != "none",
        rated=match.table.rated and not step.imported,
        imported=step.imported,
        forked=is_fork,
        public=match.table.public,
        event="" if is_fork else match.table.event_id,
        status=match.status,
        scores=() if result is None else result.scores,
        ranking=None if result is None else result.ranking,
        penalties=points_taken(match),
        resigned=match.resigned,
        started_at=started_at,
        ended_at=ended_at,
        ruled=bool(match.docket.rulings),
    )


def get(store: ReadStore, match_id: UUID) -> Outcome | None:
    """The outcome of the match that a line belongs to."""
    rows = store.rows(READ, str(match_id))
    return OUTCOME.decode(rows[0][0]) if rows else None


def many(store: ReadStore, match_ids: Sequence[UUID]) -> dict[UUID, Outcome]:
    """The known outcomes, by match id."""
    found = ((match_id, get(store, match_id)) for match_id in match_ids)
    return {match_id: outcome for match_id, outcome in found if outcome is not None}


def list_ended(
    store: ReadStore, after: tuple[datetime, UUID] | None = None, limit: int = ALL_OF_THEM
) -> tuple[Outcome, ...]:
    """All that have ended or are void, in the order (ended_at, match_id); `after` goes on where a page ended."""
    moment, last = (-ALL_OF_THEM, "") if after is None else (microseconds(after[0]), str(after[1]))
    return tuple(OUTCOME.decode(row[0]) for row in store.rows(READ_ENDED, moment, moment, last, limit))


def of_tournament(store: ReadStore, event: str) -> tuple[Outcome, ...]:
    """The matches of a tournament or league."""
    return tuple(OUTCOME.decode(row[0]) for row in store.rows(READ_TOURNAMENT, event))
