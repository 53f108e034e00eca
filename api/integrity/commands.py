"""Commands of the integrity screen on other threads: access with its record in the audit trail, and statistics."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from api.http.guards import Caller
from api.roles.commands import acting
from api.roles.conflicts import (
    find_accepted_players,
    players_of,
    record_and_refuse,
    require_neutral,
    require_neutral_at,
)
from api.roles.grants import has_role_in
from api.roles.openers import roles_at
from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.integrity.agreement import Agreement, AnalysedMatch, Habit, Rate, agreements, habits, rates
from domain.integrity.base_rates import Comparison
from domain.integrity.measured_matches import MeasuredMatch
from domain.integrity.pairs import Chance, Helping, Meeting, PairComparisons, compare_pairs
from domain.integrity.person_times import MatchTimes, PersonTimes, match_times, times_by_person
from domain.matches.facts import Actor
from domain.roles.audit import IntegritySeen
from domain.roles.commands import ARBITERS, acting_role, append_to_trail, roles_in
from domain.roles.errors import NoSuchPerson, RoleMissing

WHAT: Final = "see the integrity figures of its players"


class CallerLimits(msgspec.Struct, frozen=True):
    """Limits of a caller: the people (None: all) whose statistics they may see, in one event or in all.

    `members`: players who agreed to be in the event; its arbiters see statistics of their matches there only. None: the
    caller is an arbiter of the service, and sees all matches and shared addresses.
    """

    event: str
    people: frozenset[Actor] | None
    members: frozenset[Actor] | None = None


class Survey(msgspec.Struct, frozen=True):
    """All statistics."""

    thinkers: tuple[PersonTimes, ...]
    company: PairComparisons
    sittings: tuple[MatchTimes, ...]
    agreements: tuple[Agreement, ...]
    habits: tuple[Habit, ...]
    rates: tuple[Rate, ...]

    @property
    def standings(self) -> tuple[Comparison, ...]:
        """The figures of all rows."""
        rows: tuple[PersonTimes | Helping | Meeting | Agreement | Habit, ...]
        rows = (*self.thinkers, *self.company.helpings, *self.company.meetings, *self.agreements, *self.habits)
        return tuple(standing for row in rows for standing in row.standings)


def allow(
    matches: Matches, caller: Caller, event: str, person: Actor | None, match_id: UUID | None, *, at: datetime
) -> CallerLimits:
    """Return the limits for an arbiter: the event, the people to show (None: everyone), and the accepted players.

    Arbiters of the service have no limit to accepted players (None). A match is examined within its event. Raise
    `RoleMissing` for others, `NoSuchPerson` for a person who does not play there. Record and raise `ConflictOfInterest`
    for players of the match or event, and for requests about oneself.
    """
    event = event if match_id is None else matches.get(match_id).table.event_id
    is_of_service = require_arbiter(matches, event, caller)
    if match_id is not None:
        require_neutral_at(matches, match_id, caller, WHAT, at=at)
    elif event:
        require_neutral(matches, event, caller, WHAT, at=at)
    if caller.person is not None and person == caller.person.id:
        record_and_refuse(matches, event, None, caller, WHAT, at=at)
    people, members = (
        find_people(matches, event, match_id),
        None if is_of_service else find_accepted_players(matches, event),
    )
    if people is not None and members is not None:
        people &= members
    if person is not None and people is not None and person not in people:
        raise NoSuchPerson(f"{person!r} does not play in this event")
    return CallerLimits(event, people, members)


def record_access(
    matches: Matches,
    caller: Caller,
    event: str,
    person: Actor | None,
    match_id: UUID | None,
    named: tuple[Actor, ...],
    *,
    at: datetime,
) -> None:
    """Record in the audit trail that statistics were shown, and of which accounts.

    Raise `RoleMissing` if the caller is no longer an arbiter.
    """
    by = acting(matches, caller, at)

    def compose(batch: Batch) -> None:
        role = acting_role(roles_in(batch), by, event, *ARBITERS)
        if role is None:
            raise RoleMissing("the role of arbiter was revoked in the meantime")
        fact = IntegritySeen(by=by, role=role, event=event, person=person or "", match=match_id, named=named)
        append_to_trail(batch, fact)

    matches.transact(compose, at=at)


def require_arbiter(matches: Matches, event: str, caller: Caller) -> bool:
    """Return whether the caller is an arbiter of the whole service, or only of the event.

    Raise `RoleMissing` for other callers, and for organisers of the event, who could name themselves its arbiter.
    """
    roles = roles_at(matches, event)
    if has_role_in(roles, caller, "arbiter"):
        return True
    if not event or not has_role_in(roles, caller, "arbiter", event):
        raise RoleMissing("only arbiters of the event or of the service can see integrity figures")
    if has_role_in(roles, caller, "organiser", event):
        raise RoleMissing("organisers of an event cannot see the integrity figures of its players; another arbiter can")
    return False


def find_people(matches: Matches, event: str, match_id: UUID | None) -> frozenset[Actor] | None:
    """Return the original players of a match, bots included, the players of an event, or None for everyone."""
    if match_id is not None:
        return frozenset(starter.actor for starter in matches.get(match_id).starters if starter.actor is not None)
    return players_of(matches, event) if event else None


def collect_statistics(
    matches: Matches,
    window: Sequence[MeasuredMatch],
    chance: Chance,
    match: MeasuredMatch | None,
    analysed: Sequence[AnalysedMatch],
) -> Survey:
    """Return all statistics of the latest matches (`window`), and of the seats of `match`, if given.

    `analysed`: the analysed matches among them.
    """
    del matches
    return Survey(
        times_by_person(window),
        compare_pairs(window, chance),
        () if match is None else match_times(window, match),
        agreements(analysed),
        habits(analysed),
        rates(analysed),
    )
