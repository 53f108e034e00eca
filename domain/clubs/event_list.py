"""Commands about the event list of a club: its tournaments and leagues; each returns its fact."""

from typing import Final
from uuid import UUID

from domain.clubs import facts
from domain.clubs.errors import ClubRefused
from domain.clubs.facts import EventKind
from domain.clubs.membership import require_open, require_organiser
from domain.clubs.state import Club
from domain.matches.facts import Actor

EVENTS_MAX: Final = 2_000


def add_event(club: Club, by: Actor, event: UUID, kind: EventKind) -> facts.EventAdded:
    """Add an event as an organiser of the club; the caller checks that `by` organises the event too.

    Raise `ClubRefused` for a listed event, or if the club is closed or has `EVENTS_MAX`.
    """
    require_open(club)
    require_organiser(club, by)
    if str(event) in club.events:
        raise ClubRefused(f"the event {event} is already in the list of this club")
    if len(club.events) >= EVENTS_MAX:
        raise ClubRefused(f"a club lists at most {EVENTS_MAX} events")
    return facts.EventAdded(by, event, kind)


def remove_event(club: Club, by: Actor, event: UUID, *, organises_event: bool) -> facts.EventRemoved:
    """Remove an event from the list, as an organiser of the club, or of the event (`organises_event`)."""
    if not organises_event:
        require_organiser(club, by)
    if str(event) not in club.events:
        raise ClubRefused(f"the event {event} is not in the list of this club")
    return facts.EventRemoved(by, event)
