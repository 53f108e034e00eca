"""Events that a person participates in, from the read models and later log entries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TypeVar
from uuid import UUID

from domain.eventstore.application import Matches
from domain.eventstore.stored_log import StoredLog
from domain.kernel.values import Value
from domain.leagues.state import LEAGUE, League
from domain.matches.errors import Tampered
from domain.matches.facts import Actor
from domain.matches.log.records import Kind, Record
from domain.ratings.tables import takes_programs
from domain.tournaments.state import TOURNAMENT, Tournament
from projections import leagues
from projections.platform.store import ReadStore
from projections.tournaments import listing

F = TypeVar("F")
S = TypeVar("S")


class EnteredEvents(Value, frozen=True):
    """The tournaments and leagues that a player entered, up to a log position."""

    position: int
    tournaments: tuple[UUID, ...]
    leagues: tuple[UUID, ...]


def load_entered_events(store: ReadStore, player: Actor) -> EnteredEvents:
    """Return the ids of the player's leagues and unfinished tournaments, as known up to a log position."""
    position = min(store.least_offset(listing.NAME), store.least_offset(leagues.NAME))
    return EnteredEvents(position, listing.list_unfinished(store, player), leagues.ids_of(store, player))


def find_event_without_bots(matches: Matches, player: Actor, entered: EnteredEvents) -> str:
    """Return the name of a current event of the player that excludes bot accounts; empty if none.

    Reads the log to its end.
    """
    newer = newer_records(matches, entered)
    tournaments = load_events(matches, TOURNAMENT, entered.tournaments, newer)
    seasons = load_events(matches, LEAGUE, entered.leagues, newer)
    current: tuple[Tournament | League, ...] = (
        *(event for event in tournaments if event.status != "ended"),
        *(league for league in seasons if league.season is not None and league.season.status != "closed"),
    )
    plans = (event.plan for event in current if player in event.players)
    return next((plan.name for plan in plans if not takes_programs(plan.table)), "")


def newer_records(matches: Matches, entered: EnteredEvents) -> list[Record]:
    """Return the records that the read models had not seen."""
    return [event for _, event in StoredLog(matches).between(entered.position) if isinstance(event, Record)]


def load_events(matches: Matches, kind: Kind[F, S], known_ids: tuple[UUID, ...], newer: list[Record]) -> Iterator[S]:
    """Yield the current states of the known events of a kind, and of events with `newer` records.

    Tampered streams are skipped.
    """
    for stream_id in dict.fromkeys((*known_ids, *(record.stream_id for record in newer if kind.owns(record)))):
        with suppress(Tampered):
            yield matches.streams.get(kind, stream_id).state
