"""Leagues: their state, list, players, acts of organisers and results of their matches."""

from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index, bindparam, delete, insert, select

from domain.kernel.values import Value
from domain.leagues.acts import LeagueAct, act_of
from domain.leagues.invitations import holds
from domain.leagues.state import LEAGUE, League
from domain.matches.facts import Actor
from domain.standings.results import Results
from projections.follow import FollowedRecord, LogEvent
from projections.matches import outcomes
from projections.matches.results import count_results, lines_of
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.statements import insert_new, upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model

NAME: Final = "leagues"
SHAPE: Final = "9"
LEAGUES: Final = read_model(
    "leagues",
    Column("league_id", TEXT, primary_key=True),
    Column("opened", NUMBER, nullable=False),
    Column("organiser", TEXT, nullable=False),
    Column("opened_at", TEXT, nullable=False),
    Column("version", NUMBER, nullable=False),
    Column("detail", BYTES, nullable=False),
    Column("listed", BYTES, nullable=False),
)
LEAGUE_PLAYERS: Final = read_model(
    "league_players",
    Column("player", TEXT, primary_key=True),
    Column("league_id", TEXT, primary_key=True),
)
LEAGUE_INVITED: Final = read_model(
    "league_invited",
    Column("player", TEXT, primary_key=True),
    Column("league_id", TEXT, primary_key=True),
)
LEAGUE_ACTS: Final = read_model(
    "league_acts",
    Column("league_id", TEXT, primary_key=True),
    Column("version", NUMBER, primary_key=True),
    Column("act", BYTES, nullable=False),
)
TABLES: Final = by_name(LEAGUES, LEAGUE_PLAYERS, LEAGUE_INVITED, LEAGUE_ACTS)
Index("leagues_by_opening", LEAGUES.c.opened)
Index("leagues_by_organiser", LEAGUES.c.organiser)

STATE: Final = msgspec.json.Decoder(League)
COLUMNS: Final = LEAGUES.c
PLAYERS: Final = LEAGUE_PLAYERS.c
INVITED: Final = LEAGUE_INVITED.c
OF_LEAGUE: Final = COLUMNS.league_id == bindparam("league_id")
READ_OPENING: Final = select(COLUMNS.opened, COLUMNS.detail).where(OF_LEAGUE)
READ_ONE: Final = select(COLUMNS.version, COLUMNS.detail).where(OF_LEAGUE)
WRITE: Final = upsert(LEAGUES, kept=("opened", "organiser", "opened_at"))
WRITE_PLAYER: Final = insert_new(LEAGUE_PLAYERS)
FORGET_PLAYER: Final = delete(LEAGUE_PLAYERS).where(
    PLAYERS.player == bindparam("player"), PLAYERS.league_id == bindparam("league_id")
)
WRITE_INVITED: Final = insert_new(LEAGUE_INVITED)
FORGET_INVITED: Final = delete(LEAGUE_INVITED).where(
    INVITED.player == bindparam("player"), INVITED.league_id == bindparam("league_id")
)
WRITE_ACT: Final = insert(LEAGUE_ACTS)
READ_ACTS: Final = (
    select(LEAGUE_ACTS.c.act)
    .where(LEAGUE_ACTS.c.league_id == bindparam("league_id"), LEAGUE_ACTS.c.version < bindparam("before"))
    .order_by(LEAGUE_ACTS.c.version.desc())
    .limit(bindparam("limit"))
)
NAMED_MAX: Final = 20
SEARCHED_MAX: Final = 2_000
"""The number of the latest leagues whose names are searched."""
NEWEST: Final = select(COLUMNS.listed).order_by(COLUMNS.opened.desc()).limit(bindparam("limit"))
IS_BEFORE: Final = COLUMNS.opened < bindparam("before")
READ: Final = NEWEST.where(IS_BEFORE)
READ_PLAYER: Final = NEWEST.join(LEAGUE_PLAYERS, PLAYERS.league_id == COLUMNS.league_id).where(
    PLAYERS.player == bindparam("player"), IS_BEFORE
)
READ_INVITED: Final = NEWEST.join(LEAGUE_INVITED, INVITED.league_id == COLUMNS.league_id).where(
    INVITED.player == bindparam("player")
)
READ_OPENED: Final = (
    select(COLUMNS.league_id, COLUMNS.opened_at)
    .where(COLUMNS.organiser == bindparam("organiser"))
    .order_by(COLUMNS.opened)
)
READ_IDS: Final = select(PLAYERS.league_id).where(PLAYERS.player == bindparam("player")).order_by(PLAYERS.league_id)


class LeagueRow(Value, frozen=True, kw_only=True):
    """A league in the list; `opened` is the position of its first record, `season` its latest season."""

    league_id: UUID
    opened: int
    name: str
    title: str
    size: int
    season: int | None
    status: str | None
    players: int


LISTED: Final = msgspec.json.Decoder(LeagueRow)
ACT: Final = msgspec.json.Decoder(LeagueAct)


def follow_all(transaction: Transaction, events: Sequence[LogEvent]) -> None:
    """Store the state, acts, players and invited accounts of every league; people who have gone are deleted.

    Items of other kinds are ignored.
    """
    for event in events:
        if not isinstance(event, FollowedRecord) or not LEAGUE.owns(event.record):
            continue
        record, name = event.record, str(event.record.stream_id)
        rows = transaction.rows(READ_OPENING, league_id=name)
        opened, previous = (rows[0][0], STATE.decode(rows[0][1])) if rows else (event.position, None)
        fact = LEAGUE.read(record)
        if previous is not None and (act := act_of(previous, record, fact)) is not None:
            encoded = msgspec.json.encode(act, order="deterministic")
            transaction.change(WRITE_ACT, league_id=name, version=act.version, act=encoded)
        state = LEAGUE.evolve(previous, record, fact)
        transaction.change(
            WRITE,
            league_id=name,
            opened=opened,
            organiser=state.organiser,
            opened_at=state.opened_at.isoformat(),
            version=record.version,
            detail=msgspec.json.encode(state, order="deterministic"),
            listed=msgspec.json.encode(row_of(state, opened), order="deterministic"),
        )
        before, after = players_of(previous) if previous else frozenset(), players_of(state)
        transaction.change_all(FORGET_PLAYER, people_in(name, before - after))
        transaction.change_all(WRITE_PLAYER, people_in(name, after - before))
        before, after = list_invited(previous) if previous else frozenset(), list_invited(state)
        transaction.change_all(FORGET_INVITED, people_in(name, before - after))
        transaction.change_all(WRITE_INVITED, people_in(name, after - before))


def people_in(league_id: str, people: frozenset[Actor]) -> list[dict[str, str]]:
    """Return the rows that connect people with a league."""
    return [{"player": player, "league_id": league_id} for player in sorted(people)]


def list_invited(league: League) -> frozenset[Actor]:
    """Return the accounts with an open invitation that still holds."""
    return frozenset(each.actor for each in league.invitations.open if holds(league, each))


def row_of(league: League, opened: int) -> LeagueRow:
    """Return the list entry of a league with its current season; without one the season's columns are None or 0."""
    season = league.season
    return LeagueRow(
        league_id=league.id,
        opened=opened,
        name=league.plan.name,
        title=league.plan.title,
        size=league.plan.size,
        season=season.number if season else None,
        status=season.status if season else None,
        players=season.player_count if season else 0,
    )


def players_of(league: League) -> frozenset[Actor]:
    """Return all who entered any season or hold a place in one now, and the alternates."""
    entered = {entry.actor for season in league.seasons for entry in season.entered}
    places = (place for season in league.seasons for group in season.groups for place in group.places)
    return frozenset(entered | {place.actor for place in places} | league.people.alternates.keys())


def get(store: ReadStore, league_id: UUID) -> tuple[int, League] | None:
    """Return the version and state of a league, or None if it is unknown here."""
    rows = store.rows(READ_ONE, league_id=str(league_id))
    return (rows[0][0], STATE.decode(rows[0][1])) if rows else None


def leagues(store: ReadStore, limit: int = LIMIT, before: int | None = None) -> Page[LeagueRow]:
    """Return a page of leagues, latest first; the key is `opened`."""
    rows = store.rows(READ, before=end_of(before), limit=limit + 1)
    return page_of([LISTED.decode(row[0]) for row in rows], limit, lambda league: league.opened)


def leagues_of(store: ReadStore, player: Actor, limit: int = LIMIT, before: int | None = None) -> Page[LeagueRow]:
    """Return a page of the leagues that a player entered or plays in, latest first."""
    rows = store.rows(READ_PLAYER, player=player, before=end_of(before), limit=limit + 1)
    return page_of([LISTED.decode(row[0]) for row in rows], limit, lambda league: league.opened)


def find_by_name(store: ReadStore, name: str) -> tuple[str, ...]:
    """Return the ids of at most `NAMED_MAX` of the latest leagues whose name contains this text, in any case."""
    words, rows = name.casefold(), (LISTED.decode(listed) for (listed,) in store.rows(NEWEST, limit=SEARCHED_MAX))
    return tuple(islice((str(row.league_id) for row in rows if words in row.name.casefold()), NAMED_MAX))


def invitations_of(store: ReadStore, player: Actor, limit: int = LIMIT) -> tuple[LeagueRow, ...]:
    """Return the leagues to which an account has an open invitation, latest first."""
    return tuple(LISTED.decode(detail) for (detail,) in store.rows(READ_INVITED, player=player, limit=limit))


def ids_of(store: ReadStore, player: Actor) -> tuple[UUID, ...]:
    """Return the ids of the leagues that a player entered or plays in."""
    return tuple(UUID(league_id) for (league_id,) in store.rows(READ_IDS, player=player))


def leagues_opened_by(store: ReadStore, person: Actor) -> tuple[tuple[UUID, datetime], ...]:
    """Return the leagues that a person opened, with their times, oldest first."""
    return tuple(
        (UUID(name), datetime.fromisoformat(opened_at)) for name, opened_at in store.rows(READ_OPENED, organiser=person)
    )


def acts_of(store: ReadStore, league_id: UUID, limit: int = LIMIT, before: int | None = None) -> Page[LeagueAct]:
    """Return a page of the organisers' acts, latest first; the key is the version."""
    rows = store.rows(READ_ACTS, league_id=str(league_id), before=end_of(before), limit=limit + 1)
    return page_of([ACT.decode(row[0]) for row in rows], limit, lambda act: act.version)


class Played(NamedTuple):
    """Results of a league's matches, and the matches with all seats taken."""

    results: Results
    seated: frozenset[UUID]
    lines: dict[UUID, UUID]
    """The line that counts for each match replaced by a ruling."""


def played_matches(store: ReadStore, league_id: UUID) -> Played:
    """Return the results of a league's matches after all rulings, with their ids and official lines.

    Empty for an unknown league.
    """
    found = outcomes.of_tournament(store, str(league_id))
    return Played(
        count_results(found),
        frozenset(outcome.match_id for outcome in found),
        lines_of(found),
    )
