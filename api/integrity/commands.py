"""Commands of the integrity screen on other threads: access with its record in the audit trail, and statistics."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from api.http.guards import Caller
from api.roles.commands import acting
from api.roles.conflicts import accepted_in, players_of, refuse, require_neutral, require_neutral_at
from api.roles.grants import holds_in
from api.roles.openers import roles_at
from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.integrity.agreement import Agreement, Compared, Habit, Rate, agreements, habits, rates
from domain.integrity.base import Standing
from domain.integrity.company import Chance, Company, Helping, Meeting, company_of
from domain.integrity.people import Sitting, Thinker, sittings, thinkers
from domain.integrity.played import Played
from domain.matches.facts import Actor
from domain.roles.audit import IntegritySeen
from domain.roles.commands import ARBITERS, acting_role, keep_in_trail, roles_in
from domain.roles.errors import NoSuchPerson, RoleMissing

WHAT: Final = "see the figures of its people"


class Seen(msgspec.Struct, frozen=True):
    """Limits of a caller: the people (None: all) whose statistics they may see, in one event or in all.

    `members`: players who agreed to be in the event; its arbiters see statistics of their matches there only. None: the
    caller is an arbiter of the service, and sees all matches and shared addresses.
    """

    event: str
    people: frozenset[Actor] | None
    members: frozenset[Actor] | None = None


class Survey(msgspec.Struct, frozen=True):
    """All statistics."""

    thinkers: tuple[Thinker, ...]
    company: Company
    sittings: tuple[Sitting, ...]
    agreements: tuple[Agreement, ...]
    habits: tuple[Habit, ...]
    rates: tuple[Rate, ...]

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The figures of all rows."""
        rows: tuple[Thinker | Helping | Meeting | Agreement | Habit, ...]
        rows = (*self.thinkers, *self.company.helpings, *self.company.meetings, *self.agreements, *self.habits)
        return tuple(standing for row in rows for standing in row.standings)


def allow(
    matches: Matches, caller: Caller, event: str, person: Actor | None, match_id: UUID | None, *, at: datetime
) -> Seen:
    """Return the limits for an arbiter; reject other callers, players of the event, and requests about oneself.

    A match of a tournament or league is examined within that event.
    """
    event = event if match_id is None else matches.get(match_id).table.event_id
    is_of_service = require_arbiter(matches, event, caller)
    if match_id is not None:
        require_neutral_at(matches, match_id, caller, WHAT, at=at)
    elif event:
        require_neutral(matches, event, caller, WHAT, at=at)
    if caller.person is not None and person == caller.person.id:
        refuse(matches, event, None, caller, WHAT, at=at)
    people, members = people_seen(matches, event, match_id), None if is_of_service else accepted_in(matches, event)
    if people is not None and members is not None:
        people &= members
    if person is not None and people is not None and person not in people:
        raise NoSuchPerson(f"{person!r} does not play there")
    return Seen(event, people, members)


def note_look(
    matches: Matches,
    caller: Caller,
    event: str,
    person: Actor | None,
    match_id: UUID | None,
    named: tuple[Actor, ...],
    *,
    at: datetime,
) -> None:
    """Record in the audit trail that statistics were shown, and of which accounts."""
    by = acting(matches, caller, at)

    def compose(batch: Batch) -> None:
        role = acting_role(roles_in(batch), by, event, *ARBITERS)
        if role is None:
            raise RoleMissing("the role of arbiter was withdrawn meanwhile")
        seen = IntegritySeen(by=by, role=role, event=event, person=person or "", match=match_id, named=named)
        keep_in_trail(batch, seen)

    matches.transact(compose, at=at)


def require_arbiter(matches: Matches, event: str, caller: Caller) -> bool:
    """Return whether the caller is an arbiter of the whole service; raise `RoleMissing` for other callers.

    Organisers of an event could name themselves its arbiter, so they have no access.
    """
    known = roles_at(matches, event)
    if holds_in(known, caller, "arbiter"):
        return True
    if not event or not holds_in(known, caller, "arbiter", event):
        raise RoleMissing("the integrity screen is for arbiters of the event or of the whole server")
    if holds_in(known, caller, "organiser", event):
        raise RoleMissing("organisers of an event do not see the figures of its people; another arbiter does")
    return False


def people_seen(matches: Matches, event: str, match_id: UUID | None) -> frozenset[Actor] | None:
    """Return the original players of a match, the players of an event, or None for everyone."""
    if match_id is not None:
        return frozenset(starter.actor for starter in matches.get(match_id).starters if starter.actor is not None)
    return players_of(matches, event) if event else None


def survey(
    matches: Matches, window: Sequence[Played], chance: Chance, played: Played | None, compared: Sequence[Compared]
) -> Survey:
    """Return all statistics of the latest matches, and of the seats of one match if given.

    `compared`: the analysed matches among them.
    """
    del matches
    return Survey(
        thinkers(window),
        company_of(window, chance),
        () if played is None else sittings(window, played),
        agreements(compared),
        habits(compared),
        rates(compared),
    )
