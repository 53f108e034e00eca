"""What the service of the integrity screen runs on other threads: who may look, which is written down, and the
figures."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from api.roles.commands import acting
from api.roles.conflicts import players_of, refuse, require_neutral, require_neutral_at
from api.roles.grants import holds_in
from api.roles.openers import roles_at
from api.web.guards import Caller
from domain.integrity.agreement import Agreement, Compared, Habit, Rate, agreements, habits, rates
from domain.integrity.base import Standing
from domain.integrity.company import Chance, Company, Helping, Meeting, company_of
from domain.integrity.people import Sitting, Thinker, sittings, thinkers
from domain.integrity.played import Played
from domain.matches.application import Matches
from domain.matches.batch import Batch
from domain.matches.facts import Actor
from domain.roles.audit import IntegritySeen
from domain.roles.commands import ARBITERS, acting_role, keep_in_trail, roles_in
from domain.roles.errors import NoSuchPerson, RoleMissing

WHAT: Final = "see the figures of its people"


class Seen(msgspec.Struct, frozen=True):
    """What the caller may see: of these people (None: of everybody), in a tournament or league or everywhere."""

    event: str
    people: frozenset[Actor] | None


class Survey(msgspec.Struct, frozen=True):
    """All figures that there are."""

    thinkers: tuple[Thinker, ...]
    company: Company
    sittings: tuple[Sitting, ...]
    agreements: tuple[Agreement, ...]
    habits: tuple[Habit, ...]
    rates: tuple[Rate, ...]

    @property
    def standings(self) -> tuple[Standing, ...]:
        rows: tuple[Thinker | Helping | Meeting | Agreement | Habit, ...]
        rows = (*self.thinkers, *self.company.helpings, *self.company.meetings, *self.agreements, *self.habits)
        return tuple(standing for row in rows for standing in row.standings)


def look(
    matches: Matches, caller: Caller, event: str, person: Actor | None, match_id: UUID | None, *, at: datetime
) -> Seen:
    """Writes down that an arbiter looks, before anything is shown; refused to everybody else, to whoever plays there,
    and about oneself. A match is looked at in its own tournament or league, if it has one."""
    event = event if match_id is None else matches.get(match_id).table.event_id
    require_arbiter(matches, event, caller)
    if match_id is not None:
        require_neutral_at(matches, match_id, caller, WHAT, at=at)
    elif event:
        require_neutral(matches, event, caller, WHAT, at=at)
    if caller.person is not None and person == caller.person.id:
        refuse(matches, event, None, caller, WHAT, at=at)
    people = people_seen(matches, event, match_id)
    if person is not None and people is not None and person not in people:
        raise NoSuchPerson(f"{person!r} does not play there")
    by = acting(matches, caller, at)

    def compose(batch: Batch) -> None:
        role = acting_role(roles_in(batch), by, event, *ARBITERS)
        assert role is not None, "whoever may look holds one of these"
        keep_in_trail(batch, IntegritySeen(by=by, role=role, event=event, person=person or "", match=match_id))

    matches.transact(compose, at=at)
    return Seen(event, people)


def require_arbiter(matches: Matches, event: str, caller: Caller) -> None:
    if not holds_in(roles_at(matches, event), caller, "arbiter", event or None):
        raise RoleMissing("the integrity screen is for arbiters of the event or of the whole server")


def people_seen(matches: Matches, event: str, match_id: UUID | None) -> frozenset[Actor] | None:
    """Who began a match, who plays in an event, or everybody."""
    if match_id is not None:
        return frozenset(starter.actor for starter in matches.get(match_id).starters if starter.actor is not None)
    return players_of(matches, event) if event else None


def survey(
    matches: Matches, window: Sequence[Played], chance: Chance, played: Played | None, compared: Sequence[Compared]
) -> Survey:
    """All figures of the newest matches, beside each other; those of the seats of one match, if one is given.
    `compared`: those of them, and the one, that are analysed."""
    del matches
    return Survey(
        thinkers(window),
        company_of(window, chance),
        () if played is None else sittings(window, played),
        agreements(compared),
        habits(compared),
        rates(compared),
    )
