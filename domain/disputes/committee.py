"""Committees that hear appeals, named for an event or for one dispute, chair first.

A majority of all votes decides. Committees are named with an odd number of members; if one of them may not hear an
appeal, the chair's vote breaks a tie.
"""

from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from domain.disputes.errors import CommitteeRefused, DisputeSettled
from domain.disputes.facts import CommitteeSeated
from domain.disputes.hearing import MEMBERS_MAX, MEMBERS_MIN
from domain.disputes.state import DISPUTE, Dispute, check_reason, settlement_text
from domain.kernel.values import Value, tagger
from domain.matches.facts import Actor
from domain.matches.forks.lineage import list_past_players
from domain.matches.log.records import Kind, Record, Stream
from domain.matches.transaction import MatchReader, MatchWriter, Transaction
from domain.roles import audit
from domain.roles.commands import ARBITERS, HEADS, REASON_MAX, acting_role, append_to_trail, official_role, roles_in
from domain.roles.state import Roles

COMMITTEES: Final = UUID("6c0e5b0a-33a5-5b1e-9c0e-000000000003")
UNSAID: Final = "give a reason for appointing the committee"


class CommitteeNamed(Value, frozen=True, tag_field="type", tag=tagger("committee"), omit_defaults=True):
    """The committee for the appeals of an event was named; without members, a head arbiter hears them."""

    event: str
    by: Actor
    members: tuple[Actor, ...]
    reason: str


class Committee(Value, frozen=True):
    """The current committee of an event."""

    event: str
    members: tuple[Actor, ...]
    by: Actor
    reason: str
    since: datetime


def evolve(_committee: Committee | None, record: Record, fact: CommitteeNamed) -> Committee:
    """Return the committee after a record."""
    return Committee(fact.event, fact.members, fact.by, fact.reason, record.timestamp)


COMMITTEE: Final[Kind[CommitteeNamed, Committee]] = Kind("committee", CommitteeNamed, evolve)


def committee_stream(event: str) -> UUID:
    """Return the id of the stream of the committee of a tournament or league."""
    return uuid5(COMMITTEES, event)


def committee_of(matches: MatchReader, event: str) -> Committee | None:
    """Return the committee of an event, or None if a head arbiter hears its appeals."""
    stream = matches.streams.find(COMMITTEE, committee_stream(event)) if event else None
    return stream.state if stream is not None and stream.state.members else None


def why_not(
    matches: MatchReader, roles: Roles, event: str, person: Actor, players: frozenset[Actor], dispute: Dispute | None
) -> str:
    """Return why a person may not hear appeals of an event, or of a dispute; empty if they may.

    They need an arbiter's role and may neither play in the event or match nor have given a ruling on the
    dispute.
    """
    if acting_role(roles, person, event, *ARBITERS) is None:
        return "is not an arbiter of the event"
    if person in players:
        return "plays in the event"
    if dispute is not None and person in list_past_players(matches, dispute.line):
        return "plays in the match"
    if dispute is not None and any(each.ruling.by == person for each in dispute.rulings):
        return "gave the ruling"
    return ""


def check_members(
    matches: MatchReader,
    roles: Roles,
    event: str,
    members: tuple[Actor, ...],
    players: frozenset[Actor],
    dispute: Dispute | None = None,
) -> None:
    """Raise `CommitteeRefused` unless these people can hear appeals together.

    They are 3, 5, 7 or 9, each named once and fit by `why_not`; the first, the chair, is a head arbiter.
    """
    if len({*members}) != len(members):
        raise CommitteeRefused("name each member of a committee once")
    if not MEMBERS_MIN <= len(members) <= MEMBERS_MAX or len(members) % 2 == 0:
        raise CommitteeRefused(f"a committee has 3, 5, 7 or {MEMBERS_MAX} members, not {len(members)}")
    for person in members:
        if obstacle := why_not(matches, roles, event, person, players, dispute):
            raise CommitteeRefused(f"{person!r} {obstacle} and cannot be a member of the committee")
    if acting_role(roles, members[0], event, *HEADS) is None:
        raise CommitteeRefused(f"{members[0]!r} is not a head arbiter of the event and cannot chair the committee")


def name_committee(
    matches: MatchWriter,
    event: str,
    members: tuple[Actor, ...],
    *,
    by: Actor,
    reason: str,
    at: datetime,
    players: frozenset[Actor] = frozenset(),
) -> Stream[Committee]:
    """Name the committee for the future appeals of an event, chair first; without members a head arbiter hears them.

    Record it in the audit trail; pending appeals keep their judges, and the same members and reason change
    nothing. Raise `CommitteeRefused` for unfit members, `DisputeRefused` for a bad reason. The caller checks
    the right of `by`.
    """

    def compose(batch: Transaction) -> Stream[Committee]:
        stream, stated_reason = batch.find(COMMITTEE, committee_stream(event)), check_reason(reason, UNSAID)
        if stream is not None and (stream.state.members, stream.state.reason) == (members, stated_reason):
            return stream
        roles = roles_in(batch)
        if members:
            check_members(matches, roles, event, members, players)
        role = official_role(roles, by, event)
        append_to_trail(
            batch,
            audit.CommitteeNamed(by=by, role=role, event=event, people=members, reason=stated_reason[:REASON_MAX]),
        )
        return batch.record(COMMITTEE, committee_stream(event), CommitteeNamed(event, by, members, stated_reason))

    return matches.transact(compose, at=at)


def name_appeal_committee(
    matches: MatchWriter,
    dispute_id: UUID,
    members: tuple[Actor, ...],
    *,
    by: Actor,
    reason: str,
    at: datetime,
    players: frozenset[Actor] = frozenset(),
) -> Stream[Dispute]:
    """Name the committee for one appeal, recorded in the audit trail; votes of an earlier one no longer count.

    Raise `DisputeSettled` unless an appeal is pending, `CommitteeRefused` for unfit members, and
    `DisputeRefused` for a bad reason. The same members and reason change nothing. The caller checks the right
    of `by`.
    """

    def compose(batch: Transaction) -> Stream[Dispute]:
        stream = batch.get(DISPUTE, dispute_id)
        dispute, stated_reason, roles = stream.state, check_reason(reason, UNSAID), roles_in(batch)
        if dispute.status != "appealed":
            sentence = "a committee can be appointed only after an appeal"
            raise DisputeSettled(sentence if dispute.status in {"open", "ruled"} else settlement_text(dispute))
        if dispute.hearing is not None and (dispute.hearing.members, dispute.hearing.reason) == (
            members,
            stated_reason,
        ):
            return stream
        check_members(matches, roles, dispute.event, members, players, dispute)
        audit_record = audit.CommitteeNamed(
            by=by,
            role=official_role(roles, by, dispute.event),
            event=dispute.event,
            people=members,
            match=dispute.match,
            dispute=dispute_id,
            reason=stated_reason[:REASON_MAX],
        )
        append_to_trail(batch, audit_record)
        return batch.record(DISPUTE, dispute_id, CommitteeSeated(by=by, members=members, reason=stated_reason))

    return matches.transact(compose, at=at)


def seat_committee(
    matches: MatchReader, batch: Transaction, stream: Stream[Dispute], players: frozenset[Actor]
) -> Stream[Dispute]:
    """Assign an appeal to those members of the event's committee who may hear it, a head arbiter among them as chair.

    With fewer than three, or no possible chair, a head arbiter hears it and nothing is recorded.
    """
    dispute, roles = stream.state, roles_in(batch)
    standing_committee = batch.find(COMMITTEE, committee_stream(dispute.event)) if dispute.event else None
    if standing_committee is None:
        return stream
    event = dispute.event
    fit = [
        each for each in standing_committee.state.members if not why_not(matches, roles, event, each, players, dispute)
    ]
    chair = next((each for each in fit if acting_role(roles, each, event, *HEADS)), None)
    if len(fit) < MEMBERS_MIN or chair is None:
        return stream
    members = (chair, *(each for each in fit if each != chair))
    return batch.record(DISPUTE, stream.id, CommitteeSeated(by=standing_committee.state.by, members=members))
