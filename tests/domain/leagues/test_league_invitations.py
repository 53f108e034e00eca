"""Accounts that others enter in a league take part once they have accepted."""

from domain.leagues import facts
from tests.domain.leagues.test_leagues import Story


def test_only_those_who_entered_or_took_a_place_themselves_have_accepted_for_that_season() -> None:
    story = Story()
    story.season("Spring", "abc")
    story.adds(facts.SubstituteNamed("org", 0, 0, "x", 1), facts.SubstituteNamed("y", 0, 1, "y", 1))
    story.adds(facts.SeasonClosed("org"), facts.SeasonOpened("org", "Autumn"), facts.PlayerEntered("org", "b", 0))

    league = story.league
    assert [actor for actor in "abcxy" if league.has_accepted(actor, 1)] == ["a", "b", "c", "y"]
    assert [actor for actor in "abcxy" if league.has_accepted(actor, 2)] == []
