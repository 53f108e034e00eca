"""Handing a dispute over to another arbiter who may rule on it."""

import pytest

from domain.disputes.commands import assign
from domain.disputes.errors import AppealRefused, DisputeRefused
from domain.disputes.handover import hand_over
from domain.eventstore.application import Matches
from domain.matches.facts import SERVICE
from domain.roles.audit import AUDIT, AUDIT_STREAM, DisputeHandedOver
from domain.roles.commands import change_role
from domain.roles.errors import RoleMissing
from tests.domain.disputes.disputing import D, file_appeal, give_ruling, raise_dispute, start_running_match
from tests.domain.matches.match_helpers import START


def test_the_assigned_arbiter_hands_a_dispute_over_with_a_note(matches: Matches) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    with pytest.raises(DisputeRefused, match="accept it first"):
        hand_over(matches, D, by="art", to="ada", note="I have to leave.", at=START)
    assign(matches, D, by="art", at=START)
    with pytest.raises(RoleMissing):
        hand_over(matches, D, by="art", to="anna", note="Rule yourself.", at=START)
    with pytest.raises(DisputeRefused, match="give a reason"):
        hand_over(matches, D, by="art", to="ada", note=" ", at=START)
    first = hand_over(matches, D, by="art", to="ada", note="I have to leave.", at=START)
    again = hand_over(matches, D, by="art", to="ada", note="I have to leave.", at=START)

    assert (first.state.arbiter, first.state.handed_by, first.state.note) == ("ada", "art", "I have to leave.")
    assert again.version == first.version
    assert first.state.waits_since == first.state.raised_at
    trail = [AUDIT.read(record) for record in matches.streams.records(AUDIT_STREAM)]
    handed = DisputeHandedOver(by="art", role="arbiter", match=match.id, dispute=D, person="ada")
    assert [fact for fact in trail if isinstance(fact, DisputeHandedOver)] == [handed]


def test_an_appeal_is_handed_to_head_arbiters_who_did_not_rule(matches: Matches) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    give_ruling(matches, 81, by="hella")
    dispute = file_appeal(matches)
    change_to_head(matches)
    assign(matches, D, by="ada", at=START)
    with pytest.raises(RoleMissing):
        hand_over(matches, D, by="ada", to="art", note="Please.", at=START)
    with pytest.raises(AppealRefused):
        hand_over(matches, D, by="ada", to="hella", note="Please.", at=START)

    assert dispute.state.appeal is not None
    assert dispute.state.waits_since == dispute.state.appeal.at


def change_to_head(matches: Matches) -> None:
    change_role(matches, "ada", "head_arbiter", by=SERVICE, granted=True, at=START)
