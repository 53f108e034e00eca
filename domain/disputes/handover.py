"""Handing a dispute over to another arbiter."""

from datetime import datetime
from uuid import UUID

from domain.disputes.commands import DisputeStream, sole_arbiter_role
from domain.disputes.errors import AppealRefused, DisputeRefused
from domain.disputes.facts import ArbiterAssigned
from domain.disputes.state import DISPUTE, check_reason, check_waiting
from domain.matches.facts import Actor
from domain.matches.forks.lineage import read_official_line
from domain.matches.transaction import MatchWriter, Transaction
from domain.roles.audit import DisputeHandedOver
from domain.roles.commands import append_to_trail


def hand_over(
    matches: MatchWriter, dispute_id: UUID, *, by: Actor, to: Actor, note: str, at: datetime
) -> DisputeStream:
    """Hand a dispute over to another arbiter who may rule on it; raise `DisputeRefused` unless `by` has the dispute.

    The handover is recorded in the audit trail, the note, which is required, only in the dispute. Nothing happens
    if the other has it already. Raise `RoleMissing` or `ArbiterPlays` if either may not rule, `DisputeSettled`
    unless a ruling is due, and `AppealRefused` if the other gave the ruling or a committee hears the appeal.
    """

    def compose(batch: Transaction) -> DisputeStream:
        stream = batch.get(DISPUTE, dispute_id)
        dispute, match = stream.state, read_official_line(batch, stream.state.line)
        role = sole_arbiter_role(matches, dispute, match, by)
        check_waiting(dispute)
        if dispute.arbiter == to:
            return stream
        if dispute.arbiter != by:
            raise DisputeRefused("only the arbiter of a dispute can hand it over; accept it first")
        sole_arbiter_role(matches, dispute, match, to)
        if dispute.status == "appealed" and dispute.rulings[0].ruling.by == to:
            raise AppealRefused("the arbiter who gave the ruling cannot hear the appeal")
        stream = batch.record(DISPUTE, dispute_id, ArbiterAssigned(by=to, handed_by=by, note=check_reason(note)))
        audit_record = DisputeHandedOver(
            by=by, role=role, event=dispute.event, match=match.id, dispute=dispute_id, person=to
        )
        append_to_trail(batch, audit_record)
        return stream

    return matches.transact(compose, at=at)
