"""League plans state every option; stored ones without some keep their meaning."""

from typing import Any

import pytest

from domain.kernel.values import replace
from domain.leagues import facts, seasons
from domain.leagues.plan import Division, LeagueRefused, check_league
from tests.domain.leagues.test_leagues import NO_RESULTS, PLAN, Story


def test_a_stored_plan_without_some_options_keeps_its_meaning() -> None:
    """EG-26.1, EG-26.2: old plans of leagues and seasons mean the cards of 2006."""
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
    ("name", "message"),
    [
        (" One ", "already has a season named"),
        ("O\u00adNE", "already has a season named"),
        ("Two\n", "contains a character"),
    ],
)
def test_a_season_has_a_unique_name_on_one_line(name: str, message: str) -> None:
    story = Story()
    story.season("One", "abcdefg")
    closed = replace(story.league, seasons=(replace(story.league.seasons[0], status="closed"),))

    with pytest.raises(LeagueRefused, match=message):
        seasons.open_season(closed, "org", name)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"divisions": (Division("A"), Division(" A"))}, "the same name"),
        ({"name": "Liga\n"}, "the name of the league contains a character"),
        ({"divisions": (Division("A\u202e"),)}, "a division contains a character"),
    ],
)
def test_names_of_a_league_are_distinct_single_lines(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(LeagueRefused, match=message):
        check_league(replace(PLAN, **changes))
