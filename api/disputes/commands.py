"""Disputes: permissions, commands and evidence."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from api.accounts.service import AccountService
from api.disputes.schemas import (
    EvidenceShown,
    ExaminedShown,
    FaultShown,
    GiveRuling,
    RaiseDispute,
    ResumeFrom,
    TimedShown,
    WantedMeasure,
)
from api.http.guards import Caller
from api.http.languages import say
from api.matches.bots import named_bot
from api.matches.queries import describe_legal
from api.matches.schemas import KnownView
from api.roles.commands import acting
from api.roles.conflicts import is_neutral, players_of, require_neutral
from api.roles.grants import has_role_in
from api.roles.openers import roles_at
from domain.disputes import commands, rulings
from domain.disputes.commands import DisputeStream
from domain.disputes.errors import ArbiterPlays, NotAParty
from domain.disputes.rulings import Ruling
from domain.disputes.state import DISPUTE, Dispute
from domain.eventstore.application import Matches
from domain.matches.aggregate import Match, seat_of, seats_to_act, view
from domain.matches.errors import NoSuchEntry
from domain.matches.facts import Actor
from domain.matches.forks import lineage
from domain.matches.forks.lineage import list_past_players, official_line
from domain.matches.log.log_files import log_of
from domain.matches.play.clocks import times_left_ms
from domain.matches.rulings.measures import LineResumed, Measure
from domain.matches.verification.verify import verify
from domain.roles import commands as role_commands
from domain.roles.state import Roles
from projections.matches import clocks
from projections.matches.boards import phase_of

CLOCK_LINES: Final = 40
"""Entries of the clock record shown before the disputed one."""


class SeenDispute(msgspec.Struct, frozen=True):
    """A dispute that the caller may see, with the official line and the caller's rights."""

    kept: DisputeStream
    official: Match
    is_arbiter: bool
    may_rule: bool
    """Whether the caller may rule now; on appeal as a head arbiter or committee member who did not rule before."""
    roles: Roles
    caller: Caller

    @property
    def dispute(self) -> Dispute:
        """The state of the dispute."""
        return self.kept.state


def has_sat(matches: Matches, dispute: Dispute, caller: Caller) -> bool:
    """Return whether the caller has sat at one of the match's lines."""
    return caller.person is not None and caller.person.id in list_past_players(matches, dispute.line)


def is_arbiter(matches: Matches, roles: Roles, dispute: Dispute, caller: Caller) -> bool:
    """Return whether the caller is a neutral arbiter of the dispute: neither sat there nor plays in the event."""
    role = has_role_in(roles, caller, "arbiter", dispute.event or None)
    return role and not has_sat(matches, dispute, caller) and is_neutral(matches, dispute.event, caller)


def find_dispute(matches: Matches, dispute_id: UUID, caller: Caller) -> SeenDispute:
    """Return the dispute to its players, its arbiters and the organisers of its event; raise `NotAParty` for others.

    Former players may see it; arbiters who sat there or play in the event may not, unless they organise it. Raise
    `NoSuchStream` if it is unknown.
    """
    stream = matches.streams.get(DISPUTE, dispute_id)
    official, roles = official_line(matches, stream.state.line), roles_at(matches, stream.state.event)
    arbitrates = is_arbiter(matches, roles, stream.state, caller)
    organises = has_role_in(roles, caller, "organiser", stream.state.event or None)
    if not (arbitrates or organises or has_sat(matches, stream.state, caller)):
        raise NotAParty("only the players, arbiters and organisers of the match can see a dispute")
    return SeenDispute(
        stream, official, arbitrates, arbitrates and may_rule_now(roles, stream.state, caller), roles, caller
    )


def may_rule_now(roles: Roles, dispute: Dispute, caller: Caller) -> bool:
    """Return whether an arbiter may rule now: on appeal only committee members or head arbiters who did not rule.

    Without an appeal always True: the caller checks the arbiter's role.
    """
    if dispute.status != "appealed":
        return True
    if dispute.hearing is not None:
        return caller.person is not None and caller.person.id in dispute.hearing.members
    has_ruled = caller.person is not None and dispute.rulings[0].ruling.by == caller.person.id
    return has_role_in(roles, caller, "head_arbiter", dispute.event or None) and not has_ruled


def is_arbiter_of(matches: Matches, dispute_id: UUID, caller: Caller) -> bool:
    """Return whether the caller is a neutral arbiter of the dispute."""
    dispute = matches.streams.get(DISPUTE, dispute_id).state
    return is_arbiter(matches, role_commands.roles_of(matches), dispute, caller)


def is_party(found: SeenDispute, caller: Caller) -> bool:
    """Return whether the caller plays at the official line, and so may appeal."""
    return caller.person is not None and seat_of(found.official, caller.person.id) is not None


def find_visible(matches: Matches, dispute_ids: tuple[UUID, ...], caller: Caller) -> tuple[SeenDispute, ...]:
    """Return the disputes that the caller may see, in the same order; the others are left out."""
    found: list[SeenDispute] = []
    for dispute_id in dispute_ids:
        with suppress(NotAParty):
            found.append(find_dispute(matches, dispute_id, caller))
    return tuple(found)


def root_of(matches: Matches, match_id: UUID) -> UUID:
    """Return the first line of a match."""
    return lineage.root_of(matches, matches.get(match_id))


# Commands, on the writer's thread.


def require_no_conflict(matches: Matches, dispute_id: UUID, caller: Caller, action: str, *, at: datetime) -> None:
    """Record and raise `ConflictOfInterest` for an arbiter who plays in the event; other callers pass."""
    event = matches.streams.get(DISPUTE, dispute_id).state.event
    if event and has_role_in(role_commands.roles_of(matches), caller, "arbiter", event):
        require_neutral(matches, event, caller, action, at=at)


def raise_dispute(
    matches: Matches, match_id: UUID, new_id: UUID, request: RaiseDispute, caller: Caller, *, at: datetime
) -> None:
    """Raise a dispute by the caller about an entry of a match, which may pause it; a known `new_id` changes nothing.

    Raise `NotAParty` or `DisputeRefused` as the domain's `raise_dispute`.
    """
    players = players_of(matches, matches.get(match_id).table.event_id)
    commands.open_dispute(
        matches, new_id, match_id, entry=request.entry, by=caller.actor, reason=request.reason, at=at, players=players
    )


def withdraw(matches: Matches, dispute_id: UUID, caller: Caller, *, at: datetime) -> None:
    """Withdraw the caller's dispute."""
    commands.withdraw_dispute(matches, dispute_id, by=caller.actor, at=at, players=players_at(matches, dispute_id))


def players_at(matches: Matches, dispute_id: UUID) -> frozenset[Actor]:
    """Return the players of the event that a dispute belongs to."""
    return players_of(matches, matches.streams.get(DISPUTE, dispute_id).state.event)


def assign(matches: Matches, dispute_id: UUID, caller: Caller, *, at: datetime) -> None:
    """Assign the dispute to the caller."""
    require_no_conflict(matches, dispute_id, caller, "arbitrate", at=at)
    commands.assign(matches, dispute_id, by=acting(matches, caller, at), at=at)


def rule_on(
    matches: Matches,
    dispute_id: UUID,
    request: GiveRuling,
    caller: Caller,
    by: Actor | None,
    ids: tuple[UUID, UUID],
    *,
    at: datetime,
) -> None:
    """Give a ruling by the caller, or by `by`, the arbiter whom the service names; `ids`: of ruling, resumed line.

    Record and raise `ConflictOfInterest` for an arbiter who plays in the event; raise `StaleVersion`, and the other
    errors of the domain's `rule_on`. A known ruling id changes nothing.
    """
    require_no_conflict(matches, dispute_id, caller, "give a ruling", at=at)
    ruling_id, line_id = ids
    ruling = Ruling(ruling_id, request.rule, request.reasons, measures_of(request.measures), request.upheld, line_id)
    rulings.rule_on(
        matches,
        dispute_id,
        ruling,
        by=by or acting(matches, caller, at),
        clocks=lambda line, entry: clocks_at(matches, line, entry),
        expected_version=request.expected_version,
        at=at,
        players=players_at(matches, dispute_id),
    )


def measures_of(requested: Iterable[WantedMeasure]) -> tuple[Measure, ...]:
    """Return the measures of a request."""
    return tuple(LineResumed(each.version, "") if isinstance(each, ResumeFrom) else each for each in requested)


def clocks_at(matches: Matches, line: UUID, entry: int) -> tuple[int, ...]:
    """Return the milliseconds left per seat after an entry."""
    return times_left_ms(matches.at(line, entry))


def find_arbiter(accounts: AccountService, caller: Caller, name: str | None) -> Actor | None:
    """Return the arbiter whom the service names, by id or name; None for other callers, or without a name.

    Raise `NoSuchPerson` if unknown; the role is not checked.
    """
    if name is None or not caller.is_service:
        return None
    return accounts.get_by_id_or_name(name).id


def fork_what_if(
    matches: Matches,
    dispute_id: UUID,
    entry: int,
    seats: tuple[str, ...] | None,
    bots: tuple[str, ...],
    new_line: UUID,
    caller: Caller,
    *,
    at: datetime,
) -> Match:
    """Fork a what-if for the dispute, with the caller on the seats named "me" and bots on all others.

    Record and raise `ConflictOfInterest` for an arbiter who plays in the event; raise `RoleMissing`, `ArbiterPlays`,
    `NotAParty`, `DisputeSettled` or `ForkRefused` as `what_if`. A known `new_line` is returned.
    """
    require_no_conflict(matches, dispute_id, caller, "try out what is hidden", at=at)
    by = acting(matches, caller, at)
    match = matches.get(matches.streams.get(DISPUTE, dispute_id).state.line)
    names = seats or ("",) * len(match.seats)
    players = tuple(by if name == "me" else named_bot(bots, name, match.definition) for name in names)
    return commands.what_if(matches, dispute_id, new_line=new_line, entry=entry, by=by, seats=players, at=at)


def record_access(matches: Matches, dispute_id: UUID, entry: int | None, caller: Caller, *, at: datetime) -> int:
    """Record an arbiter's access to hidden information, and return the entry, by default the one in dispute.

    Raise `NoSuchEntry` if the entry does not exist, `ConflictOfInterest` for an arbiter who plays in the event, and
    `RoleMissing`, `ArbiterPlays` or `NotAParty` if the caller may not rule.
    """
    require_no_conflict(matches, dispute_id, caller, "see what is hidden", at=at)
    dispute = matches.streams.get(DISPUTE, dispute_id).state
    seen_entry = dispute.entry if entry is None else entry
    if not 1 <= seen_entry <= matches.get(dispute.line).version:
        raise NoSuchEntry(f"the match {dispute.line} has no entry {seen_entry}")
    commands.see_hidden(matches, dispute_id, by=acting(matches, caller, at), entry=seen_entry, at=at)
    return seen_entry


def read_evidence(matches: Matches, dispute_id: UUID, entry: int, caller: Caller) -> EvidenceShown:
    """Return the evidence about an entry: each seat's knowledge, the end of the clock record, and the log's audit.

    Raise `ArbiterPlays` unless the caller may rule, `NotAParty` if the dispute is closed to them. Nothing is recorded:
    call `record_access` first.
    """
    found = find_dispute(matches, dispute_id, caller)
    if not found.may_rule:
        raise ArbiterPlays("only the arbiters of the dispute can see hidden information")
    line_id = found.dispute.line
    match, entries = matches.at(line_id, entry), matches.entries(line_id)
    report = verify(log_of(entries), titles=matches.titles)
    fault = report.fault
    clock_lines = clocks.record(matches.titles, entries[:entry])[-CLOCK_LINES:]
    return EvidenceShown(
        dispute=dispute_id,
        line=line_id,
        entry=entry,
        entries=len(entries),
        status=match.status,
        phase=phase_of(match),
        to_act=seats_to_act(match),
        knew=tuple(known_view(match, seat) for seat in (None, *range(len(match.seats)))),
        clocks=tuple(TimedShown(each.version, each.at, each.seat, each.kind, each.left_ms) for each in clock_lines),
        audit=ExaminedShown(
            report.is_good,
            None if fault is None else FaultShown(fault.entry, fault.kind, fault.why),
            report.entries,
            report.head,
            report.actions_checked,
            report.draws_checked,
            report.openings_checked,
        ),
    )


def known_view(match: Match, seat: int | None) -> KnownView:
    """Return the view and the legal actions of a seat."""
    legal = () if seat is None else describe_legal(match, seat, say)
    return KnownView(seat, view(match, seat), tuple(choice.text for choice in legal))
