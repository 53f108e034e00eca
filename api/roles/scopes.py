"""Events as the desk calls them: by the names of tournaments and leagues, with a way to their pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final
from uuid import UUID

import msgspec

from api.matches.service import Tables
from api.roles.service import held
from api.web.guards import Caller
from domain.roles.state import EVERYWHERE, Roles
from projections import leagues
from projections.store import ReadStore
from projections.tournaments import listing

OFFERED: Final = 100
"""So many of the newest events stand in a list to choose from, besides those that somebody holds a role in."""


class EventNamed(msgspec.Struct, frozen=True):
    """An event by its name; one that is not here is called by its id and has no page."""

    id: str
    name: str
    path: str | None = None


def named(store: ReadStore, event: str) -> EventNamed:
    """A tournament or a league by its id."""
    try:
        event_id = UUID(event)
    except ValueError:
        return EventNamed(event, event)
    if (tournament := listing.get(store, event_id)) is not None:
        return EventNamed(event, tournament.name, f"/events/{event_id}")
    if (league := leagues.get(store, event_id)) is not None:
        return EventNamed(event, league[1].plan.name, f"/leagues/{event_id}")
    return EventNamed(event, event)


def all_named(store: ReadStore, events: Iterable[str]) -> Mapping[str, EventNamed]:
    """Every event by its id, each asked for once."""
    return {event: named(store, event) for event in dict.fromkeys(events) if event}


def newest(store: ReadStore) -> tuple[str, ...]:
    """The events that people look for first."""
    found = [str(each.event_id) for each in listing.events(store, None, OFFERED).items]
    return (*found, *(str(each.league_id) for each in leagues.leagues(store, OFFERED).items))


def organised(known: Roles, caller: Caller) -> tuple[str, ...]:
    """The events that somebody organises, not those of a whole house."""
    own = "" if caller.person is None else caller.person.id
    return tuple(g.scope for g in known.grants if (g.person, g.role) == (own, "organiser") and g.scope != EVERYWHERE)


async def names(tables: Tables, events: Iterable[str]) -> Mapping[str, EventNamed]:
    """What these events are called."""
    return await tables.read(all_named, tuple(events))


async def offered(tables: Tables, known: Roles, caller: Caller, chosen: str = "") -> tuple[EventNamed, ...]:
    """The events whose roles and records are open to somebody, for a list to choose from."""
    wanted = organised(known, caller)
    if held(known, caller, "organiser"):
        wanted = (*(grant.scope for grant in known.grants), *await tables.read(newest))
    return tuple((await names(tables, (*wanted, chosen))).values())
