"""Which entries are possible, and which records people write about their own entry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from domain.kernel.values import replace
from domain.standings.contest import Stage
from domain.tournaments import facts, registration
from domain.tournaments.contest_facts import AbsencesStated
from domain.tournaments.derivation import (
    is_own,
)
from domain.tournaments.invitation_facts import PersonInvited
from tests.domain.tournaments.building import BY
from tests.domain.tournaments.test_derivation import impossible, story


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda entered: replace(entered, entry="e1"), "'e1' has already entered"),
        (lambda entered: replace(entered, actor="p1"), "'p1' has already entered"),
        (lambda entered: replace(entered, waiting=False), "e3 has a place against the plan"),
        (lambda entered: entered, ""),
        (lambda entered: replace(entered, actor=""), ""),
    ],
)
def test_an_entry_is_new_and_waits_if_no_place_is_free(change: Callable[[Any], Any], why: str) -> None:
    told = story(2, cap=2)
    assert impossible(told, change(facts.EntryMade("p3", "e3", "p3", waiting=True))) == why
    assert "waits against" in impossible(story(2), facts.EntryMade("p3", "e3", "p3", waiting=True))


def test_the_first_that_waits_gets_a_free_place() -> None:
    told = story(4, cap=2)
    assert "has no place" in impossible(told, facts.EntryPromoted("e3"))
    told.take(facts.EntryWithdrawn("p1", "e1"))
    assert impossible(told, facts.EntryPromoted("e3")) == ""
    assert "not the first" in impossible(told, facts.EntryPromoted("e4"))


def test_after_the_end_only_results_penalties_and_absences_are_corrected() -> None:
    told = story(2, stages=(Stage("swiss", 1),)).play()
    assert told.state.status == "ended"
    assert "after the end only" in impossible(told, facts.PlanChanged(BY, told.state.plan))
    assert "after the end only" in impossible(told, facts.EntryWithdrawn("p1", "e1"))
    assert "after the end only" in impossible(told, facts.EntryPromoted("e1"))
    assert impossible(told, facts.PenaltyGiven(BY, "e1", 60, "late")) == ""
    assert impossible(told, facts.Announced(BY, "Thank you")) == ""


def test_people_decide_about_their_own_entry_only() -> None:
    told = story(2)
    own = facts.EntryMade("p3", "e3", "p3")
    assert is_own(told.state, own)
    assert not is_own(told.state, replace(own, by=BY))
    assert not is_own(told.state, replace(own, seeding=1))
    assert is_own(told.state, facts.EntryWithdrawn("p1", "e1"))
    assert not is_own(told.state, facts.EntryWithdrawn("p2", "e1"))
    assert not is_own(told.state, facts.EntryReturned("p2", "e9"))
    assert is_own(told.state, AbsencesStated("p1", "e1", (2,)))
    assert not is_own(told.state, AbsencesStated("p1", "e2", (2,)))
    assert not is_own(told.state, AbsencesStated("p1", "e9", (2,)))
    assert not is_own(told.state, facts.PenaltyGiven("p1", "e1", -60, "me"))
    assert not is_own(told.state, facts.EntryMade("bot:x@1", "e3", "bot:x@1"))
    assert not is_own(told.state, facts.EntryMade("", "e3", name="Ann"))
    closed = story(0, registration="invite")
    assert not is_own(closed.state, own)
    assert is_own(closed.take(PersonInvited(BY, "p3")).state, own)
    late = story(2, late_entry=False)
    assert is_own(late.state, own)
    assert not is_own(late.pair().state, own)


def test_a_substitute_takes_the_seat_by_invitation() -> None:
    told = story(2).pair().publish()
    named = facts.SubstituteNamed("sue", 1, "e1", "sue", "ill")
    assert not is_own(told.state, named)
    assert not is_own(told.state, replace(named, entry="e9"))
    told.take(PersonInvited(BY, "sue", entry="e1", round=1, reason="ill"))
    assert is_own(told.state, named)
    assert not is_own(told.state, replace(named, by="p2"))
    told.take(named, PersonInvited(BY, "p1", entry="e1", round=1, reason="well"))
    assert is_own(told.state, facts.SubstituteNamed("p1", 1, "e1", reason="well"))


def test_a_withdrawal_promotes_only_into_a_free_place() -> None:
    told = story(4, cap=3)
    told.take(facts.PlanChanged(BY, replace(told.state.plan, cap=2)))

    assert registration.withdraw(told.state, "e1", "p1") == (facts.EntryWithdrawn("p1", "e1"),)
