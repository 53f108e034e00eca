"""The disputes there are, for arbiters and players: each row the dispute as its stream tells it.

Who may see one is said by the log; the tables narrow down where it has to be asked.
"""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index

from domain.disputes.calls import CALLS, Call, Calls
from domain.disputes.facts import RuledOn
from domain.disputes.outcome import OUTCOMES, outcome_of
from domain.disputes.state import DISPUTE, Dispute, GivenRuling
from domain.kernel.values import Value
from domain.matches.facts import MatchForked, MatchOpened, MatchStarted, SeatReplaced, SeatTaken
from projections.follow import FollowedStep, Happening, Recorded
from projections.platform.paging import LIMIT, Page, end_of, page_of
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
"""`place` orders the list: the position at which a dispute was raised, and those that wait before all others.
`desk_calls` holds the calls for an arbiter that wait, `desk_sitters` who has ever sat at a line, `desk_rulings` every
ruling, with the seconds it was waited for."""
Index("desk_disputes_by_match", DESK_DISPUTES.c.match_id)
Index("desk_disputes_by_place", DESK_DISPUTES.c.place)
Index("desk_rulings_by_place", DESK_RULINGS.c.place)
Index("desk_rulings_by_event", DESK_RULINGS.c.event, DESK_RULINGS.c.seconds)
Index("desk_rulings_by_seconds", DESK_RULINGS.c.seconds)
WAITING: Final = 2**52
"""What is added to the place of a dispute that waits; no log is so long."""

READ_OWN: Final = "SELECT place, detail FROM {desk_disputes} WHERE dispute_id = ?"
WRITE: Final = (
    "INSERT INTO {desk_disputes} (dispute_id, place, match_id, event, waiting, person, version, detail)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (dispute_id) DO UPDATE SET place = excluded.place,"
    " waiting = excluded.waiting, version = excluded.version, detail = excluded.detail"
)
WRITE_SITTER: Final = (
    "INSERT INTO {desk_sitters} (person, line_id) VALUES (?, ?) ON CONFLICT (person, line_id) DO NOTHING"
)
WRITE_RULING: Final = (
    "INSERT INTO {desk_rulings}"
    " (ruling_id, place, dispute_id, event, rule, rule_key, outcome, seconds, on_appeal, detail)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (ruling_id) DO NOTHING"
)
READ_RULINGS: Final = (
    "SELECT place, dispute_id, seconds, on_appeal, detail FROM desk_rulings"
    " WHERE place < ? AND rule_key LIKE ? ESCAPE '!' ORDER BY place DESC LIMIT ?"
)
COUNT: Final = "SELECT COUNT(*), COALESCE(SUM(on_appeal), 0) FROM desk_rulings"
SECONDS: Final = "SELECT seconds FROM desk_rulings"
MIDDLE: Final = " ORDER BY seconds LIMIT ? OFFSET ?"
COUNT_BY: Final = {
    "outcome": "SELECT outcome, COUNT(*) AS many FROM desk_rulings",
    "rule_key": "SELECT MIN(rule), COUNT(*) AS many FROM desk_rulings",
    "event": "SELECT event, COUNT(*) AS many FROM desk_rulings",
}
MOST: Final = " ORDER BY many DESC, 1 LIMIT ?"
READ: Final = "SELECT place, dispute_id, version, detail FROM desk_disputes"
ORDER: Final = " ORDER BY place DESC LIMIT ?"
SAT: Final = (
    "match_id IN (SELECT COALESCE(root, desk_sitters.line_id) FROM desk_sitters"
    " LEFT JOIN desk_forks ON desk_forks.line_id = desk_sitters.line_id WHERE desk_sitters.person = ?)"
)
READ_CALL: Final = "SELECT place, detail FROM {desk_calls} WHERE call_id = ?"
WRITE_CALL: Final = (
    "INSERT INTO {desk_calls} (call_id, place, event, detail) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (call_id) DO UPDATE SET place = excluded.place, detail = excluded.detail"
)
END_CALL: Final = "DELETE FROM {desk_calls} WHERE call_id = ?"
READ_CALLS: Final = "SELECT detail FROM desk_calls"
SEATING: Final = (MatchOpened, SeatTaken, SeatReplaced, MatchStarted, MatchForked)
"""After these somebody else may sit somewhere."""

DETAIL: Final = msgspec.json.Decoder(Dispute)
CALL: Final = msgspec.json.Decoder(Call)
RULING: Final = msgspec.json.Decoder(GivenRuling)


class Party(Value, frozen=True):
    """Somebody, and the events in which they hold a role."""

    person: str
    events: tuple[str, ...] = ()


class DisputeRow(Value, frozen=True):
    """A dispute in a list."""

    id: UUID
    version: int
    dispute: Dispute


def follow_all(transaction: Transaction, happenings: Sequence[Happening]) -> None:
    """Keeps every dispute as it stands, and who has sat where."""
    for happening in happenings:
        if isinstance(happening, FollowedStep):
            if isinstance(happening.fact, SEATING):
                for person in sorted({*happening.match.docket.sat}):
                    transaction.change(WRITE_SITTER, person, str(happening.line_id))
            continue
        if CALLS.owns(happening.record):
            follow_call(transaction, happening)
        if not DISPUTE.owns(happening.record):
            continue
        record = happening.record
        rows = transaction.rows(READ_OWN, str(record.stream_id))
        raised, before = (rows[0][0] % WAITING, DETAIL.decode(rows[0][1])) if rows else (happening.position, None)
        fact = DISPUTE.read(record)
        dispute = DISPUTE.evolve(before, record, fact)
        if before is not None and isinstance(fact, RuledOn):
            transaction.change(
                WRITE_RULING,
                str(fact.ruling),
                happening.position,
                str(record.stream_id),
                dispute.event,
                fact.rule,
                fact.rule.casefold(),
                outcome_of(fact),
                int((record.timestamp - before.waits_since).total_seconds()),
                int(before.status == "appealed"),
                msgspec.json.encode(dispute.rulings[-1]),
            )
        transaction.change(
            WRITE,
            str(record.stream_id),
            raised + WAITING * dispute.is_waiting,
            str(dispute.match),
            dispute.event,
            int(dispute.is_waiting),
            dispute.by,
            record.version,
            msgspec.json.encode(dispute),
        )


def follow_call(transaction: Transaction, happening: Recorded) -> None:
    """Keeps a call for an arbiter for as long as it waits."""
    record, call_id = happening.record, str(happening.record.stream_id)
    rows = transaction.rows(READ_CALL, call_id)
    place, before = (rows[0][0], Calls(CALL.decode(rows[0][1]), {})) if rows else (happening.position, None)
    call = CALLS.evolve(before, record, CALLS.read(record)).newest
    if call.is_waiting:
        transaction.change(WRITE_CALL, call_id, place, call.event, msgspec.json.encode(call))
    else:
        transaction.change(END_CALL, call_id)


class Precedent(Value, frozen=True):
    """A ruling that was given: in which dispute, how long it was waited for, and whether it was on appeal."""

    dispute: UUID
    seconds: int
    on_appeal: bool
    given: GivenRuling


def precedents(store: ReadStore, rule: str = "", limit: int = LIMIT, before: int | None = None) -> Page[Precedent]:
    """Rulings whose rule has these words in it, the newest first; without words all of them."""
    words = rule.strip().casefold()
    for special in "!%_":
        words = words.replace(special, f"!{special}")
    rows = store.rows(READ_RULINGS, end_of(before), f"%{words}%", limit + 1)
    page = page_of(rows, limit, lambda row: int(row[0]))
    return page.of(
        [
            Precedent(UUID(dispute), seconds, bool(on_appeal), RULING.decode(detail))
            for _, dispute, seconds, on_appeal, detail in page.items
        ]
    )


class RulingCounts(Value, frozen=True):
    """What rulings come to: how many, what they did, about what; `median_seconds` is how long they were waited for. Of
    rules and events those with the most rulings."""

    rulings: int
    on_appeal: int
    upheld: int
    median_seconds: int
    by_outcome: tuple[tuple[str, int], ...]
    by_rule: tuple[tuple[str, int], ...]
    by_event: tuple[tuple[str, int], ...]


def ruling_counts(store: ReadStore, event: str | None, most: int) -> RulingCounts:
    """All rulings counted by the database, or those of one event."""
    where, values = ("", ()) if event is None else (" WHERE event = ?", (event,))
    count, on_appeal = store.rows(f"{COUNT}{where}", *values)[0]
    middle = store.rows(f"{SECONDS}{where}{MIDDLE}", *values, 2 - count % 2, max(0, count - 1) // 2)

    def by(column: str, limit: int) -> tuple[tuple[str, int], ...]:
        rows = store.rows(f"{COUNT_BY[column]}{where} GROUP BY {column}{MOST}", *values, limit)
        return tuple((str(name), int(many)) for name, many in rows)

    by_outcome = by("outcome", len(OUTCOMES))
    return RulingCounts(
        rulings=int(count),
        on_appeal=int(on_appeal),
        upheld=dict(by_outcome).get("upheld", 0),
        median_seconds=sum(row[0] for row in middle) // max(1, len(middle)),
        by_outcome=by_outcome,
        by_rule=by("rule_key", most),
        by_event=by("event", most),
    )


def waiting_calls(store: ReadStore, events: Sequence[str] | None, limit: int) -> tuple[Call, ...]:
    """Calls for an arbiter that wait, in some events or (`None`) in all, the oldest first."""
    where = "" if events is None else f" WHERE event IN ({', '.join('?' * len(events)) or 'NULL'})"
    rows = store.rows(f"{READ_CALLS}{where} ORDER BY place LIMIT ?", *(events or ()), limit)
    return tuple(CALL.decode(row[0]) for row in rows)


def disputed_matches(store: ReadStore, event: str) -> tuple[UUID, ...]:
    """The matches of an event about which a dispute waits for its ruling."""
    rows = store.rows("SELECT DISTINCT match_id FROM desk_disputes WHERE event = ? AND waiting = 1", event)
    return tuple(UUID(row[0]) for row in rows)


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
    """Disputes, those that wait first: of some events (`None`: of all), of matches, or of somebody's. Their key is
    their place in the list."""
    conditions, values = ["place < ?"], list[Any]([end_of(before)])
    for column, wanted in (("event", events), ("match_id", [str(each) for each in match_ids] or None)):
        if wanted is not None:
            conditions.append(f"{column} IN ({', '.join('?' * len(wanted)) or 'NULL'})")
            values.extend(wanted)
    if party is not None:
        scopes = f"event IN ({', '.join('?' * len(party.events)) or 'NULL'})"
        conditions.append(f"(person = ? OR {scopes} OR {SAT})")
        values.extend([party.person, *party.events, party.person])
    if waiting is not None:
        conditions.append("waiting = ?")
        values.append(int(waiting))
    rows = store.rows(f"{READ} WHERE {' AND '.join(conditions)}{ORDER}", *values, limit + 1)
    page = page_of(rows, limit, lambda row: int(row[0]))
    return page.of([DisputeRow(UUID(id), version, DETAIL.decode(detail)) for _, id, version, detail in page.items])
