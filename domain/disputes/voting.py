"""Decisions of a committee on an appeal: motions, votes and the announcement by the chair."""

from datetime import datetime
from uuid import UUID

from domain.disputes.commands import DisputeStream, arbiter_role
from domain.disputes.errors import NotAParty, VoteRefused
from domain.disputes.facts import MotionMade, VoteCast
from domain.disputes.hearing import MOTIONS_MAX, Hearing
from domain.disputes.rulings import Clocks, Ruling, record_ruling, ruling_fact
from domain.disputes.state import DISPUTE, Dispute, check_reason, check_waiting
from domain.kernel.values import replace
from domain.matches.facts import Actor
from domain.matches.forks.lineage import read_official_line
from domain.matches.rulings import ruling
from domain.matches.rulings.measures import Measure
from domain.matches.transaction import MatchWriter, Transaction


def hearing_of(dispute: Dispute) -> Hearing:
    """Return the hearing of an appeal that waits for a decision; raise `NotAParty` if no committee hears it.

    Raise `DisputeSettled` unless a ruling is due.
    """
    check_waiting(dispute)
    if dispute.hearing is None:
        raise NotAParty("no committee hears this appeal")
    return dispute.hearing


def propose_ruling(
    matches: MatchWriter,
    dispute_id: UUID,
    *,
    rule: str,
    reasons: str,
    measures: tuple[Measure, ...],
    upheld: bool,
    by: Actor,
    at: datetime,
) -> DisputeStream:
    """Propose a ruling to the committee; repeating a motion, even by another member, changes nothing.

    Raise `RulingRefused` if it is invalid for the match, `VoteRefused` above `MOTIONS_MAX` motions, `NotAParty` if
    `by` is no member or no committee hears the appeal, `RoleMissing` or `ArbiterPlays` if a member may no longer
    rule, and `DisputeSettled` unless a ruling is due.
    """

    def compose(batch: Transaction) -> DisputeStream:
        stream = batch.get(DISPUTE, dispute_id)
        dispute, match = stream.state, read_official_line(batch, stream.state.line)
        hearing = hearing_of(dispute)
        arbiter_role(matches, dispute, match, by)
        draft = Ruling(dispute_id, rule, reasons, measures, upheld, dispute_id)
        fact = ruling_fact(dispute, dispute_id, match, draft, hearing.chair)
        ruling.check_ruling(match, fact)
        motion = MotionMade(by=by, rule=fact.rule, reasons=fact.reasons, measures=measures, upheld=upheld)
        if any(replace(each.ruling, by=by) == motion for each in hearing.motions):
            return stream
        if len(hearing.motions) >= MOTIONS_MAX:
            raise VoteRefused(f"a committee votes on at most {MOTIONS_MAX} proposals")
        return batch.record(DISPUTE, dispute_id, motion)

    return matches.transact(compose, at=at)


def vote(matches: MatchWriter, dispute_id: UUID, *, motion: int, reason: str, by: Actor, at: datetime) -> DisputeStream:
    """Vote for a motion with a reason; until the announcement a new vote replaces the member's earlier one.

    Raise `VoteRefused` for an unknown motion, `DisputeRefused` for a bad reason, `NotAParty` if `by` is no member
    or no committee hears the appeal, `RoleMissing` or `ArbiterPlays` if a member may no longer rule, and
    `DisputeSettled` unless a ruling is due.
    """

    def compose(batch: Transaction) -> DisputeStream:
        stream = batch.get(DISPUTE, dispute_id)
        dispute, match = stream.state, read_official_line(batch, stream.state.line)
        hearing = hearing_of(dispute)
        arbiter_role(matches, dispute, match, by)
        stated_reason = check_reason(reason, "give a reason for your vote")
        if not 1 <= motion <= len(hearing.motions):
            raise VoteRefused(f"vote for a proposal from 1 to {len(hearing.motions)}, not {motion}")
        if any((each.by, each.motion, each.reason) == (by, motion, stated_reason) for each in hearing.votes):
            return stream
        return batch.record(DISPUTE, dispute_id, VoteCast(by=by, motion=motion, reason=stated_reason))

    return matches.transact(compose, at=at)


def announce(
    matches: MatchWriter,
    dispute_id: UUID,
    *,
    ruling_id: UUID,
    new_line: UUID,
    by: Actor,
    clocks: Clocks,
    at: datetime,
    expected_version: int | None = None,
    players: frozenset[Actor],
) -> DisputeStream:
    """Give the ruling that the committee has decided; a known ruling id changes nothing.

    Raise `NotAParty` unless `by` is the chair of a committee, `RoleMissing` or `ArbiterPlays` if they may no longer
    rule, `VoteRefused` unless a motion has a majority, `DisputeSettled` unless a ruling is due, and `StaleVersion`.
    `new_line`: the line that starts if the ruling resumes the match.
    """

    def compose(batch: Transaction) -> DisputeStream:
        stream = batch.get(DISPUTE, dispute_id)
        dispute, match = stream.state, read_official_line(batch, stream.state.line)
        if any(decision.ruling.ruling == ruling_id for decision in dispute.rulings):
            return stream
        hearing = hearing_of(dispute)
        role = arbiter_role(matches, dispute, match, by)
        if by != hearing.chair:
            raise NotAParty("only the chair of the committee can announce the decision")
        motion_number = hearing.decided_motion
        if not motion_number:
            raise VoteRefused(f"no proposal has a majority of the {len(hearing.members)} votes yet")
        motion = hearing.motions[motion_number - 1].ruling
        draft = Ruling(ruling_id, motion.rule, motion.reasons, motion.measures, motion.upheld, new_line)
        return record_ruling(
            matches,
            batch,
            dispute_id,
            draft,
            by,
            role,
            clocks,
            motion=motion_number,
            expected_version=expected_version,
            players=players,
        )

    return matches.transact(compose, at=at)
