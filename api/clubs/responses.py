"""Responses about clubs."""

from __future__ import annotations

from collections.abc import Mapping

from api.accounts.club_profiles import ClubProfile
from api.accounts.display_names import Names
from api.clubs.schemas import ClubEventShown, ClubListed, ClubShown, MemberShown, RequestShown
from api.matches.responses import show_player
from domain.clubs.facts import EventKind
from domain.clubs.state import Club
from domain.matches.facts import Actor
from domain.matches.log.records import Stream
from projections import leagues
from projections.clubs import ClubRow, EventRow, MemberRow
from projections.platform.store import ReadStore
from projections.tournaments import listing


def show_row(profile: ClubProfile, row: ClubRow) -> ClubListed:
    """Return a club for a list."""
    return ClubListed(profile.id, profile.name, row.members, row.is_open)


def list_officers(club: Club) -> tuple[Actor, ...]:
    """Return the owner and the organisers, the longest in office first."""
    return tuple(person for person in (club.owner, *club.organisers) if person)


def people_shown(club: Club, *, to_organiser: bool) -> set[Actor]:
    """Return the people whom `show_club` names."""
    waiting = {*club.requests, *(each.actor for each in club.invitations.open)} if to_organiser else set()
    return {*list_officers(club), *waiting}


def show_club(
    stream: Stream[Club],
    profile: ClubProfile,
    names: Names,
    person: Actor,
    messages: Mapping[Actor, str] | None,
    removal: str,
) -> ClubShown:
    """Return a club for a person; `messages` of requests are given for organisers only."""
    club = stream.state
    requests = None
    if messages is not None:
        asked = club.requests.items()
        requests = tuple(RequestShown(show_player(each, names), at, messages.get(each, "")) for each, at in asked)
    return ClubShown(
        id=club.id,
        version=stream.version,
        name=profile.name,
        about=profile.about,
        admission=club.admission,
        is_open=club.is_open,
        founded_at=club.founded_at,
        closed_at=club.closed_at,
        officers=tuple(show_player(each, names) for each in list_officers(club)),
        members=len(club.members),
        standing=club.standing(person) if person else "",
        removal=removal,
        requests=requests,
        invited=None if messages is None else tuple(show_player(each.actor, names) for each in club.invitations.open),
    )


def show_members(club: Club, rows: tuple[MemberRow, ...], names: Names) -> tuple[MemberShown, ...]:
    """Return members for a list, with their current roles; people who have left are left out."""
    found = ((row.person, club.members.get(row.person)) for row in rows)
    return tuple(
        MemberShown(show_player(person, names), member.role, member.since)
        for person, member in found
        if member is not None
    )


def load_events_shown(store: ReadStore, kind: EventKind, rows: tuple[EventRow, ...]) -> tuple[ClubEventShown, ...]:
    """Return events for a list; those that the read models do not know yet are left out."""
    found = (find_event(store, kind, row) for row in rows)
    return tuple(event for event in found if event is not None)


def find_event(store: ReadStore, kind: EventKind, row: EventRow) -> ClubEventShown | None:
    """Return an event for a list, or None if the read models do not know it yet."""
    if kind == "tournament":
        event = listing.get(store, row.event_id)
        return None if event is None else ClubEventShown(kind, row.event_id, event.name, event.title, event.status)
    found = leagues.get(store, row.event_id)
    if found is None:
        return None
    league = leagues.row_of(found[1], found[0])
    return ClubEventShown(kind, row.event_id, league.name, league.title, league.status or "")
