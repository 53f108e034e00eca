"""Distribution of prizes by each rule, and refusals."""

import pytest

from domain.contests.errors import PlanRefused
from domain.contests.prizes import Award, Prize, Prizes, SplitRule, awards, check_prizes
from domain.leagues.plan import LeagueRefused
from domain.leagues.prizes import set_prizes
from domain.standings.contest import Stage
from domain.standings.ranking import Standing
from domain.tournaments import facts, registration
from domain.tournaments.errors import TournamentRefused
from tests.domain.leagues.test_leagues import Story as SeasonStory
from tests.domain.tournaments.building import BY, Story

SWISS = (Stage("swiss", 3),)
MONEY = (Prize(100, "Cup"), Prize(50), Prize(20, "Book"), Prize(10))


def row(entry: str, rank: int, points: int, stage: int = 0) -> Standing:
    return Standing(entry, rank, points, (), 3, 0, 0, 0, stage)


TIED = (row("a", 1, 9), row("b", 2, 9), row("c", 3, 9), row("d", 4, 5), row("e", 5, 4), row("f", 6, 3))


def distribute_prizes(
    split: SplitRule, rows: tuple[Standing, ...] = TIED, stages: tuple[Stage, ...] = SWISS
) -> list[Award]:
    return list(awards(Prizes(places=MONEY, split=split), stages, rows))


def test_ties_share_amounts_and_the_remainder_follows_tie_breaks() -> None:
    assert distribute_prizes("shared") == [
        Award("a", 1, 57, "Cup"),
        Award("b", 2, 57),
        Award("c", 3, 56, "Book"),
        Award("d", 4, 10),
    ]


def test_broken_ties_get_their_own_prizes_and_shared_ranks_share() -> None:
    assert [award.amount for award in distribute_prizes("broken")] == [100, 50, 20, 10]
    same = (row("a", 1, 9), row("b", 1, 9), row("c", 3, 5))
    assert [award.amount for award in distribute_prizes("broken", same)] == [75, 75, 20]


def test_each_tied_player_gets_the_best_prize() -> None:
    assert [(award.amount, award.name) for award in distribute_prizes("each")] == [
        (100, "Cup"),
        (100, "Cup"),
        (100, "Cup"),
        (10, ""),
    ]


def test_in_a_final_places_decide_despite_equal_points() -> None:
    stages = (*SWISS, Stage("final"))
    final = (row("a", 1, 9, 1), row("b", 2, 9, 1), row("c", 3, 9), row("d", 4, 9))

    assert [award.amount for award in distribute_prizes("shared", final, stages)] == [100, 50, 15, 15]


def test_a_tie_beyond_the_last_prize_shares_the_rest() -> None:
    rows = (row("a", 1, 9), row("b", 2, 8), row("c", 3, 7), row("d", 4, 6), row("e", 5, 6))

    assert [award.amount for award in distribute_prizes("shared", rows)] == [100, 50, 20, 5, 5]
    assert distribute_prizes("shared", ()) == []


def test_rising_prizes_are_refused_and_late_changes_need_a_reason() -> None:
    with pytest.raises(PlanRefused, match="a place cannot get more than the previous one"):
        check_prizes(Prizes(places=(Prize(1), Prize(2))))
    story, prizes = Story(4), Prizes(places=MONEY, currency="€")
    story.take(*registration.set_prizes(story.state, prizes, BY, ""))
    assert story.state.prizes == prizes
    assert registration.set_prizes(story.state, prizes, BY, "") == ()
    story.pair().publish()
    with pytest.raises(TournamentRefused, match="a change of prizes after the start needs a reason"):
        registration.set_prizes(story.state, Prizes(), BY, "")
    assert registration.set_prizes(story.state, Prizes(), BY, "Stolen.") == (facts.PrizesSet(BY, Prizes(), "Stolen."),)


def test_a_season_has_prizes_for_its_divisions_only() -> None:
    story = SeasonStory()
    story.season("Spring", "abcdefg")
    with pytest.raises(LeagueRefused, match="the season has divisions 1 to 2, not 3"):
        set_prizes(story.league, "org", 2, Prizes(), "")
    story.adds(*set_prizes(story.league, "org", 1, Prizes(places=MONEY), ""))

    assert [story.league.seasons[0].prizes_of(number).places for number in range(3)] == [(), MONEY, ()]


@pytest.mark.parametrize("prizes", [Prizes(currency="\n€"), Prizes(places=(Prize(1), Prize(1, "Cup\u202e")))])
def test_currency_and_prizes_are_one_line(prizes: Prizes) -> None:
    with pytest.raises(PlanRefused, match="contains a character that is not allowed:"):
        check_prizes(prizes)
