"""Who opened a tournament or league organises it in every respect, without a grant."""

from __future__ import annotations

from uuid import UUID

from domain.leagues.state import LEAGUE
from domain.matches.application import Matches
from domain.roles.commands import roles_of
from domain.roles.state import Grant, Roles, opener, with_openers
from domain.tournaments.state import TOURNAMENT
from projections import leagues
from projections.store import ReadStore
from projections.tournaments import listing


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


def opened_by(store: ReadStore, person: str) -> tuple[Grant, ...]:
    """What somebody is in all tournaments and leagues they opened."""
    found = (*listing.opened_by(store, person), *leagues.opened_by(store, person))
    return tuple(opener(person, str(event_id), at) for event_id, at in found)
