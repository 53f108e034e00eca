"""Who opened a tournament or league organises it in every respect, without a grant."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from api.http.guards import Caller
from api.roles.grants import holds_in
from domain.eventstore.application import Matches
from domain.leagues.state import LEAGUE
from domain.roles.commands import roles_of
from domain.roles.state import Grant, Role, Roles, opener, with_openers
from domain.tournaments.state import TOURNAMENT
from projections import leagues
from projections.platform.store import ReadStore
from projections.tournaments import listing

OFFICIALS: Final[tuple[Role, ...]] = ("organiser", "arbiter")
"""Whoever holds another role of an official holds one of these by it."""


def openers_of(matches: Matches, event: str) -> tuple[Grant, ...]:
    """What the opener of a tournament or league is there; nothing where there is no event of the id."""
    try:
        event_id = UUID(event)
    except ValueError:
        return ()
    for found in (matches.streams.find(TOURNAMENT, event_id), matches.streams.find(LEAGUE, event_id)):
        if found is not None:
            return (opener(found.state.organiser, event, found.state.opened_at),)
    return ()


def roles_at(matches: Matches, event: str) -> Roles:
    """The roles as they are held, with that of the opener of one tournament or league."""
    return with_openers(roles_of(matches), openers_of(matches, event))


def is_official_of(matches: Matches, event: UUID | str | None, caller: Caller) -> bool:
    """Whether the caller organises a tournament or league or judges there; without one, does so everywhere."""
    known = roles_at(matches, str(event or ""))
    return any(holds_in(known, caller, role, event or None) for role in OFFICIALS)


def opened_by(store: ReadStore, person: str) -> tuple[Grant, ...]:
    """What somebody is in all tournaments and leagues they opened."""
    found = (*listing.opened_by(store, person), *leagues.opened_by(store, person))
    return tuple(opener(person, str(event_id), at) for event_id, at in found)
