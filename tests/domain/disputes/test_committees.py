"""Appeals heard by committees: members, majority and steps that no member takes alone."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.disputes.commands import appeal_ruling, assign, see_hidden
from domain.disputes.committee import COMMITTEE, committee_of, committee_stream, name_appeal_committee, name_committee
from domain.disputes.errors import (
    AppealRefused,
    CommitteeRefused,
    DisputeRefused,
    DisputeSettled,
    NotAParty,
    VoteRefused,
)
from domain.disputes.facts import CommitteeSeated
from domain.disputes.handover import hand_over
from domain.disputes.hearing import MOTIONS_MAX, Hearing, Vote
from domain.disputes.state import DISPUTE, Dispute
from domain.disputes.voting import announce, propose_ruling, vote
from domain.eventstore.application import Matches
from domain.matches.aggregate import Match
from domain.matches.errors import RulingRefused, StaleVersion
from domain.matches.facts import SERVICE
from domain.matches.log.records import Stream
from domain.matches.rulings.measures import MatchVoided, Measure, SeatWarned
from domain.roles.audit import AUDIT, AUDIT_STREAM, CommitteeNamed, RulingMade
from domain.roles.commands import change_role
from domain.roles.errors import RoleMissing
from tests.domain.disputes.disputing import (
    CLOCKS,
    CUP,
    D,
    M,
    at_table_of_cup,
    file_appeal,
    give_ruling,
    raise_dispute,
    start_running_match,
)
from tests.domain.matches.match_helpers import START, uuid

NAMED = ("hella", "ada", "abe")


def rule_as_art(matches: Matches, play: Callable[[Matches], Match] = at_table_of_cup) -> None:
    """Rule as art, so that hella, ada and abe may hear the appeal."""
    match = play(matches)
    change_role(matches, "abe", "arbiter", by=SERVICE, granted=True, at=START)
    raise_dispute(matches, match.version)
    give_ruling(matches, 81, SeatWarned(0))


def appeal_to_committee(matches: Matches, members: tuple[str, ...] = NAMED) -> Stream[Dispute]:
    rule_as_art(matches)
    name_committee(matches, CUP, members, by="olga", reason="As announced.", at=START)
    return file_appeal(matches)


def moves(matches: Matches, by: str, *measures: Measure, upheld: bool = False) -> Stream[Dispute]:
    return propose_ruling(matches, D, rule="4.2", reasons="Read it.", measures=measures, upheld=upheld, by=by, at=START)


def votes(matches: Matches, by: str, motion: int, reason: str = "So I see it.") -> Stream[Dispute]:
    return vote(matches, D, motion=motion, reason=reason, by=by, at=START)


def announces(matches: Matches, by: str = "hella", version: int | None = None) -> Stream[Dispute]:
    return announce(
        matches,
        D,
        ruling_id=uuid(90),
        new_line=uuid(91),
        by=by,
        clocks=lambda _line, _entry: CLOCKS,
        at=START,
        expected_version=version,
        players=frozenset(),
    )


def test_a_committee_decides_appeals_by_majority(matches: Matches) -> None:
    dispute = appeal_to_committee(matches)
    assert dispute.state.hearing is not None
    assert (dispute.state.hearing.members, dispute.state.hearing.named_by) == (NAMED, "olga")
    moves(matches, "ada", upheld=True)
    moved = moves(matches, "abe", MatchVoided())
    assert moves(matches, "abe", MatchVoided()).version == moved.version, "the same again is there"
    votes(matches, "ada", 1)
    votes(matches, "abe", 2)
    voted = votes(matches, "hella", 1)
    assert votes(matches, "hella", 1).version == voted.version
    votes(matches, "ada", 2, "I have read it again.")

    with pytest.raises(NotAParty, match="only the chair of the committee can announce"):
        announces(matches, "ada")
    with pytest.raises(StaleVersion):
        announces(matches, version=voted.version)
    done = announces(matches)
    assert announces(matches).version == done.version

    ruling = done.state.rulings[1].ruling
    assert (ruling.by, ruling.role, ruling.motion, ruling.measures) == ("hella", "head_arbiter", 2, (MatchVoided(),))
    assert (done.state.status, matches.get(M).status) == ("closed", "void")
    assert done.state.hearing is not None
    assert {(each.by, each.motion, each.reason) for each in done.state.hearing.votes} == {
        ("abe", 2, "So I see it."),
        ("ada", 2, "I have read it again."),
        ("hella", 1, "So I see it."),
    }
    trail = [AUDIT.read(record) for record in matches.streams.records(AUDIT_STREAM)]
    rulings = [fact for fact in trail if isinstance(fact, RulingMade)]
    assert [(fact.voices, fact.members, fact.on_appeal) for fact in rulings] == [(0, 0, False), (2, 3, True)]
    assert [fact.people for fact in trail if isinstance(fact, CommitteeNamed)] == [NAMED]
    with pytest.raises(DisputeSettled):
        votes(matches, "abe", 1)


def test_no_member_decides_alone(matches: Matches) -> None:
    appeal_to_committee(matches)
    moves(matches, "ada", upheld=True)
    votes(matches, "hella", 1)

    with pytest.raises(AppealRefused, match="a committee hears this appeal"):
        give_ruling(matches, 82, by="hella", upheld=True)
    with pytest.raises(AppealRefused, match="a committee hears this appeal"):
        assign(matches, D, by="ada", at=START)
    with pytest.raises(AppealRefused, match="a committee hears this appeal"):
        hand_over(matches, D, by="ada", to="abe", note="Yours.", at=START)
    with pytest.raises(VoteRefused, match="a majority of the 3 votes"):
        announces(matches)
    with pytest.raises(NotAParty, match="only members of its committee"):
        votes(matches, "art", 1)
    with pytest.raises(RoleMissing):
        votes(matches, "anna", 1)


def test_no_other_arbiter_decides_an_appeal_that_a_committee_hears(matches: Matches) -> None:
    """They learn why, while people without a role learn that they need one."""
    appeal_to_committee(matches)
    change_role(matches, "hugo", "head_arbiter", by=SERVICE, granted=True, at=START)

    for other in ("art", "hugo"):
        with pytest.raises(AppealRefused, match="a committee hears this appeal"):
            give_ruling(matches, 82, by=other, upheld=True)
        with pytest.raises(AppealRefused, match="a committee hears this appeal"):
            assign(matches, D, by=other, at=START)
        with pytest.raises(AppealRefused, match="a committee hears this appeal"):
            hand_over(matches, D, by=other, to="abe", note="Yours.", at=START)
        with pytest.raises(NotAParty, match="only members of its committee can decide"):
            see_hidden(matches, D, by=other, entry=1, at=START)
    with pytest.raises(RoleMissing):
        assign(matches, D, by="anna", at=START)


def test_motions_are_valid_rulings_and_votes_need_a_motion_and_a_reason(matches: Matches) -> None:
    appeal_to_committee(matches)
    with pytest.raises(RulingRefused, match="only a ruling on appeal can uphold another"):
        moves(matches, "ada", SeatWarned(1), upheld=True)
    with pytest.raises(VoteRefused, match="1 to 0, not 1"):
        votes(matches, "ada", 1)
    for seat in range(3):
        moves(matches, "ada", SeatWarned(seat))
    for number in range(MOTIONS_MAX - 3):
        moves(matches, "abe", *(SeatWarned(0),) * (number + 2))
    with pytest.raises(VoteRefused, match=f"{MOTIONS_MAX} proposals"):
        moves(matches, "ada", upheld=True)
    with pytest.raises(DisputeRefused, match="give a reason for your vote"):
        votes(matches, "ada", 1, " ")


def test_members_who_may_not_hear_the_appeal_are_left_out_and_the_chair_replaced(matches: Matches) -> None:
    rule_as_art(matches)
    change_role(matches, "hugo", "head_arbiter", by=SERVICE, granted=True, at=START)
    change_role(matches, "amy", "arbiter", by=SERVICE, granted=True, at=START)
    members = ("hella", "ada", "art", "hugo", "amy")
    name_committee(matches, CUP, members, by="olga", reason="As announced.", at=START)
    change_role(matches, "hella", "head_arbiter", by=SERVICE, granted=False, at=START)
    dispute = appeal_ruling(matches, D, by="bea", reason="No.", at=START, players=frozenset({"nobody"}))

    assert dispute.state.hearing is not None
    assert dispute.state.hearing.members == ("hugo", "ada", "amy"), (
        "art gave the ruling, hella is not an arbiter any more"
    )


@pytest.mark.parametrize("players", [frozenset({"ada"}), frozenset({"hella"})])
def test_a_head_arbiter_hears_the_appeal_if_too_few_members_may(matches: Matches, players: frozenset[str]) -> None:
    rule_as_art(matches)
    name_committee(matches, CUP, NAMED, by="olga", reason="As announced.", at=START)

    assert appeal_ruling(matches, D, by="bea", reason="No.", at=START, players=players).state.hearing is None
    with pytest.raises(NotAParty, match="no committee hears this"):
        votes(matches, "abe", 1)
    assert give_ruling(matches, 82, by="hella", upheld=True).state.status == "closed"


def test_a_committee_has_an_odd_number_of_arbiters_who_do_not_play_and_a_chair(matches: Matches) -> None:
    rule_as_art(matches)

    def expect_refusal(*members: str, players: frozenset[str] = frozenset()) -> str:
        with pytest.raises(CommitteeRefused) as refusal:
            name_committee(matches, CUP, members, by="olga", reason="So.", at=START, players=players)
        return str(refusal.value)

    assert "name each member" in expect_refusal("hella", "ada", "ada")
    assert "not 2" in expect_refusal("hella", "ada")
    assert "not 4" in expect_refusal("hella", "ada", "abe", "art")
    assert "'anna' is not an arbiter of the event" in expect_refusal("hella", "ada", "anna")
    assert "'abe' plays in the event" in expect_refusal(*NAMED, players=frozenset({"abe"}))
    assert "'ada' is not a head arbiter" in expect_refusal("ada", "hella", "abe")
    with pytest.raises(DisputeRefused, match="give a reason"):
        name_committee(matches, CUP, NAMED, by="olga", reason="", at=START)


def test_without_members_a_head_arbiter_hears_appeals_again(matches: Matches) -> None:
    rule_as_art(matches)
    first = name_committee(matches, CUP, NAMED, by="olga", reason="As announced.", at=START)
    again = name_committee(matches, CUP, NAMED, by="olga", reason="As announced.", at=START)
    assert (first.version, again.version) == (1, 1)
    known = committee_of(matches, CUP)
    assert known is not None
    assert (known.members, known.by, known.event) == (NAMED, "olga", CUP)
    assert (committee_of(matches, ""), committee_of(matches, "other")) == (None, None)

    name_committee(matches, CUP, (), by="olga", reason="Two are ill.", at=START)

    assert committee_of(matches, CUP) is None
    assert matches.streams.get(COMMITTEE, committee_stream(CUP)).state.reason == "Two are ill."
    assert file_appeal(matches).state.hearing is None


def test_a_new_committee_for_one_appeal_starts_over(matches: Matches) -> None:
    rule_as_art(matches, start_running_match)
    with pytest.raises(DisputeSettled, match="only after an appeal"):
        name_appeal_committee(matches, D, NAMED, by="olga", reason="So.", at=START)
    file_appeal(matches)
    for person, why in (("art", "gave the ruling"), ("anna", "is not an arbiter")):
        with pytest.raises(CommitteeRefused, match=why):
            name_appeal_committee(matches, D, ("hella", "ada", person), by="olga", reason="So.", at=START)
    change_role(matches, "anna", "arbiter", by=SERVICE, granted=True, at=START)
    with pytest.raises(CommitteeRefused, match="plays in the match"):
        name_appeal_committee(matches, D, ("hella", "ada", "anna"), by="olga", reason="So.", at=START)
    first = name_appeal_committee(matches, D, NAMED, by="olga", reason="So.", at=START)
    assert name_appeal_committee(matches, D, NAMED, by="olga", reason="So.", at=START).version == first.version
    moves(matches, "ada", upheld=True)
    votes(matches, "ada", 1)

    seated = name_appeal_committee(matches, D, NAMED, by="olga", reason="Begin again.", at=START)

    assert seated.state.hearing == Hearing("olga", NAMED, "Begin again.")
    facts = [DISPUTE.read(record) for record in matches.streams.records(D)]
    assert sum(isinstance(fact, CommitteeSeated) for fact in facts) == 2, "what was voted before stays in the records"
    moves(matches, "ada", upheld=True)
    for person in NAMED:
        votes(matches, person, 1)
    announces(matches)
    with pytest.raises(DisputeSettled):
        name_appeal_committee(matches, D, NAMED, by="olga", reason="Once more.", at=START)


@given(st.integers(3, 7), st.lists(st.tuples(st.integers(0, 6), st.integers(1, 3)), max_size=20))
def test_a_decision_needs_a_majority_or_half_with_the_chair(count: int, cast: list[tuple[int, int]]) -> None:
    members = tuple(f"p{number}" for number in range(count))
    newest = {f"p{member % count}": motion for member, motion in cast}
    hearing = Hearing("olga", members, votes=tuple(Vote(by, motion, "", START) for by, motion in newest.items()))
    voices = {motion: sum(each == motion for each in newest.values()) for motion in (1, 2, 3)}
    with_most = [motion for motion in voices if 2 * voices[motion] > count]
    halves = [motion for motion in voices if 2 * voices[motion] == count]

    expected = with_most[0] if with_most else newest["p0"] if len(halves) == 2 else 0

    assert hearing.decided_motion == expected
