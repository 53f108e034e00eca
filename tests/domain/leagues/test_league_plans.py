"""The plan of a league states its options; one from before that leaves some out means what it meant."""

from typing import Any

import pytest

from domain.kernel.values import replace
from domain.leagues import facts, seasons
from domain.leagues.plan import Division, LeagueRefused, check_league
from tests.domain.leagues.test_leagues import NO_RESULTS, PLAN, Story


def test_a_stored_plan_that_leaves_options_out_means_what_it_meant() -> None:
    """EG-26.1, EG-26.2: of the league and of its season; those of before are about the cards of 2006."""
    silent = replace(PLAN, title="el_grande")
    story = Story(silent)
    assert story.league.plan.options == {"cards": "2006"}
    story.adds(seasons.open_season(story.league, "org", "One"))
    for player in "abcdefg":
        story.adds(seasons.enter(story.league, player, player, 0, is_organiser=False))
    story.adds(replace(seasons.draw(story.league, "org", NO_RESULTS), plan=silent))
    story.adds(facts.LeaguePlanChanged("org", replace(silent, options={"cards": "2023"})))
    assert story.league.plan.options == {"cards": "2023"}
    story.adds(facts.LeaguePlanChanged("org", silent))

    assert story.league.plan.options == {"cards": "2006"}
    season = story.league.seasons[-1].plan
    assert season is not None
    assert season.options == {"cards": "2006"}


@pytest.mark.parametrize(
    ("name", "words"),
    [(" One ", "there was a season"), ("O\u00adNE", "there was a season"), ("Two\n", "holds a character")],
)
def test_a_season_has_a_name_of_its_own_on_one_line(name: str, words: str) -> None:
    story = Story()
    story.season("One", "abcdefg")
    closed = replace(story.league, seasons=(replace(story.league.seasons[0], status="closed"),))

    with pytest.raises(LeagueRefused, match=words):
        seasons.open_season(closed, "org", name)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"divisions": (Division("A"), Division(" A"))}, "the same name"),
        ({"name": "Liga\n"}, "the name of the league holds a character"),
        ({"divisions": (Division("A\u202e"),)}, "a division holds a character"),
    ],
)
def test_names_of_a_league_are_different_lines(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(LeagueRefused, match=words):
        check_league(replace(PLAN, **changes))
