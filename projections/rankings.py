"""Ranking lists, their closed months, and the lines of each player in them."""

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import Column, Index, bindparam, select

from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.rankings.content import CONTENT, PART, LinesStored, ListLine, content_id, encode
from domain.rankings.duties import due_period
from domain.rankings.facts import MonthClosed
from domain.rankings.rule import RankingRule, ranking_id
from domain.rankings.state import RANKING, Closing, Ranking
from domain.ratings.ladder import month_of
from projections.follow import FollowedRecord, LogEvent
from projections.platform.statements import any_of, insert_new, upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model

NAME: Final = "rankings"
SHAPE: Final = "2"
RANKING_LISTS: Final = read_model(
    "ranking_lists",
    Column("list_id", TEXT, primary_key=True),
    Column("key", TEXT, nullable=False),
    Column("state", BYTES, nullable=False),
    Column("listed", BYTES, nullable=False),
)
RANKING_CLOSINGS: Final = read_model(
    "ranking_closings",
    Column("list_id", TEXT, primary_key=True),
    Column("number", NUMBER, primary_key=True),
    Column("content_id", TEXT, nullable=False),
    Column("detail", BYTES, nullable=False),
)
RANKING_LINES: Final = read_model(
    "ranking_lines",
    Column("player", TEXT, primary_key=True),
    Column("content_id", TEXT, primary_key=True),
    Column("row", NUMBER, nullable=False),
    Column("detail", BYTES, nullable=False),
)
TABLES: Final = by_name(RANKING_LISTS, RANKING_CLOSINGS, RANKING_LINES)
Index("ranking_lists_by_key", RANKING_LISTS.c.key, unique=True)
Index("ranking_closings_by_content", RANKING_CLOSINGS.c.content_id)
Index("ranking_lines_in_order", RANKING_LINES.c.content_id, RANKING_LINES.c.row)

LISTS: Final = RANKING_LISTS.c
CLOSINGS: Final = RANKING_CLOSINGS.c
LINES: Final = RANKING_LINES.c
READ_STATE: Final = select(LISTS.state).where(LISTS.list_id == bindparam("list_id"))
READ_LISTS: Final = select(LISTS.listed).order_by(LISTS.key)
PUT_LIST: Final = upsert(RANKING_LISTS)
PUT_CLOSING: Final = upsert(RANKING_CLOSINGS)
PUT_LINE: Final = insert_new(RANKING_LINES)
READ_LINES: Final = (
    select(LINES.detail)
    .where(LINES.content_id == bindparam("content_id"), LINES.row > bindparam("after"))
    .order_by(LINES.row)
    .limit(bindparam("limit"))
)
READ_SOME: Final = select(LINES.player, LINES.detail).where(
    LINES.content_id == bindparam("content_id"), LINES.player.in_(any_of("players"))
)
READ_ROW: Final = select(LINES.row).where(
    LINES.player == bindparam("player"), LINES.content_id == bindparam("content_id")
)
READ_PERSON: Final = (
    select(LISTS.listed, CLOSINGS.detail, LINES.row, LINES.detail)
    .select_from(RANKING_LINES)
    .join(RANKING_CLOSINGS, CLOSINGS.content_id == LINES.content_id)
    .join(RANKING_LISTS, LISTS.list_id == CLOSINGS.list_id)
    .where(LINES.player == bindparam("player"))
    .order_by(LISTS.key, CLOSINGS.number)
)


class ListedRanking(Value, frozen=True, omit_defaults=True):
    """A list among all lists: its current rule, its closed months, and the month that is closed next."""

    key: str
    rule: RankingRule
    is_retired: bool = False
    closings: int = 0
    last_month: str = ""
    due: str = ""
    """The month that is closed next; empty: none."""


class MonthOfPlayer(Value, frozen=True):
    """The line of a player in a closed month of a list."""

    ranking: ListedRanking
    closing: Closing
    row: int
    line: ListLine


STATE: Final = msgspec.json.Decoder(Ranking)
LISTED: Final = msgspec.json.Decoder(ListedRanking)
CLOSING: Final = msgspec.json.Decoder(Closing)
LINE: Final = msgspec.json.Decoder(ListLine)


def follow_all(transaction: Transaction, events: Sequence[LogEvent]) -> None:
    """Store every list, its closed months, and the lines of contents."""
    for event in events:
        if not isinstance(event, FollowedRecord):
            continue
        if RANKING.owns(event.record):
            _follow_list(transaction, event)
        elif CONTENT.owns(event.record):
            _follow_content(transaction, event)


def _follow_list(transaction: Transaction, event: FollowedRecord) -> None:
    """Store the state of a list after a record, and the month that the record closed."""
    record, list_id = event.record, str(event.record.stream_id)
    rows = transaction.rows(READ_STATE, list_id=list_id)
    fact = RANKING.read(record)
    state = RANKING.evolve(STATE.decode(rows[0][0]) if rows else None, record, fact)
    transaction.change(PUT_LIST, list_id=list_id, key=state.key, state=encode(state), listed=encode(list_entry(state)))
    if isinstance(fact, MonthClosed):
        transaction.change(
            PUT_CLOSING,
            list_id=list_id,
            number=fact.number,
            content_id=str(content_id(fact.list)),
            detail=encode(state.closings[-1]),
        )


def _follow_content(transaction: Transaction, event: FollowedRecord) -> None:
    """Store the lines of a part of a list."""
    record, part = event.record, CONTENT.read(event.record)
    if isinstance(part, LinesStored):
        first, name = (record.version - 1) * PART + 1, str(record.stream_id)
        rows = enumerate(part.lines, first)
        transaction.change_all(
            PUT_LINE,
            [{"player": line.player, "content_id": name, "row": row, "detail": encode(line)} for row, line in rows],
        )


def lists(store: ReadStore) -> tuple[ListedRanking, ...]:
    """Return all lists, by key; administrators define few."""
    return tuple(LISTED.decode(listed) for (listed,) in store.rows(READ_LISTS))


def find_list(store: ReadStore, key: str) -> Ranking | None:
    """Return the state of a list by its key, or None."""
    rows = store.rows(READ_STATE, list_id=str(ranking_id(key)))
    return STATE.decode(rows[0][0]) if rows else None


def lines_page(store: ReadStore, digest: str, limit: int, after: int = 0) -> tuple[ListLine, ...]:
    """Return lines of a closed month, after a row; rows count from 1."""
    rows = store.rows(READ_LINES, content_id=str(content_id(digest)), after=after, limit=limit)
    return tuple(LINE.decode(detail) for (detail,) in rows)


def row_of_player(store: ReadStore, digest: str, player: Actor) -> int | None:
    """Return the row of a player in a closed month, or None."""
    rows = store.rows(READ_ROW, player=player, content_id=str(content_id(digest)))
    return int(rows[0][0]) if rows else None


def lines_of_players(store: ReadStore, digest: str, players: Sequence[Actor]) -> dict[Actor, ListLine]:
    """Return the lines of some players in a closed month; players who are not listed are left out."""
    rows = store.rows(READ_SOME, content_id=str(content_id(digest)), players=sorted(set(players)))
    return {player: LINE.decode(detail) for player, detail in rows}


def months_of_player(store: ReadStore, player: Actor) -> tuple[MonthOfPlayer, ...]:
    """Return the lines of a player in all closed months, by list and month."""
    return tuple(
        MonthOfPlayer(LISTED.decode(listed), CLOSING.decode(closing), row, LINE.decode(line))
        for listed, closing, row, line in store.rows(READ_PERSON, player=player)
    )


def list_entry(ranking: Ranking) -> ListedRanking:
    """Return the entry of a list among all lists."""
    last, due = ranking.closings[-1].month if ranking.closings else "", due_period(ranking)
    return ListedRanking(
        ranking.key,
        ranking.rule,
        ranking.is_retired,
        len(ranking.closings),
        last,
        "" if due is None else month_of(due),
    )
