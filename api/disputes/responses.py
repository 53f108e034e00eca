"""Responses about disputes and rulings, built from the domain."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from api.accounts.display_names import Names, names_of
from api.accounts.service import AccountService
from api.disputes.commands import SeenDispute
from api.disputes.schemas import (
    AppealShown,
    DisputeShown,
    HearingShown,
    MatchStandingShown,
    MeasureShown,
    MemberShown,
    MotionShown,
    RulingInLog,
    RulingShown,
    RulingsShown,
    VoteShown,
    WhatIfShown,
)
from api.http.guards import Caller
from api.http.languages import say
from domain.disputes.facts import MatchStanding
from domain.disputes.state import Dispute, GivenRuling
from domain.disputes.timing import appealable_until, due_at
from domain.disputes.words import describe_measure
from domain.eventstore.application import Matches
from domain.matches.facts import Actor, RulingGiven
from domain.matches.rulings.measures import Measure
from domain.matches.rulings.ruling import counted_result, points_taken, rulings_in_force
from domain.matches.titles import read_fact


def people_of(dispute: Dispute) -> set[Actor]:
    """Return the people who acted in a dispute: raiser, arbiters, appellant, and members and namer of the committee."""
    people = {dispute.by, *(recorded.ruling.by for recorded in dispute.rulings)}
    if (hearing := dispute.hearing) is not None:
        people |= {hearing.named_by, *hearing.members, *(motion.ruling.by for motion in hearing.motions)}
    return people | {
        actor for actor in (dispute.arbiter, dispute.handed_by, dispute.appeal.by if dispute.appeal else None) if actor
    }


def encode_dispute(found: SeenDispute, accounts: AccountService) -> DisputeShown:
    """Return a dispute for a response; what-ifs and the note of a handover are included for its arbiters only."""
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
        arbiter=dispute.deciding_arbiter,
        arbiter_name=names[dispute.deciding_arbiter] if dispute.deciding_arbiter else None,
        what_ifs=tuple(WhatIfShown(each.line, each.entry, each.by) for each in dispute.what_ifs)
        if found.is_arbiter
        else (),
        rulings=tuple(encode_ruling(recorded, names) for recorded in dispute.rulings),
        hearing=encode_hearing(dispute, names, found.caller),
        appeal=AppealShown(appeal.by, names[appeal.by], appeal.seat, appeal.reason, appeal.at) if appeal else None,
        due_at=due_at(dispute, found.official) if dispute.is_waiting else None,
        appealable_until=appealable_until(dispute, found.official),
        handed_by=names.get(dispute.handed_by),
        note=dispute.note if found.is_arbiter else "",
        may_rule=found.may_rule,
    )


def encode_measures(measures: tuple[Measure, ...]) -> tuple[MeasureShown, ...]:
    """Return measures with their descriptions."""
    return tuple(MeasureShown(measure, say(describe_measure(measure))) for measure in measures)


def encode_match_summary(standing: MatchStanding) -> MatchStandingShown:
    """Return a summary of a match for a response."""
    return MatchStandingShown(
        standing.line,
        standing.version,
        standing.status,
        standing.scores,
        standing.ranking,
        standing.penalties,
        standing.clocks,
    )


def encode_ruling(recorded: GivenRuling, names: Names) -> RulingShown:
    """Return a ruling for a response, with the match before and after it."""
    ruling = recorded.ruling
    return RulingShown(
        ruling=ruling.ruling,
        by=ruling.by,
        name=names[ruling.by],
        role=ruling.role,
        at=recorded.at,
        rule=ruling.rule,
        reasons=ruling.reasons,
        measures=encode_measures(ruling.measures),
        upheld=ruling.upheld,
        before=encode_match_summary(ruling.before),
        after=encode_match_summary(ruling.after),
        line=ruling.line,
        motion=ruling.motion,
    )


def encode_hearing(dispute: Dispute, names: Names, caller: Caller) -> HearingShown | None:
    """Return the hearing for a response; None if there is none.

    Motions and votes are visible to members only until the decision.
    """
    hearing = dispute.hearing
    if hearing is None:
        return None
    person = caller.person.id if caller.person is not None and caller.may("arbitrate") else ""
    may_see = person in hearing.members or not dispute.is_waiting
    motions = tuple(
        MotionShown(
            number=number,
            by=motion.ruling.by,
            name=names[motion.ruling.by],
            at=motion.at,
            rule=motion.ruling.rule,
            reasons=motion.ruling.reasons,
            measures=encode_measures(motion.ruling.measures),
            upheld=motion.ruling.upheld,
            voices=hearing.vote_count(number),
        )
        for number, motion in enumerate(hearing.motions, 1)
    )
    votes = tuple(VoteShown(each.by, names[each.by], each.motion, each.reason, each.at) for each in hearing.votes)
    return HearingShown(
        members=tuple(MemberShown(each, names[each]) for each in hearing.members),
        named_by=MemberShown(hearing.named_by, names[hearing.named_by]),
        reason=hearing.reason,
        is_member=person in hearing.members,
        is_chair=person == hearing.chair,
        motions=motions if may_see else (),
        votes=votes if may_see else (),
        decides=hearing.decided_motion if may_see else 0,
    )


def rulings_of(matches: Matches, match_id: UUID, accounts: AccountService) -> RulingsShown:
    """Return the public rulings in a match's log, in order, and the result that counts if the match is over."""
    match = matches.get(match_id)
    result, in_force = (
        counted_result(match) if match.is_over else None,
        {each.ruling for each in rulings_in_force(match.docket.rulings)},
    )
    names = names_of(accounts, {fact.by for fact in match.docket.rulings})
    logged: list[RulingInLog] = []
    if match.docket.rulings:
        for entry in matches.entries(match_id):
            fact = read_fact(match.definition, entry)
            if isinstance(fact, RulingGiven):
                logged.append(
                    encode_logged_ruling(entry.version, entry.timestamp, fact, names, fact.ruling in in_force)
                )
    return RulingsShown(
        match_id=match_id,
        status=match.status,
        replaced_by=match.docket.superseded_by,
        scores=result.scores if result else (),
        ranking=result.ranking if result else None,
        penalties=points_taken(match),
        rulings=tuple(logged),
    )


def encode_logged_ruling(version: int, at: datetime, fact: RulingGiven, names: Names, counts: bool) -> RulingInLog:
    """Return a ruling of a match's log for a response."""
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
        measures=encode_measures(fact.measures),
        appeal_of=fact.appeal_of or None,
        upheld=fact.upheld,
        counts=counts,
    )
