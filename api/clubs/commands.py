"""Commands about clubs in the store: checks before a change, and the departure of an erased account."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from api.accounts.entered_events import load_events
from domain.clubs import membership
from domain.clubs.commands import concerns
from domain.clubs.errors import ClubRefused
from domain.clubs.facts import EventKind, Fact
from domain.clubs.state import CLUB, Club
from domain.eventstore.application import Matches
from domain.eventstore.stored_log import StoredLog
from domain.leagues.state import LEAGUE
from domain.matches.errors import NoSuchStream
from domain.matches.facts import Actor
from domain.matches.log.records import Record, Stream
from domain.tournaments.state import TOURNAMENT
from projections.clubs import KnownClubs

R = TypeVar("R")


def read_club(matches: Matches, club_id: UUID) -> Stream[Club]:
    """Return a club; raise `NoSuchStream` if it is unknown."""
    return matches.streams.get(CLUB, club_id)


def try_change(matches: Matches, club_id: UUID, decide: Callable[[Club], R]) -> R:
    """Return the decision of a change without recording it, so that a refusal comes before its other effects."""
    return decide(read_club(matches, club_id).state)


def kind_of_event(matches: Matches, event_id: UUID) -> EventKind:
    """Return the kind of an event; raise `NoSuchStream` if there is none with this id."""
    if matches.streams.find(TOURNAMENT, event_id) is not None:
        return "tournament"
    if matches.streams.find(LEAGUE, event_id) is not None:
        return "league"
    raise NoSuchStream(f"no tournament or league {event_id}")


def find_clubs_of(matches: Matches, person: Actor, known: KnownClubs) -> tuple[UUID, ...]:
    """Return the clubs that erasing a person changes, from the read model and later records.

    Clubs whose records were tampered with are skipped.
    """
    newer = [event for _, event in StoredLog(matches).between(known.position) if isinstance(event, Record)]
    return tuple(club.id for club in load_events(matches, CLUB, known.club_ids, newer) if concerns(club, person))


def admit_organiser(club: Club, by: Actor) -> tuple[Fact, ...]:
    """Return no facts; raise `NotOfClub` unless `by` is an organiser or the owner."""
    membership.require_organiser(club, by)
    return ()


def decide_invitation(by: Actor, person: Actor) -> Callable[[Club], Fact]:
    """Return the decision that invites a person; raise `ClubRefused` for the caller."""
    if by == person:
        raise ClubRefused("you cannot invite yourself")
    return lambda club: membership.invite(club, by, person)
