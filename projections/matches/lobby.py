"""The list of matches: seats, tables to join or watch, and matches by player."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

import msgspec
from sqlalchemy import (
    BindParameter,
    Column,
    Select,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
)

from domain.kernel.values import Value
from domain.matches.aggregate import Match, seats_to_act
from domain.matches.facts import Actor, Table
from domain.matches.play.absences import latest_absence
from domain.matches.seats.attendance import is_left_to_bots, plays_unrated_with_bots
from domain.matches.seats.current_seats import OpenSeats
from projections.follow import FollowedStep
from projections.matches.boards import phase_of, ranking_of, scores_of
from projections.matches.lobby_histories import (
    FILL_HISTORIES,
    FORGET_HISTORY,
    READ_PLAYER,
    READ_PLAYER_UNFILLED,
    WRITE_HISTORY,
)
from projections.matches.lobby_tables import LOBBY, LOBBY_HISTORIES, LOBBY_PLAYERS
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.statements import upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import by_name

Counted = Literal["listed", "with_bots", "bots_only"]
"""Limited kinds of tables.

`listed`: listed tables that wait for players. `with_bots`: unfinished unrated tables with bots. `bots_only`: running
tables that only bots play.
"""
NAME: Final = "lobby"
SHAPE: Final = "8"
SLICED: Final = True
TABLES: Final = by_name(LOBBY, LOBBY_PLAYERS, LOBBY_HISTORIES)
FILLS: Final = FILL_HISTORIES
GOING_ON: Final = ("open", "waiting", "running", "paused")
COUNTING: Final = 1
"""The value of `counting` while a match that is rated or belongs to an event has not ended."""
REPLACED: Final = 2
"""The value of `counting` of such a match after a ruling replaced it by another line.

0: it has ended, or does not count.
"""
WAITING: Final = 2**52
"""Added to `opened` if the match waits for the player, so that such matches are listed before others."""

ROWS: Final = LOBBY.c
PLAYERS: Final = LOBBY_PLAYERS.c
OF_PLAYER: Final = PLAYERS.player == bindparam("player")
BY_PLAYER: Final = LOBBY.join(LOBBY_PLAYERS, PLAYERS.match_id == ROWS.match_id)
IS_BEFORE: Final = ROWS.opened < bindparam("before")
LIMITED: Final[BindParameter[int]] = bindparam("limit")

READ_ONE: Final = select(ROWS.detail).where(ROWS.match_id == bindparam("match_id"))
WRITE: Final = upsert(LOBBY, kept=("opened",))
FORGET_PLAYERS: Final = delete(LOBBY_PLAYERS).where(PLAYERS.match_id == bindparam("match_id"))
WRITE_PLAYER: Final = insert(LOBBY_PLAYERS)

READ_PUBLIC: Final = select(ROWS.detail).where(ROWS.public == 1, IS_BEFORE).order_by(ROWS.opened.desc()).limit(LIMITED)
READ_STATUS: Final = READ_PUBLIC.where(ROWS.status == bindparam("status"))
READ_GOING_ON: Final = (
    select(ROWS.detail, PLAYERS.place)
    .select_from(BY_PLAYER)
    .where(OF_PLAYER, PLAYERS.place > 0, PLAYERS.place < bindparam("before"))
    .order_by(PLAYERS.place.desc())
    .limit(LIMITED)
)
IS_WAITED_FOR: Final = PLAYERS.place > WAITING
READ_WAITING: Final = (
    select(ROWS.detail).select_from(BY_PLAYER).where(OF_PLAYER, IS_WAITED_FOR).order_by(PLAYERS.since).limit(LIMITED)
)
COUNT_WAITING: Final = select(func.count()).select_from(LOBBY_PLAYERS).where(OF_PLAYER, IS_WAITED_FOR)
READ_UNFINISHED: Final = (
    select(ROWS.match_id).select_from(BY_PLAYER).where(OF_PLAYER, PLAYERS.place > 0).order_by(ROWS.opened)
)


def counted_tables_query(opener: Column[Any]) -> Select[Any]:
    """Return the tables of a person in one of the columns with an index on the values that are not empty."""
    is_counted = opener != literal_column("''")
    return select(ROWS.match_id).where(opener == bindparam("player"), is_counted).order_by(ROWS.opened)


READ_COUNTED: Final[Mapping[Counted, Select[Any]]] = {
    "listed": counted_tables_query(ROWS.waits_of),
    "with_bots": counted_tables_query(ROWS.with_bots_of),
    "bots_only": counted_tables_query(ROWS.bots_of),
}
BOTS: Final = ("bot:", "bot;")
"""The range of the names of bots."""
READ_SOMEBODY: Final = select(PLAYERS.match_id).where(or_(PLAYERS.player < BOTS[0], PLAYERS.player > BOTS[1])).limit(1)


class LobbySeat(Value, frozen=True):
    """The player of a seat (None: free), and whether the match waits for them."""

    actor: Actor | None
    ready: bool
    resigned: bool
    to_act: bool
    away: tuple[int, int] | msgspec.UnsetType = msgspec.UNSET
    """The latest announced absence (microseconds); unset without one, and in rows of earlier versions."""


class PlayedOn(Value, frozen=True):
    """A replacement of the player of a seat from an entry on."""

    seat: int
    actor: Actor
    version: int


class LobbyRow(Value, frozen=True):
    """A match in the list; `opened` is the position of its first entry, the key of pages."""

    match_id: UUID
    opened: int
    title: str
    status: str
    opened_by: Actor
    opened_at: datetime
    at: datetime
    version: int
    head: str
    options: dict[str, str]
    table: Table
    seats: tuple[LobbySeat, ...]
    phase: str
    scores: tuple[int, ...]
    ranking: tuple[int, ...] | None
    parent: UUID | None = None
    parent_version: int | None = None
    replaced_by: UUID | None = None
    began: tuple[Actor | None, ...] = ()
    """The players at the start by seat, to whom the result belongs."""
    played_on: tuple[PlayedOn, ...] = ()
    tried: bool = False
    """A fork or an imported match, which is no result of its players."""
    imported: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether a fork was imported from a file. Unset for other matches, and in rows of earlier versions."""

    @property
    def is_imported(self) -> bool | None:
        """Whether the match was imported from a file; None for a fork in a row of an earlier version."""
        if self.parent is None or not self.tried:
            return self.tried
        return None if self.imported is msgspec.UNSET else self.imported

    def seat_of(self, player: Actor) -> int | None:
        """Return the seat a player started on, or has now if the match has not started; None without one."""
        actors = self.began or tuple(seat.actor for seat in self.seats)
        return actors.index(player) if player in actors else None

    def waits_for(self, player: Actor) -> bool:
        """Return whether the match waits for a decision of the player."""
        return self.status == "running" and any(seat.to_act and seat.actor == player for seat in self.seats)


ROW: Final = msgspec.json.Decoder(LobbyRow)


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Store the last position of every match, the position of its first entry, and its place in players' lists.

    Also its place in the histories of its players, and its opener while it is left to bots, waits for players, or is
    played unrated with bots, for their limits.
    """
    first_steps: dict[UUID, FollowedStep] = {}
    for step in steps:
        first_steps.setdefault(step.line_id, step)
    for step in {step.line_id: step for step in steps}.values():
        name = str(step.line_id)
        stored_rows = transaction.rows(READ_ONE, match_id=name)
        opening = first_steps[step.line_id]
        stored = ROW.decode(stored_rows[0][0]) if stored_rows else None
        row = row_of(
            step,
            opening.position if stored is None else stored.opened,
            opening.entry.timestamp if stored is None else stored.opened_at,
        )
        transaction.change(
            WRITE,
            match_id=name,
            opened=row.opened,
            status=row.status,
            public=int(row.table.is_listed),
            counting=counting_of(row),
            detail=msgspec.json.encode(row, order="deterministic"),
            bots_of=row.opened_by if is_left_to_bots(step.match) and not step.imported else "",
            waits_of=row.opened_by if step.match.is_listed_and_waits else "",
            with_bots_of=row.opened_by if plays_unrated_with_bots(step.match) and not step.imported else "",
        )
        transaction.change(FORGET_PLAYERS, match_id=name)
        for player in sorted(players_of(step.match)):
            place = place_for(row, player)
            transaction.change(WRITE_PLAYER, player=player, match_id=name, place=place, since=step.position)
        write_histories(transaction, row, players_of(step.match), stored)


def write_histories(transaction: Transaction, row: LobbyRow, players: set[Actor], stored: LobbyRow | None) -> None:
    """Add a match to the histories of its players; remove players who left before the start.

    Nothing is written if `stored`, the match before, has the same players.
    """
    former = set[Actor]() if stored is None else players_in(stored)
    if stored is not None and former == players_in(row):
        return
    for player in sorted(former - players):
        transaction.change(FORGET_HISTORY, player=player, opened=row.opened)
    for player in sorted(players):
        transaction.change(WRITE_HISTORY, player=player, opened=row.opened, match_id=str(row.match_id))


def players_in(row: LobbyRow) -> set[Actor]:
    """Return the players of a match as `players_of` does, even if it is for practice."""
    if row.table.is_one_device:
        return {row.opened_by}
    actors = (*(seat.actor for seat in row.seats), *row.began)
    return {actor for actor in actors if actor is not None}


def players_of(match: Match) -> set[Actor]:
    """Return the players whose lists include the match: present and first players, or the opener on one device.

    Practice matches are in no list.
    """
    if match.practice:
        return set()
    if match.table.is_one_device:
        return {match.opened_by}
    actors = {info.actor for info in match.seats} | {starter.actor for starter in match.starters}
    return {player for player in actors if player is not None}


def counting_of(row: LobbyRow) -> int:
    """Return the value of the column `counting`: `COUNTING` while a match that counts is unfinished, else 0.

    A replaced line of such a match has `REPLACED`, whether or not its replacement is finished.
    """
    if not row.table.counts:
        return 0
    if row.status == "superseded":
        return REPLACED
    return COUNTING if row.status in GOING_ON else 0


def is_counting(store: ReadStore, row: LobbyRow) -> bool:
    """Return whether a match that counts has not ended yet, on this line or on its replacement."""
    newest: LobbyRow | None = row
    while newest is not None and newest.replaced_by is not None:
        newest = get(store, newest.replaced_by)
    return newest is not None and counting_of(newest) == COUNTING


def place_for(row: LobbyRow, player: Actor) -> int:
    """Return the sort key among the player's unfinished matches, largest first; 0 if the match is over.

    Matches that wait for the player are first, then the latest opened.
    """
    if row.status not in GOING_ON:
        return 0
    return row.opened + (WAITING if row.waits_for(player) else 0)


def row_of(step: FollowedStep, opened: int, opened_at: datetime) -> LobbyRow:
    """Build the row of a match after a step."""
    match, acting = step.match, seats_to_act(step.match)
    return LobbyRow(
        match_id=step.line_id,
        opened=opened,
        title=match.title,
        status=match.status,
        opened_by=match.opened_by,
        opened_at=opened_at,
        at=match.timestamp,
        version=match.version,
        head=match.head,
        options=match.options,
        table=match.table,
        seats=tuple(
            LobbySeat(
                info.actor,
                info.ready,
                info.resigned,
                seat in acting,
                latest_absence(match.absences, seat) or msgspec.UNSET,
            )
            for seat, info in enumerate(match.seats)
        ),
        phase=phase_of(match),
        scores=scores_of(match),
        ranking=ranking_of(match),
        parent=match.origin.match_id if match.origin else None,
        replaced_by=match.docket.superseded_by,
        parent_version=match.origin.version if match.origin else None,
        began=tuple(starter.actor for starter in match.starters),
        played_on=tuple(PlayedOn(each.seat, each.actor, each.version) for each in match.handovers),
        tried=step.imported or match.is_fork,
        imported=step.imported if match.is_fork else msgspec.UNSET,
    )


def get(store: ReadStore, match_id: UUID) -> LobbyRow | None:
    """Return a match, public or not, or None."""
    rows = store.rows(READ_ONE, match_id=str(match_id))
    return ROW.decode(rows[0][0]) if rows else None


def matches(
    store: ReadStore, status: str | None = None, limit: int = LIMIT, before: int | None = None
) -> Page[LobbyRow]:
    """Return a page of public matches, of one status if given, latest opened first; the key is `opened`."""
    page_bounds = {"before": end_of(before), "limit": limit + 1}
    rows = (
        store.rows(READ_PUBLIC, **page_bounds)
        if status is None
        else store.rows(READ_STATUS, status=status, **page_bounds)
    )
    return page_of([ROW.decode(row[0]) for row in rows], limit, lambda row: row.opened)


def matches_of(store: ReadStore, player: Actor, limit: int = LIMIT, before: int | None = None) -> Page[LobbyRow]:
    """Return a page of a player's matches, public or not, latest first."""
    query = READ_PLAYER if store.is_filled("lobby_histories") else READ_PLAYER_UNFILLED
    rows = store.rows(query, player=player, before=end_of(before), limit=limit + 1)
    return page_of([ROW.decode(row[0]) for row in rows], limit, lambda row: row.opened)


def list_unfinished_page(
    store: ReadStore, player: Actor, limit: int = LIMIT, before: int | None = None
) -> Page[LobbyRow]:
    """Return a page of unfinished matches in which the player has or started on a seat; empty for an unknown player.

    Matches that wait for the player are before the others, each part latest first; the key is this order.
    """
    rows = store.rows(READ_GOING_ON, player=player, before=end_of(before), limit=limit + 1)
    page = page_of(rows, limit, lambda row: int(row[1]))
    return page.of([ROW.decode(detail) for detail, _ in page.items])


def waiting_for(store: ReadStore, player: Actor, limit: int) -> tuple[int, tuple[LobbyRow, ...]]:
    """Return the number of matches that wait for a player, and at most `limit` of them, waiting longest first.

    An unknown player has 0 and none.
    """
    rows = store.rows(READ_WAITING, player=player, limit=limit)
    count = len(rows) if len(rows) < limit else int(store.rows(COUNT_WAITING, player=player)[0][0])
    return count, tuple(ROW.decode(detail) for (detail,) in rows)


def list_unfinished(store: ReadStore, player: Actor) -> OpenSeats:
    """Return the unfinished matches in which a player has a seat or began on one."""
    return sitting_of(store, READ_UNFINISHED, player)


def counted_tables(store: ReadStore, opener: Actor, kind: Counted) -> OpenSeats:
    """Return the tables of an opener whose number is bounded."""
    return sitting_of(store, READ_COUNTED[kind], opener)


def sitting_of(store: ReadStore, query: Select[Any], person: Actor) -> OpenSeats:
    """Return the matches that a query finds for a person, the oldest first, up to a position of the log."""
    position = store.least_offset(NAME)
    return OpenSeats(position, tuple(UUID(match_id) for (match_id,) in store.rows(query, player=person)))


def has_people(store: ReadStore) -> bool:
    """Return whether a person has ever had a seat here."""
    return bool(store.rows(READ_SOMEBODY))
