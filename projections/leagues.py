"""Every league as it stands, the list of them, who plays in which, what their organisers decided, and what the matches
of their tables came to."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index

from domain.kernel.values import Value
from domain.leagues.acts import LeagueAct, act_of
from domain.leagues.inviting import holds
from domain.leagues.state import LEAGUE, League
from domain.matches.facts import Actor
from domain.standings.results import Results
from projections.follow import Happening, Recorded
from projections.matches import outcomes
from projections.matches.results import count_results, lines_of
from projections.platform.paging import LIMIT, Page, end_of, page_of
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
READ_ONE: Final = "SELECT opened, detail FROM {leagues} WHERE league_id = ?"
WRITE: Final = (
    "INSERT INTO {leagues} (league_id, opened, organiser, opened_at, version, detail, listed)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (league_id) DO UPDATE SET version = excluded.version, detail = excluded.detail,"
    " listed = excluded.listed"
)
WRITE_PLAYER: Final = (
    "INSERT INTO {league_players} (player, league_id) VALUES (?, ?) ON CONFLICT (player, league_id) DO NOTHING"
)
WRITE_ACT: Final = "INSERT INTO {league_acts} (league_id, version, act) VALUES (?, ?, ?)"
READ_ACTS: Final = "SELECT act FROM league_acts WHERE league_id = ? AND version < ? ORDER BY version DESC LIMIT ?"
WRITE_INVITED: Final = (
    "INSERT INTO {league_invited} (player, league_id) VALUES (?, ?) ON CONFLICT (player, league_id) DO NOTHING"
)
FORGET_INVITED: Final = "DELETE FROM {league_invited} WHERE player = ? AND league_id = ?"
READ_INVITED: Final = (
    "SELECT listed FROM league_invited JOIN leagues ON leagues.league_id = league_invited.league_id"
    " WHERE player = ? ORDER BY opened DESC LIMIT ?"
)
FORGET_PLAYER: Final = "DELETE FROM {league_players} WHERE player = ? AND league_id = ?"
READ: Final = "SELECT listed FROM leagues WHERE opened < ? ORDER BY opened DESC LIMIT ?"
READ_OPENED: Final = "SELECT league_id, opened_at FROM leagues WHERE organiser = ? ORDER BY opened"
READ_PLAYER: Final = (
    "SELECT listed FROM league_players JOIN leagues ON leagues.league_id = league_players.league_id"
    " WHERE player = ? AND opened < ? ORDER BY opened DESC LIMIT ?"
)
READ_IDS: Final = "SELECT league_id FROM league_players WHERE player = ? ORDER BY league_id"


class Listed(Value, frozen=True, kw_only=True):
    """A league in the list. `opened` is the position of its first record; the season is its newest one."""

    league_id: UUID
    opened: int
    name: str
    title: str
    size: int
    season: int | None
    status: str | None
    players: int


LISTED: Final = msgspec.json.Decoder(Listed)
ACT: Final = msgspec.json.Decoder(LeagueAct)


def follow_all(transaction: Transaction, happenings: Sequence[Happening]) -> None:
    """Keeps the state of every league."""
    for happening in happenings:
        if not isinstance(happening, Recorded) or not LEAGUE.owns(happening.record):
            continue
        record, name = happening.record, str(happening.record.stream_id)
        rows = transaction.rows(READ_ONE, name)
        opened, known = (rows[0][0], STATE.decode(rows[0][1])) if rows else (happening.position, None)
        fact = LEAGUE.read(record)
        if known is not None and (act := act_of(known, record, fact)) is not None:
            transaction.change(WRITE_ACT, name, act.version, msgspec.json.encode(act, order="deterministic"))
        state = LEAGUE.evolve(known, record, fact)
        detail = msgspec.json.encode(state, order="deterministic")
        listed = msgspec.json.encode(listed_of(state, opened), order="deterministic")
        at = state.opened_at.isoformat()
        transaction.change(WRITE, name, opened, state.organiser, at, record.version, detail, listed)
        before, after = players_of(known) if known else frozenset(), players_of(state)
        for player in sorted(before - after):
            transaction.change(FORGET_PLAYER, player, name)
        for player in sorted(after - before):
            transaction.change(WRITE_PLAYER, player, name)
        before, after = invited_to(known) if known else frozenset(), invited_to(state)
        for player in sorted(before - after):
            transaction.change(FORGET_INVITED, player, name)
        for player in sorted(after - before):
            transaction.change(WRITE_INVITED, player, name)


def invited_to(league: League) -> frozenset[Actor]:
    """Return the accounts with an open invitation that still holds."""
    return frozenset(each.actor for each in league.invitations.open if holds(league, each))


def listed_of(league: League, opened: int) -> Listed:
    season = league.season
    return Listed(
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
    """Everybody who has entered a season, or holds a place in one."""
    entered = {entry.actor for season in league.seasons for entry in season.entered}
    places = (place for season in league.seasons for group in season.groups for place in group.places)
    return frozenset(entered | {place.actor for place in places})


def get(store: ReadStore, league_id: UUID) -> tuple[int, League] | None:
    """A league and the version it stands at, unless it has not come this far yet."""
    rows = store.rows("SELECT version, detail FROM leagues WHERE league_id = ?", str(league_id))
    return (rows[0][0], STATE.decode(rows[0][1])) if rows else None


def leagues(store: ReadStore, limit: int = LIMIT, before: int | None = None) -> Page[Listed]:
    """The leagues, the newest first; their key is `opened`."""
    rows = store.rows(READ, end_of(before), limit + 1)
    return page_of([LISTED.decode(row[0]) for row in rows], limit, lambda listed: listed.opened)


def leagues_of(store: ReadStore, player: Actor, limit: int = LIMIT, before: int | None = None) -> Page[Listed]:
    """The leagues in whose seasons somebody has entered or plays, the newest first."""
    rows = store.rows(READ_PLAYER, player, end_of(before), limit + 1)
    return page_of([LISTED.decode(row[0]) for row in rows], limit, lambda listed: listed.opened)


def invitations_of(store: ReadStore, player: Actor, limit: int = LIMIT) -> tuple[Listed, ...]:
    """Return the leagues to which an account has an open invitation, latest first."""
    return tuple(LISTED.decode(listed) for (listed,) in store.rows(READ_INVITED, player, limit))


def ids_of(store: ReadStore, player: Actor) -> tuple[UUID, ...]:
    """The leagues in whose seasons somebody has entered or plays."""
    return tuple(UUID(league_id) for (league_id,) in store.rows(READ_IDS, player))


def opened_by(store: ReadStore, person: Actor) -> tuple[tuple[UUID, datetime], ...]:
    """The leagues that somebody opened, and when; the oldest first."""
    return tuple((UUID(name), datetime.fromisoformat(at)) for name, at in store.rows(READ_OPENED, person))


def acts_of(store: ReadStore, league_id: UUID, limit: int = LIMIT, before: int | None = None) -> Page[LeagueAct]:
    """What the organisers of a league did, the newest first; their key is the version."""
    rows = store.rows(READ_ACTS, str(league_id), end_of(before), limit + 1)
    return page_of([ACT.decode(row[0]) for row in rows], limit, lambda act: act.version)


class Played(NamedTuple):
    """What the matches of a league came to, and which there are: everybody has their seat there."""

    results: Results
    seated: frozenset[UUID]
    lines: dict[UUID, UUID]
    """The line that counts, of every match in whose place a ruling has put another."""


def played_matches(store: ReadStore, league_id: UUID) -> Played:
    """The matches of the tables of a league, after every ruling."""
    found = outcomes.of_tournament(store, str(league_id))
    return Played(
        count_results(found),
        frozenset(outcome.match_id for outcome in found),
        lines_of(found),
    )
