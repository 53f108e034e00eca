"""Names and links of the events in which roles are held."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final
from uuid import UUID

import msgspec

from api.http.guards import Caller
from api.http.writer import OneWriter
from api.roles.grants import has_role_in
from domain.roles.state import EVERYWHERE, Roles
from projections import circuits, leagues
from projections.platform.store import ReadStore
from projections.tournaments import listing

SCOPES_OFFERED: Final = 100
"""Number of latest tournaments in a selection, in addition to events with roles."""


class ScopeNamed(msgspec.Struct, frozen=True):
    """An event by name; an unknown one has only its id."""

    id: str
    name: str
    path: str | None = None


def name_scope(store: ReadStore, event: str) -> ScopeNamed:
    """Return the name and path of a tournament, league or circuit; for an unknown event its id as name, and no path."""
    try:
        event_id = UUID(event)
    except ValueError:
        return ScopeNamed(event, event)
    if (tournament := listing.get(store, event_id)) is not None:
        return ScopeNamed(event, tournament.name, f"/events/{event_id}")
    if (league := leagues.get(store, event_id)) is not None:
        return ScopeNamed(event, league[1].plan.name, f"/leagues/{event_id}")
    if (circuit := circuits.find_row(store, event_id)) is not None:
        return ScopeNamed(event, circuit.name, f"/circuits/{event_id}")
    return ScopeNamed(event, event)


def name_scopes(store: ReadStore, events: Iterable[str]) -> Mapping[str, ScopeNamed]:
    """Return the names of events by id, each read once."""
    return {event: name_scope(store, event) for event in dict.fromkeys(events) if event}


def newest_scopes(store: ReadStore) -> tuple[str, ...]:
    """Return the latest tournaments, leagues and circuits."""
    found = [str(each.event_id) for each in listing.tournaments(store, None, SCOPES_OFFERED).items]
    return (
        *found,
        *(str(each.league_id) for each in leagues.leagues(store, SCOPES_OFFERED).items),
        *(str(each.circuit_id) for each in circuits.circuits(store, SCOPES_OFFERED).items),
    )


def organised_scopes(roles: Roles, caller: Caller) -> tuple[str, ...]:
    """Return the events that the caller organises by a specific role, not by one in the whole service; may repeat."""
    own_id = "" if caller.person is None else caller.person.id
    return tuple(
        grant.scope
        for grant in roles.grants
        if (grant.person, grant.role) == (own_id, "organiser") and grant.scope != EVERYWHERE
    )


async def load_scope_names(writer: OneWriter, events: Iterable[str]) -> Mapping[str, ScopeNamed]:
    """Return the names of events."""
    return await writer.read_model(name_scopes, tuple(events))


async def list_scopes(writer: OneWriter, roles: Roles, caller: Caller, chosen: str = "") -> tuple[ScopeNamed, ...]:
    """Return the events whose roles and records a person may see, for a selection, and the chosen one, unchecked.

    For organisers of the service, these are the events with roles and the latest ones.
    """
    scope_ids = organised_scopes(roles, caller)
    if has_role_in(roles, caller, "organiser"):
        scope_ids = (*(grant.scope for grant in roles.grants), *await writer.read_model(newest_scopes))
    return tuple((await load_scope_names(writer, (*scope_ids, chosen))).values())
