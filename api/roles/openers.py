"""Implicit roles of the opener of a tournament, league or circuit."""

from __future__ import annotations

from functools import partial
from typing import Final
from uuid import UUID

from api.http.guards import Caller
from api.roles.grants import has_role_in
from domain.circuits.state import CIRCUIT
from domain.eventstore.application import Matches
from domain.leagues.state import LEAGUE
from domain.roles.commands import roles_of
from domain.roles.state import Grant, Role, Roles, opener_grant, with_openers
from domain.tournaments.state import TOURNAMENT
from projections import circuits, leagues
from projections.platform.store import ReadStore
from projections.tournaments import listing

OFFICIALS: Final[tuple[Role, ...]] = ("organiser", "arbiter")
"""Every other official role implies one of these."""


def openers_of(matches: Matches, event: str) -> tuple[Grant, ...]:
    """Return the implicit role of the opener of a tournament, league or circuit; empty if unknown."""
    try:
        event_id = UUID(event)
    except ValueError:
        return ()
    streams = matches.streams
    finders = (partial(streams.find, TOURNAMENT), partial(streams.find, LEAGUE), partial(streams.find, CIRCUIT))
    for find in finders:
        if (found := find(event_id)) is not None:
            return (opener_grant(found.state.organiser, event, found.state.opened_at),)
    return ()


def roles_at(matches: Matches, event: str) -> Roles:
    """Return all roles, including the implicit roles of the event's opener."""
    return with_openers(roles_of(matches), openers_of(matches, event))


def is_official_of(matches: Matches, event: UUID | str | None, caller: Caller) -> bool:
    """Return whether the caller is an organiser or arbiter of the event, or without one of the service."""
    roles = roles_at(matches, str(event or ""))
    return any(has_role_in(roles, caller, role, event or None) for role in OFFICIALS)


def implicit_roles_of(store: ReadStore, person: str) -> tuple[Grant, ...]:
    """Return a person's implicit roles in all events that they opened."""
    found = (
        *listing.tournaments_opened_by(store, person),
        *leagues.leagues_opened_by(store, person),
        *circuits.circuits_opened_by(store, person),
    )
    return tuple(opener_grant(person, str(event_id), at) for event_id, at in found)
