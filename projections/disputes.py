"""Disputes for arbiters and players; each row has the dispute as folded from its stream.

Access is decided by the log; the tables only preselect candidates.
"""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index, bindparam, delete, func, or_, select

from domain.disputes.calls import CALLS, Call, Calls
from domain.disputes.facts import RuledOn
from domain.disputes.outcome import OUTCOMES, outcome_of
from domain.disputes.state import DISPUTE, Dispute, GivenRuling
from domain.kernel.values import Value
from domain.matches.facts import MatchForked, MatchOpened, MatchStarted, SeatReplaced, SeatTaken
from projections.follow import FollowedRecord, FollowedStep, LogEvent
from projections.matches.forks import DESK_FORKS
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.statements import insert_new, upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model

NAME: Final = "desk_disputes"
SHAPE: Final = "5"
DESK_DISPUTES: Final = read_model(
    "desk_disputes",
    Column("dispute_id", TEXT, primary_key=True),
    Column("place", NUMBER, nullable=False),
    Column("match_id", TEXT, nullable=False),
    Column("event", TEXT, nullable=False),
    Column("waiting", NUMBER, nullable=False),
    Column("person", TEXT, nullable=False),
    Column("version", NUMBER, nullable=False),
    Column("detail", BYTES, nullable=False),
)
DESK_RULINGS: Final = read_model(
    "desk_rulings",
    Column("ruling_id", TEXT, primary_key=True),
    Column("place", NUMBER, nullable=False),
    Column("dispute_id", TEXT, nullable=False),
    Column("event", TEXT, nullable=False),
    Column("rule", TEXT, nullable=False),
    Column("rule_key", TEXT, nullable=False),
    Column("outcome", TEXT, nullable=False),
    Column("seconds", NUMBER, nullable=False),
    Column("on_appeal", NUMBER, nullable=False),
    Column("detail", BYTES, nullable=False),
)
DESK_CALLS: Final = read_model(
    "desk_calls",
    Column("call_id", TEXT, primary_key=True),
    Column("place", NUMBER, nullable=False),
    Column("event", TEXT, nullable=False),
    Column("detail", BYTES, nullable=False),
)
DESK_SITTERS: Final = read_model(
    "desk_sitters",
    Column("person", TEXT, primary_key=True),
    Column("line_id", TEXT, primary_key=True),
)
TABLES: Final = by_name(DESK_DISPUTES, DESK_RULINGS, DESK_CALLS, DESK_SITTERS)
"""`place` orders the list: the position of the first record, with waiting disputes before all others.

`desk_calls` has waiting calls for an arbiter, `desk_sitters` the past and present players of every line, and
`desk_rulings` every ruling with its waiting time in seconds.
"""
Index("desk_disputes_by_match", DESK_DISPUTES.c.match_id)
Index("desk_disputes_by_place", DESK_DISPUTES.c.place)
Index("desk_rulings_by_place", DESK_RULINGS.c.place)
Index("desk_rulings_by_event", DESK_RULINGS.c.event, DESK_RULINGS.c.seconds)
Index("desk_rulings_by_seconds", DESK_RULINGS.c.seconds)
WAITING: Final = 2**52
"""Added to the place of a waiting dispute; larger than any position."""

COLUMNS: Final = DESK_DISPUTES.c
RULINGS: Final = DESK_RULINGS.c
SITTERS: Final = DESK_SITTERS.c
WAITING_CALLS: Final = DESK_CALLS.c
READ_OWN: Final = select(COLUMNS.place, COLUMNS.detail).where(COLUMNS.dispute_id == bindparam("dispute_id"))
WRITE: Final = upsert(DESK_DISPUTES, kept=("match_id", "event", "person"))
WRITE_SITTER: Final = insert_new(DESK_SITTERS)
WRITE_RULING: Final = insert_new(DESK_RULINGS)
READ_RULINGS: Final = (
    select(RULINGS.place, RULINGS.dispute_id, RULINGS.seconds, RULINGS.on_appeal, RULINGS.detail)
    .where(RULINGS.place < bindparam("before"), RULINGS.rule_key.like(bindparam("words"), escape="!"))
    .order_by(RULINGS.place.desc())
    .limit(bindparam("limit"))
)
COUNT: Final = select(func.count(), func.coalesce(func.sum(RULINGS.on_appeal), 0)).select_from(DESK_RULINGS)
MIDDLE: Final = select(RULINGS.seconds).order_by(RULINGS.seconds).limit(bindparam("limit")).offset(bindparam("offset"))
MANY: Final = func.count().label("many")
NAMES: Final = {
    RULINGS.outcome: RULINGS.outcome.label("name"),
    RULINGS.rule_key: func.min(RULINGS.rule).label("name"),
    RULINGS.event: RULINGS.event.label("name"),
}
"""The columns by which rulings are counted, each with the name that is shown."""
COUNT_BY: Final = {
    column: select(name, MANY).group_by(column).order_by(MANY.desc(), name).limit(bindparam("limit"))
    for column, name in NAMES.items()
}
READ: Final = (
    select(COLUMNS.place, COLUMNS.dispute_id, COLUMNS.version, COLUMNS.detail)
    .where(COLUMNS.place < bindparam("before"))
    .order_by(COLUMNS.place.desc())
    .limit(bindparam("limit"))
)
HAS_SAT: Final = COLUMNS.match_id.in_(
    select(func.coalesce(DESK_FORKS.c.root, SITTERS.line_id))
    .select_from(DESK_SITTERS.outerjoin(DESK_FORKS, DESK_FORKS.c.line_id == SITTERS.line_id))
    .where(SITTERS.person == bindparam("person"))
)
OF_CALL: Final = WAITING_CALLS.call_id == bindparam("call_id")
READ_CALL: Final = select(WAITING_CALLS.place, WAITING_CALLS.detail).where(OF_CALL)
WRITE_CALL: Final = upsert(DESK_CALLS, kept=("event",))
END_CALL: Final = delete(DESK_CALLS).where(OF_CALL)
READ_CALLS: Final = select(WAITING_CALLS.detail).order_by(WAITING_CALLS.place).limit(bindparam("limit"))
READ_DISPUTED: Final = (
    select(COLUMNS.match_id).distinct().where(COLUMNS.event == bindparam("event"), COLUMNS.waiting == 1)
)
SEATING: Final = (MatchOpened, SeatTaken, SeatReplaced, MatchStarted, MatchForked)
"""Facts after which the players of a line may differ."""

DETAIL: Final = msgspec.json.Decoder(Dispute)
CALL: Final = msgspec.json.Decoder(Call)
RULING: Final = msgspec.json.Decoder(GivenRuling)


class Party(Value, frozen=True):
    """A person and the events in which they hold a role."""

    person: str
    events: tuple[str, ...] = ()


class DisputeRow(Value, frozen=True):
    """A dispute in a list."""

    id: UUID
    version: int
    dispute: Dispute


def follow_all(transaction: Transaction, events: Sequence[LogEvent]) -> None:
    """Store the state of every dispute and waiting call, every ruling, and the players of every line.

    Waiting disputes get a place before all others. Items of other kinds are ignored.
    """
    for event in events:
        if isinstance(event, FollowedStep):
            if isinstance(event.fact, SEATING):
                for person in sorted({*event.match.docket.sat}):
                    transaction.change(WRITE_SITTER, person=person, line_id=str(event.line_id))
            continue
        if CALLS.owns(event.record):
            follow_call(transaction, event)
        if not DISPUTE.owns(event.record):
            continue
        record = event.record
        rows = transaction.rows(READ_OWN, dispute_id=str(record.stream_id))
        raised_position, previous = (
            (rows[0][0] % WAITING, DETAIL.decode(rows[0][1])) if rows else (event.position, None)
        )
        fact = DISPUTE.read(record)
        dispute = DISPUTE.evolve(previous, record, fact)
        if previous is not None and isinstance(fact, RuledOn):
            transaction.change(
                WRITE_RULING,
                ruling_id=str(fact.ruling),
                place=event.position,
                dispute_id=str(record.stream_id),
                event=dispute.event,
                rule=fact.rule,
                rule_key=fact.rule.casefold(),
                outcome=outcome_of(fact),
                seconds=int((record.timestamp - previous.waits_since).total_seconds()),
                on_appeal=int(previous.status == "appealed"),
                detail=msgspec.json.encode(dispute.rulings[-1]),
            )
        transaction.change(
            WRITE,
            dispute_id=str(record.stream_id),
            place=raised_position + WAITING * dispute.is_waiting,
            match_id=str(dispute.match),
            event=dispute.event,
            waiting=int(dispute.is_waiting),
            person=dispute.by,
            version=record.version,
            detail=msgspec.json.encode(dispute),
        )


def follow_call(transaction: Transaction, event: FollowedRecord) -> None:
    """Store a call for an arbiter while it waits, and delete it once it does not."""
    record, call_id = event.record, str(event.record.stream_id)
    rows = transaction.rows(READ_CALL, call_id=call_id)
    place, calls = (rows[0][0], Calls(CALL.decode(rows[0][1]), {})) if rows else (event.position, None)
    call = CALLS.evolve(calls, record, CALLS.read(record)).newest
    if call.is_waiting:
        detail = msgspec.json.encode(call)
        transaction.change(WRITE_CALL, call_id=call_id, place=place, event=call.event, detail=detail)
    else:
        transaction.change(END_CALL, call_id=call_id)


class Precedent(Value, frozen=True):
    """A ruling with its dispute, waiting time and instance."""

    dispute: UUID
    seconds: int
    on_appeal: bool
    given: GivenRuling


def precedents(store: ReadStore, rule: str = "", limit: int = LIMIT, before: int | None = None) -> Page[Precedent]:
    """Return a page of rulings whose rule contains this text in any case, latest first; all if `rule` is empty."""
    text = rule.strip().casefold()
    for special in "!%_":
        text = text.replace(special, f"!{special}")
    rows = store.rows(READ_RULINGS, before=end_of(before), words=f"%{text}%", limit=limit + 1)
    page = page_of(rows, limit, lambda row: int(row[0]))
    return page.of(
        [
            Precedent(UUID(dispute), seconds, bool(on_appeal), RULING.decode(detail))
            for _, dispute, seconds, on_appeal, detail in page.items
        ]
    )


class RulingCounts(Value, frozen=True):
    """Statistics of rulings.

    `median_seconds` is the median waiting time; rules and events with the most rulings are listed.
    """

    rulings: int
    on_appeal: int
    upheld: int
    median_seconds: int
    by_outcome: tuple[tuple[str, int], ...]
    by_rule: tuple[tuple[str, int], ...]
    by_event: tuple[tuple[str, int], ...]


def ruling_counts(store: ReadStore, event: str | None, count_max: int) -> RulingCounts:
    """Count all rulings, or the rulings of one event, by outcome, rule and event, with the median time to a ruling.

    The median is in seconds, 0 without rulings. `count_max` limits the numbers of rules and events.
    """
    conditions = [] if event is None else [RULINGS.event == event]
    count, on_appeal = store.rows(COUNT.where(*conditions))[0]
    middle = store.rows(MIDDLE.where(*conditions), limit=2 - count % 2, offset=max(0, count - 1) // 2)

    def by(column: Column[Any], limit: int) -> tuple[tuple[str, int], ...]:
        rows = store.rows(COUNT_BY[column].where(*conditions), limit=limit)
        return tuple((str(name), int(rulings)) for name, rulings in rows)

    by_outcome = by(RULINGS.outcome, len(OUTCOMES))
    return RulingCounts(
        rulings=int(count),
        on_appeal=int(on_appeal),
        upheld=dict(by_outcome).get("upheld", 0),
        median_seconds=sum(row[0] for row in middle) // max(1, len(middle)),
        by_outcome=by_outcome,
        by_rule=by(RULINGS.rule_key, count_max),
        by_event=by(RULINGS.event, count_max),
    )


def waiting_calls(store: ReadStore, events: Sequence[str] | None, limit: int) -> tuple[Call, ...]:
    """Return waiting calls for an arbiter in these events, or in all (None), oldest first."""
    conditions = [] if events is None else [WAITING_CALLS.event.in_(events)]
    return tuple(CALL.decode(row[0]) for row in store.rows(READ_CALLS.where(*conditions), limit=limit))


def disputed_matches(store: ReadStore, event: str) -> tuple[UUID, ...]:
    """Return the matches of an event with a dispute that waits for a ruling."""
    return tuple(UUID(row[0]) for row in store.rows(READ_DISPUTED, event=event))


def disputes(
    store: ReadStore,
    *,
    events: Sequence[str] | None = None,
    match_ids: Sequence[UUID] = (),
    party: Party | None = None,
    waiting: bool | None = None,
    limit: int = LIMIT,
    before: int | None = None,
) -> Page[DisputeRow]:
    """Return a page of disputes, waiting ones before others, then latest first, filtered by the arguments.

    `events` None means all; `party` selects disputes that a person raised, of its events, or of matches where
    they sat. The key of the page is the place in the list.
    """
    query, person = READ, dict[str, str]()
    if events is not None:
        query = query.where(COLUMNS.event.in_(events))
    if match_ids:
        query = query.where(COLUMNS.match_id.in_([str(each) for each in match_ids]))
    if party is not None:
        query = query.where(or_(COLUMNS.person == party.person, COLUMNS.event.in_(party.events), HAS_SAT))
        person = {"person": party.person}
    if waiting is not None:
        query = query.where(COLUMNS.waiting == int(waiting))
    rows = store.rows(query, before=end_of(before), limit=limit + 1, **person)
    page = page_of(rows, limit, lambda row: int(row[0]))
    return page.of([DisputeRow(UUID(id), version, DETAIL.decode(detail)) for _, id, version, detail in page.items])
