"""Accounts that others enter take part once they have accepted."""

from domain.tournaments import facts
from tests.domain.tournaments.building import BY, Story


def test_only_those_who_entered_came_back_or_took_a_seat_themselves_have_accepted() -> None:
    entered = facts.EntryMade("ann", "e1", "ann")
    story = Story(size=2).take(entered, facts.EntryMade(BY, "e2", "ben"), facts.EntryMade(BY, "e3", "", "Jana"))
    story.take(
        facts.EntryMade(BY, "e4", "cleo"), facts.EntryWithdrawn(BY, "e4", "Ill."), facts.EntryReturned("cleo", "e4")
    )
    story.set(("e1", "e2"), ("e3", "e4")).take(
        facts.SubstituteNamed(BY, 1, "e1", "dora"), facts.SubstituteNamed("emil", 1, "e2", "emil")
    )

    accepted = [actor for actor in ("ann", "ben", "cleo", "dora", "emil", "") if story.state.has_accepted(actor)]
    assert accepted == ["ann", "cleo", "emil"]
