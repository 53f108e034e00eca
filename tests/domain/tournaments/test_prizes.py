"""Prizes: who gets what where places are shared, by each of the rules, and what is refused."""

import pytest

from domain.standings.contest import Stage
from domain.standings.ranking import Standing
from domain.tournaments import facts, registration
from domain.tournaments.errors import PlanRefused, TournamentRefused
from domain.tournaments.prizes import Award, Prize, Prizes, SplitRule, awards, check_prizes
from tests.domain.tournaments.building import BY, Story

SWISS = (Stage("swiss", 3),)
MONEY = (Prize(100, "Cup"), Prize(50), Prize(20, "Book"), Prize(10))


def row(entry: str, rank: int, points: int, stage: int = 0) -> Standing:
    return Standing(entry, rank, points, (), 3, 0, 0, 0, stage)


TIED = (row("a", 1, 9), row("b", 2, 9), row("c", 3, 9), row("d", 4, 5), row("e", 5, 4), row("f", 6, 3))


def given(split: SplitRule, rows: tuple[Standing, ...] = TIED, stages: tuple[Stage, ...] = SWISS) -> list[Award]:
    return list(awards(Prizes(places=MONEY, split=split), stages, rows))


def test_equal_points_share_the_amounts_and_the_first_by_tie_breaks_have_what_is_left() -> None:
    assert given("shared") == [
        Award("a", 1, 57, "Cup"),
        Award("b", 2, 57),
        Award("c", 3, 56, "Book"),
        Award("d", 4, 10),
    ]


def test_ties_that_are_broken_give_each_their_own_prize_and_ranks_that_are_shared_stay_shared() -> None:
    assert [award.amount for award in given("broken")] == [100, 50, 20, 10]
    same = (row("a", 1, 9), row("b", 1, 9), row("c", 3, 5))
    assert [award.amount for award in given("broken", same)] == [75, 75, 20]


def test_each_of_those_who_share_a_place_gets_the_best_of_it() -> None:
    assert [(award.amount, award.name) for award in given("each")] == [
        (100, "Cup"),
        (100, "Cup"),
        (100, "Cup"),
        (10, ""),
    ]


def test_in_a_final_places_decide_and_equal_points_are_no_tie() -> None:
    stages = (*SWISS, Stage("final"))
    final = (row("a", 1, 9, 1), row("b", 2, 9, 1), row("c", 3, 9), row("d", 4, 9))

    assert [award.amount for award in given("shared", final, stages)] == [100, 50, 15, 15]


def test_a_tie_at_the_end_of_the_prizes_shares_what_there_is() -> None:
    rows = (row("a", 1, 9), row("b", 2, 8), row("c", 3, 7), row("d", 4, 6), row("e", 5, 6))

    assert [award.amount for award in given("shared", rows)] == [100, 50, 20, 5, 5]
    assert given("shared", ()) == []


def test_prizes_that_rise_are_refused_and_others_have_a_reason_once_a_round_is_public() -> None:
    with pytest.raises(PlanRefused, match="no place gets more"):
        check_prizes(Prizes(places=(Prize(1), Prize(2))))
    story, prizes = Story(4), Prizes(places=MONEY, currency="€")
    story.take(*registration.prizes_set(story.state, prizes, BY, ""))
    assert story.state.prizes == prizes
    assert registration.prizes_set(story.state, prizes, BY, "") == ()
    story.pair().publish()
    with pytest.raises(TournamentRefused, match="another prize of an event that has begun needs a reason"):
        registration.prizes_set(story.state, Prizes(), BY, "")
    assert registration.prizes_set(story.state, Prizes(), BY, "Stolen.") == (facts.PrizesSet(BY, Prizes(), "Stolen."),)


@pytest.mark.parametrize("prizes", [Prizes(currency="\n€"), Prizes(places=(Prize(1), Prize(1, "Cup\u202e")))])
def test_currency_and_prizes_are_one_line(prizes: Prizes) -> None:
    with pytest.raises(PlanRefused, match="holds a character that no short text may have"):
        check_prizes(prizes)
