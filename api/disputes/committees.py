"""Appeal committees: naming, motions, votes and announcement."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from api.accounts.display_names import names_of
from api.accounts.service import AccountService
from api.disputes.commands import clocks_at, measures_of, players_at, require_no_conflict
from api.disputes.committee_schemas import (
    CastVote,
    CommitteeShown,
    MakeMotion,
)
from api.disputes.schemas import MemberShown
from api.http.guards import Caller
from api.roles.commands import acting
from api.roles.conflicts import players_of, require_neutral
from api.roles.grants import has_role_in
from api.roles.openers import openers_of, roles_at
from domain.disputes import commands, committee, voting
from domain.disputes.state import DISPUTE
from domain.eventstore.application import Matches
from domain.matches.errors import NoSuchStream
from domain.matches.facts import Actor
from domain.roles.errors import RoleMissing


def require_organiser(matches: Matches, event: str, caller: Caller, *, at: datetime) -> None:
    """Raise `RoleMissing` unless the caller organises the event, or without an event the service.

    Record and raise `ConflictOfInterest` if the caller plays in the event.
    """
    if not has_role_in(roles_at(matches, event), caller, "organiser", event or None):
        raise RoleMissing("only organisers of the event can appoint a committee")
    require_neutral(matches, event, caller, "name a committee", at=at)


def name_committee(
    matches: Matches, event: UUID, members: tuple[Actor, ...], reason: str, caller: Caller, *, at: datetime
) -> None:
    """Name the committee for future appeals of an event, as an organiser; without members, head arbiters hear them.

    Raise `NoSuchStream` if it is unknown, `RoleMissing` or `ConflictOfInterest` as `require_organiser`,
    `CommitteeRefused` for unfit members, and `DisputeRefused` for a bad reason.
    """
    if not openers_of(matches, str(event)):
        raise NoSuchStream(f"no tournament or league {event}")
    require_organiser(matches, str(event), caller, at=at)
    by, players = acting(matches, caller, at), players_of(matches, str(event))
    committee.name_committee(matches, str(event), members, by=by, reason=reason, at=at, players=players)


def name_appeal_committee(
    matches: Matches, dispute_id: UUID, members: tuple[Actor, ...], reason: str, caller: Caller, *, at: datetime
) -> None:
    """Name the committee for one appeal, as an organiser of its event; raise as `require_organiser`.

    Raise also `DisputeSettled` unless an appeal is pending, `CommitteeRefused` for unfit members, `DisputeRefused` for
    a bad reason. Votes of an earlier committee no longer count.
    """
    event = matches.streams.get(DISPUTE, dispute_id).state.event
    require_organiser(matches, event, caller, at=at)
    by, players = acting(matches, caller, at), players_of(matches, event)
    committee.name_appeal_committee(matches, dispute_id, members, by=by, reason=reason, at=at, players=players)


def committee_of(matches: Matches, event: UUID, accounts: AccountService) -> CommitteeShown:
    """Return the committee of an event, without members if none was named; raise `NoSuchStream` if it is unknown."""
    if not openers_of(matches, str(event)):
        raise NoSuchStream(f"no tournament or league {event}")
    found = committee.committee_of(matches, str(event))
    if found is None:
        return CommitteeShown(event, (), None, "", None)
    names = names_of(accounts, (*found.members, found.by))
    members = tuple(MemberShown(each, names[each]) for each in found.members)
    return CommitteeShown(event, members, MemberShown(found.by, names[found.by]), found.reason, found.since)


def appeal(matches: Matches, dispute_id: UUID, caller: Caller, reason: str, *, at: datetime) -> None:
    """Appeal for the caller."""
    players = players_at(matches, dispute_id)
    commands.appeal_ruling(matches, dispute_id, by=caller.actor, reason=reason, at=at, players=players)


def propose_ruling(matches: Matches, dispute_id: UUID, request: MakeMotion, caller: Caller, *, at: datetime) -> None:
    """Propose a ruling as a member; record and raise `ConflictOfInterest` for an arbiter who plays in the event.

    Raise `NotAParty` for others, `RoleMissing`, `ArbiterPlays`, `DisputeSettled`, `RulingRefused` or `VoteRefused` as
    the domain's `propose_ruling`; a repeated motion changes nothing.
    """
    require_no_conflict(matches, dispute_id, caller, "vote on an appeal", at=at)
    voting.propose_ruling(
        matches,
        dispute_id,
        rule=request.rule,
        reasons=request.reasons,
        measures=measures_of(request.measures),
        upheld=request.upheld,
        by=acting(matches, caller, at),
        at=at,
    )


def vote(matches: Matches, dispute_id: UUID, request: CastVote, caller: Caller, *, at: datetime) -> None:
    """Vote as a member; record and raise `ConflictOfInterest` for an arbiter who plays in the event.

    A new vote replaces the member's earlier one. Raise `NotAParty` for others, `RoleMissing`, `ArbiterPlays`,
    `DisputeSettled`, `DisputeRefused` or `VoteRefused` as the domain's `vote`.
    """
    require_no_conflict(matches, dispute_id, caller, "vote on an appeal", at=at)
    by = acting(matches, caller, at)
    voting.vote(matches, dispute_id, motion=request.motion, reason=request.reason, by=by, at=at)


def announce(
    matches: Matches,
    dispute_id: UUID,
    expected_version: int | None,
    caller: Caller,
    ids: tuple[UUID, UUID],
    *,
    at: datetime,
) -> None:
    """Give the ruling that the committee has decided, as its chair; `ids`: of the ruling, and of a resumed line.

    Record and raise `ConflictOfInterest` for an arbiter who plays in the event. Raise `NotAParty`, `RoleMissing`,
    `ArbiterPlays`, `VoteRefused` without a majority, `DisputeSettled` or `StaleVersion`; a known ruling id changes
    nothing.
    """
    require_no_conflict(matches, dispute_id, caller, "give a ruling", at=at)
    ruling_id, line_id = ids
    voting.announce(
        matches,
        dispute_id,
        ruling_id=ruling_id,
        new_line=line_id,
        by=acting(matches, caller, at),
        clocks=lambda line, entry: clocks_at(matches, line, entry),
        expected_version=expected_version,
        at=at,
        players=players_at(matches, dispute_id),
    )
