"""Disputes as the API and the pages ask for them: who may see one, what an arbiter sees, how it is described."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from api.accounts.service import AccountService
from api.disputes.wire import (
    AppealShown,
    DisputeShown,
    EvidenceShown,
    ExaminedShown,
    FaultShown,
    GiveRuling,
    MatchStandingShown,
    MeasureShown,
    RaiseDispute,
    ResumeFrom,
    RulingInLog,
    RulingShown,
    RulingsShown,
    TimedShown,
    WhatIfShown,
)
from api.matches.bots import named_bot
from api.matches.reading import describe_legal
from api.matches.showing import Names, names_of
from api.matches.wire import KnownView
from api.roles.commands import acting
from api.roles.conflicts import is_neutral, require_neutral
from api.roles.grants import holds_in
from api.roles.openers import roles_at
from api.web.guards import Caller
from api.web.languages import say
from domain.disputes import commands
from domain.disputes.commands import Kept, Ruling
from domain.disputes.errors import ArbiterPlays, NotAParty
from domain.disputes.state import DISPUTE, Dispute, GivenRuling, MatchStanding
from domain.disputes.timing import appealable_until, due_at
from domain.disputes.words import measure_told
from domain.matches import lineage
from domain.matches.aggregate import Match, seat_of, seats_to_act, view
from domain.matches.application import Matches
from domain.matches.clocks import left_ms
from domain.matches.errors import NoSuchEntry
from domain.matches.facts import Actor, RulingGiven
from domain.matches.file import log_of
from domain.matches.lineage import have_sat, official_line
from domain.matches.measures import LineResumed, Measure
from domain.matches.ruling import counted_result, points_taken, standing
from domain.matches.titles import read_fact
from domain.matches.verify import verify
from domain.roles import commands as role_commands
from domain.roles.state import Roles
from projections.matches import clocks
from projections.matches.boards import phase_of

CLOCK_LINES: Final = 40
"""The clock record shows this many entries before the disputed one."""


class SeenDispute(msgspec.Struct, frozen=True):
    """A dispute somebody may see, the line that counts, and what they are to it."""

    kept: Kept
    official: Match
    is_arbiter: bool
    may_rule: bool
    """One of its arbiters, and the one who is wanted now: of an appeal a head arbiter who did not rule before."""
    roles: Roles

    @property
    def dispute(self) -> Dispute:
        return self.kept.state


def has_sat(matches: Matches, dispute: Dispute, caller: Caller) -> bool:
    """The caller plays, or has played, at one of the match's lines."""
    return caller.person is not None and caller.person.id in have_sat(matches, dispute.line)


def is_arbiter(matches: Matches, roles: Roles, dispute: Dispute, caller: Caller) -> bool:
    """The caller deals with this dispute: an arbiter of its tournament or of the service who never sat there, and does
    not play in the tournament."""
    role = holds_in(roles, caller, "arbiter", dispute.event or None)
    return role and not has_sat(matches, dispute, caller) and is_neutral(matches, dispute.event, caller)


def find_dispute(matches: Matches, dispute_id: UUID, caller: Caller) -> SeenDispute:
    """The dispute, for its players, its arbiters and the organisers of its tournament."""
    kept = matches.streams.get(DISPUTE, dispute_id)
    official, roles = official_line(matches, kept.state.line), roles_at(matches, kept.state.event)
    arbitrates = is_arbiter(matches, roles, kept.state, caller)
    organises = holds_in(roles, caller, "organiser", kept.state.event or None)
    if not (arbitrates or organises or has_sat(matches, kept.state, caller)):
        raise NotAParty("a dispute is for the players of its match, its arbiters and organisers")
    return SeenDispute(kept, official, arbitrates, arbitrates and is_wanted(roles, kept.state, caller), roles)


def is_wanted(roles: Roles, dispute: Dispute, caller: Caller) -> bool:
    """An arbiter of the dispute is the one who deals with it now: an appeal is for head arbiters, who did not rule."""
    if dispute.status != "appealed":
        return True
    ruled = caller.person is not None and dispute.rulings[0].ruling.by == caller.person.id
    return holds_in(roles, caller, "head_arbiter", dispute.event or None) and not ruled


def is_arbiter_of(matches: Matches, dispute_id: UUID, caller: Caller) -> bool:
    """The caller deals with this dispute."""
    dispute = matches.streams.get(DISPUTE, dispute_id).state
    return is_arbiter(matches, role_commands.roles_of(matches), dispute, caller)


def party(found: SeenDispute, caller: Caller) -> bool:
    """The caller plays at the line that counts now: may appeal."""
    return caller.person is not None and seat_of(found.official, caller.person.id) is not None


def visible(matches: Matches, dispute_ids: tuple[UUID, ...], caller: Caller) -> tuple[SeenDispute, ...]:
    """Those of the disputes that the caller may see."""
    found: list[SeenDispute] = []
    for dispute_id in dispute_ids:
        with suppress(NotAParty):
            found.append(find_dispute(matches, dispute_id, caller))
    return tuple(found)


def root_of(matches: Matches, match_id: UUID) -> UUID:
    return lineage.root_of(matches, matches.get(match_id))


def people_of(dispute: Dispute) -> set[Actor]:
    """Whoever is named in a dispute."""
    named = {dispute.by, *(given.ruling.by for given in dispute.rulings)}
    return named | {
        actor for actor in (dispute.arbiter, dispute.handed_by, dispute.appeal.by if dispute.appeal else None) if actor
    }


def encode_dispute(found: SeenDispute, accounts: AccountService) -> DisputeShown:
    dispute = found.dispute
    names = names_of(accounts, people_of(dispute))
    appeal = dispute.appeal
    return DisputeShown(
        id=found.kept.id,
        version=found.kept.version,
        match=dispute.match,
        line=dispute.line,
        official_line=found.official.id,
        entry=dispute.entry,
        seat=dispute.seat,
        by=dispute.by,
        name=names[dispute.by],
        reason=dispute.reason,
        event=dispute.event or None,
        raised_at=dispute.raised_at,
        status=dispute.status,
        arbiter=dispute.decided_by,
        arbiter_name=names[dispute.decided_by] if dispute.decided_by else None,
        what_ifs=tuple(WhatIfShown(each.line, each.entry, each.by) for each in dispute.what_ifs)
        if found.is_arbiter
        else (),
        rulings=tuple(ruling_shown(given, names) for given in dispute.rulings),
        appeal=AppealShown(appeal.by, names[appeal.by], appeal.seat, appeal.reason, appeal.at) if appeal else None,
        due_at=due_at(dispute, found.official) if dispute.is_waiting else None,
        appealable_until=appealable_until(dispute, found.official),
        handed_by=names.get(dispute.handed_by),
        note=dispute.note if found.is_arbiter else "",
        may_rule=found.may_rule,
    )


def measures_shown(measures: tuple[Measure, ...]) -> tuple[MeasureShown, ...]:
    return tuple(MeasureShown(measure, say(measure_told(measure))) for measure in measures)


def standing_shown(known: MatchStanding) -> MatchStandingShown:
    return MatchStandingShown(
        known.line, known.version, known.status, known.scores, known.ranking, known.penalties, known.clocks
    )


def ruling_shown(given: GivenRuling, names: Names) -> RulingShown:
    ruling = given.ruling
    return RulingShown(
        ruling=ruling.ruling,
        by=ruling.by,
        name=names[ruling.by],
        role=ruling.role,
        at=given.at,
        rule=ruling.rule,
        reasons=ruling.reasons,
        measures=measures_shown(ruling.measures),
        upheld=ruling.upheld,
        before=standing_shown(ruling.before),
        after=standing_shown(ruling.after),
        line=ruling.line,
    )


# Commands, on the writer's thread


def require_no_conflict(matches: Matches, dispute_id: UUID, caller: Caller, what: str, *, at: datetime) -> None:
    """Refused and recorded, if an arbiter plays in the tournament or league of the match."""
    event = matches.streams.get(DISPUTE, dispute_id).state.event
    if event and holds_in(role_commands.roles_of(matches), caller, "arbiter", event):
        require_neutral(matches, event, caller, what, at=at)


def raise_on(
    matches: Matches, match_id: UUID, new_id: UUID, wanted: RaiseDispute, caller: Caller, *, at: datetime
) -> None:
    """The caller objects to an entry of a match."""
    commands.raise_(matches, new_id, match_id, entry=wanted.entry, by=caller.actor, reason=wanted.reason, at=at)


def assign(matches: Matches, dispute_id: UUID, caller: Caller, *, at: datetime) -> None:
    require_no_conflict(matches, dispute_id, caller, "arbitrate", at=at)
    commands.assign(matches, dispute_id, by=acting(matches, caller, at), at=at)


def rule_on(
    matches: Matches,
    dispute_id: UUID,
    wanted: GiveRuling,
    caller: Caller,
    by: Actor | None,
    ids: tuple[UUID, UUID],
    *,
    at: datetime,
) -> None:
    """The caller's ruling; or that of the arbiter whom the service names."""
    require_no_conflict(matches, dispute_id, caller, "give a ruling", at=at)
    ruling_id, line_id = ids
    ruling = Ruling(ruling_id, wanted.rule, wanted.reasons, measures_of(wanted), wanted.upheld, line_id)
    commands.rule_on(
        matches,
        dispute_id,
        ruling,
        by=by or acting(matches, caller, at),
        clocks=lambda line, entry: clocks_at(matches, line, entry),
        expected_version=wanted.expected_version,
        at=at,
    )


def measures_of(wanted: GiveRuling) -> tuple[Measure, ...]:
    return tuple(
        LineResumed(measure.version, "") if isinstance(measure, ResumeFrom) else measure for measure in wanted.measures
    )


def clocks_at(matches: Matches, line: UUID, entry: int) -> tuple[int, ...]:
    """The milliseconds every seat had left after an entry."""
    return left_ms(matches.at(line, entry))


def arbiter_named(accounts: AccountService, caller: Caller, name: str | None) -> Actor | None:
    """Whom the service rules for: by id or name."""
    if name is None or not caller.is_service:
        return None
    return accounts.named(name).id


def what_if(
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
    """A fork beside the dispute: bots on every seat that is not the arbiter's own."""
    require_no_conflict(matches, dispute_id, caller, "try out what is hidden", at=at)
    by = acting(matches, caller, at)
    match = matches.get(matches.streams.get(DISPUTE, dispute_id).state.line)
    names = seats or ("",) * len(match.seats)
    players = tuple(by if name == "me" else named_bot(bots, name, match.definition) for name in names)
    return commands.what_if(matches, dispute_id, new_line=new_line, entry=entry, by=by, seats=players, at=at)


def look_into(matches: Matches, dispute_id: UUID, entry: int | None, caller: Caller, *, at: datetime) -> int:
    """Writes down that an arbiter looks at what was hidden, before anything is shown; the entry looked at."""
    require_no_conflict(matches, dispute_id, caller, "see what is hidden", at=at)
    dispute = matches.streams.get(DISPUTE, dispute_id).state
    wanted = dispute.entry if entry is None else entry
    if not 1 <= wanted <= matches.get(dispute.line).version:
        raise NoSuchEntry(f"the match {dispute.line} has no entry {wanted}")
    commands.see_hidden(matches, dispute_id, by=acting(matches, caller, at), entry=wanted, at=at)
    return wanted


def evidence(matches: Matches, dispute_id: UUID, entry: int, caller: Caller) -> EvidenceShown:
    """All that an arbiter needs to know about an entry; `look_into` has written down that they know it."""
    found = find_dispute(matches, dispute_id, caller)
    if not found.may_rule:
        raise ArbiterPlays("what the seats knew is for the arbiters of the dispute")
    line = found.dispute.line
    match, entries = matches.at(line, entry), matches.entries(line)
    report = verify(log_of(entries), titles=matches.titles)
    fault = report.fault
    timed = clocks.record(matches.titles, entries[:entry])[-CLOCK_LINES:]
    return EvidenceShown(
        dispute=dispute_id,
        line=line,
        entry=entry,
        entries=len(entries),
        status=match.status,
        phase=phase_of(match),
        to_act=seats_to_act(match),
        knew=tuple(knew(match, seat) for seat in (None, *range(len(match.seats)))),
        clocks=tuple(TimedShown(each.version, each.at, each.seat, each.kind, each.left_ms) for each in timed),
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


def knew(match: Match, seat: int | None) -> KnownView:
    """What a seat saw and could do."""
    legal = () if seat is None else describe_legal(match, seat, say)
    return KnownView(seat, view(match, seat), tuple(choice.text for choice in legal))


def rulings_of(matches: Matches, match_id: UUID, accounts: AccountService) -> RulingsShown:
    """The rulings in a match's log, for everybody who may read it."""
    match = matches.get(match_id)
    result, counting = (
        counted_result(match) if match.is_over else None,
        {r.ruling for r in standing(match.docket.rulings)},
    )
    names = names_of(accounts, {fact.by for fact in match.docket.rulings})
    told: list[RulingInLog] = []
    if match.docket.rulings:
        for entry in matches.entries(match_id):
            fact = read_fact(match.definition, entry)
            if isinstance(fact, RulingGiven):
                told.append(in_log(entry.version, entry.timestamp, fact, names, fact.ruling in counting))
    return RulingsShown(
        match_id=match_id,
        status=match.status,
        replaced_by=match.docket.superseded_by,
        scores=result.scores if result else (),
        ranking=result.ranking if result else None,
        penalties=points_taken(match),
        rulings=tuple(told),
    )


def in_log(version: int, at: datetime, fact: RulingGiven, names: Names, counts: bool) -> RulingInLog:
    return RulingInLog(
        version=version,
        at=at,
        ruling=fact.ruling,
        dispute=fact.dispute,
        by=fact.by,
        name=names[fact.by],
        entry=fact.at,
        rule=fact.rule,
        reasons=fact.reasons,
        measures=measures_shown(fact.measures),
        appeal_of=fact.appeal_of or None,
        upheld=fact.upheld,
        counts=counts,
    )
