"""The plan of a league states its options; one from before that leaves some out means what it meant."""

from domain.kernel.values import replace
from domain.leagues import facts, seasons
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
