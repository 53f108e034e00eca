"""In which events somebody takes part: what the read models know, and what the log tells after them."""

from __future__ import annotations

from itertools import chain
from typing import Final
from uuid import UUID

from domain.kernel.values import Value
from domain.leagues.state import LEAGUE
from domain.matches.application import Matches
from domain.matches.errors import Tampered
from domain.matches.facts import Actor
from domain.matches.records import Record
from domain.tournaments.state import TOURNAMENT
from projections import leagues
from projections.store import ReadStore
from projections.tournaments import listing

BATCH: Final = 1_000


class Entered(Value, frozen=True):
    """The tournaments and leagues that somebody has entered, up to a position of the log."""

    position: int
    tournaments: tuple[UUID, ...]
    leagues: tuple[UUID, ...]


def entered_by(store: ReadStore, player: Actor) -> Entered:
    """The tournaments that are not over, and all leagues."""
    position = min(store.position(listing.NAME), store.position(leagues.NAME))
    return Entered(position, listing.unended_of(store, player), leagues.ids_of(store, player))


def follow_entered(matches: Matches, known: Entered) -> Entered:
    """The same with every event in which anything has happened since, up to the end of the log."""
    tournaments, seasons, position = set[UUID](), set[UUID](), known.position
    while found := matches.happenings(position, BATCH):
        for _, record in found:
            if isinstance(record, Record):
                if TOURNAMENT.owns(record):
                    tournaments.add(record.stream_id)
                elif LEAGUE.owns(record):
                    seasons.add(record.stream_id)
        position = found[-1][0]
    return Entered(position, joined(known.tournaments, tournaments), joined(known.leagues, seasons))


def joined(known: tuple[UUID, ...], newer: set[UUID]) -> tuple[UUID, ...]:
    return tuple(dict.fromkeys((*known, *sorted(newer))))


def without_programs(matches: Matches, player: Actor, known: Entered) -> str:
    """The name of an event that takes no accounts of bots, in which somebody takes part now; empty where there is none.
    An event that was changed in the store goes nowhere."""
    known = follow_entered(matches, known)
    tournaments = (tournament_without(matches, event_id, player) for event_id in known.tournaments)
    seasons = (league_without(matches, league_id, player) for league_id in known.leagues)
    return next(filter(None, chain(tournaments, seasons)), "")


def tournament_without(matches: Matches, event_id: UUID, player: Actor) -> str:
    try:
        event = matches.streams.get(TOURNAMENT, event_id).state
    except Tampered:
        return ""
    plays = event.status != "ended" and player in event.players
    return event.plan.name if plays and event.plan.table.programs is not True else ""


def league_without(matches: Matches, league_id: UUID, player: Actor) -> str:
    try:
        league = matches.streams.get(LEAGUE, league_id).state
    except Tampered:
        return ""
    plays = league.season is not None and league.season.status != "closed" and player in league.players
    return league.plan.name if plays and league.plan.table.programs is not True else ""
