"""Pairs at the same tables: planted colluders exceed the base rate, honest people do not."""

from random import Random

import pytest

from domain.integrity.base_rates import MATCHES_MIN, Comparison, Measure, rarity
from domain.integrity.pairs import PairComparisons, compare_pairs, deviations, meeting_figures, swaps_of
from domain.kernel.values import replace
from tests.domain.integrity.generated_matches import PEOPLE, even, make_match, season

HELPER, GAINER = "p03", "p07"


def standing(
    company: PairComparisons, measure: Measure, helper: str = HELPER, gainer: str = GAINER
) -> tuple[int, int, bool]:
    """Return the number of others as unusual, the number of others, and whether the figure is marked."""
    rows = [each.standings for each in company.helpings if (each.helper, each.gainer) == (helper, gainer)]
    rows += [each.standings for each in company.meetings if {each.one, each.two} == {helper, gainer}]
    (found,) = [each for standings in rows for each in standings if each.measure == measure]
    return found.beyond, found.count, found.stands_out


def giving(order: list[str], random: Random, _: int) -> list[str]:
    """Let the helper lose to the gainer in three of four tables."""
    if HELPER in order and GAINER in order and random.random() < 0.75:
        rest = [each for each in order if each not in (HELPER, GAINER)]
        return [GAINER, *rest, HELPER]
    return order


def test_a_player_who_loses_on_purpose_for_another_is_found() -> None:
    company = compare_pairs(season(700, giving), even)

    for measure in ("gain", "loss", "before"):
        assert standing(company, measure)[0] == 0
        assert standing(company, measure)[2]
        assert not standing(company, measure, GAINER, HELPER)[2]
    assert standing(company, "gain")[1] == len(PEOPLE) * (len(PEOPLE) - 1) - 2


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_honest_people_are_as_unusual_as_chance_predicts(seed: int) -> None:
    """The base rate always marks someone, but no figure is far beyond the others'."""
    company = compare_pairs(season(700, seed=seed), even)

    gains = [each for row in company.helpings for each in row.standings if each.measure == "gain"]
    marked = [each for each in gains if each.stands_out]
    assert len(gains) == len(PEOPLE) * (len(PEOPLE) - 1)
    assert len(marked) <= len(gains) // 50
    assert max(each.value for each in gains) < 450
    assert min(rarity(row.standings) for row in company.helpings)[0] <= 10_000


def trading(order: list[str], _: Random, number: int) -> list[str]:
    """Let two people win in turns whenever they meet."""
    if HELPER in order and GAINER in order:
        first, last = (HELPER, GAINER) if number % 2 else (GAINER, HELPER)
        return [first, *(each for each in order if each not in (HELPER, GAINER)), last]
    return order


def test_a_pair_that_wins_in_turns_is_found() -> None:
    turns = iter(range(10_000))

    def order(table: list[str], random: Random, number: int) -> list[str]:
        meets = HELPER in table and GAINER in table
        return trading(table, random, next(turns) if meets else number)

    beyond, _, stands_out = standing(compare_pairs(season(700, order), even), "swaps")
    assert (beyond, stands_out) == (0, True)


def test_a_player_who_leaves_so_that_another_wins_is_found() -> None:
    matches = [
        make_match(number, [person for seat in played.seats if (person := seat.person)], left=[HELPER])
        if {HELPER, GAINER} <= set(played.people)
        else played
        for number, played in enumerate(season(700, giving))
    ]
    company = compare_pairs(matches, even)

    assert standing(company, "left")[0] == 0
    assert standing(company, "left")[2]
    assert not standing(company, "left", GAINER, HELPER)[2]


def test_a_pair_that_meets_by_choice_is_found_but_not_at_tables_of_an_organiser() -> None:
    more = [
        make_match(5_000 + number, [HELPER, GAINER, PEOPLE[number % 3], PEOPLE[4 + number % 3]])
        for number in range(120)
    ]
    seated = [
        make_match(5_000 + number, [seat.person for seat in each.seats], event="cup")
        for number, each in enumerate(more)
    ]

    beyond, _, stands_out = standing(compare_pairs([*season(700), *more], even), "together")
    assert (beyond, stands_out) == (0, True)
    assert standing(compare_pairs([*season(700), *seated], even), "together")[0] > 0


def test_ratings_set_the_expectation() -> None:
    """A much stronger player gains nothing unusual by winning."""

    def giant(title: str, seats: int, one: str, two: str) -> int:
        return even(title, seats, one, two) if GAINER not in (one, two) else 950 if one == GAINER else 50

    def wins(order: list[str], random: Random, _: int) -> list[str]:
        first = random.random() < 0.9
        return sorted(order, key=lambda each: each != GAINER) if first and GAINER in order else order

    matches = season(700, wins)
    by_rating = [each for each in compare_pairs(matches, giant).helpings if each.gainer == GAINER]
    unrated = [each for each in compare_pairs(matches, even).helpings if each.gainer == GAINER]
    assert all(gain(each.standings) > 400 for each in unrated)
    assert all(abs(gain(each.standings)) < 400 for each in by_rating)


def gain(standings: tuple[Comparison, ...]) -> int:
    (found,) = [each.value for each in standings if each.measure == "gain"]
    return found


def test_pairs_that_met_too_rarely_and_too_few_pairs_have_no_figures() -> None:
    few = [make_match(number, ["a", "b", "c"]) for number in range(MATCHES_MIN)]
    assert compare_pairs(few, even) == PairComparisons((), ())
    assert compare_pairs(few[1:], even) == PairComparisons((), ())


def test_a_table_of_two_has_no_third_and_bots_do_not_count() -> None:
    duels = [
        make_match(number, [PEOPLE[number % 14], PEOPLE[(number + 1 + number // 14) % 14], None])
        for number in range(1_100)
    ]
    duels = [each for each in duels if len(set(each.people)) == 2]
    comparison = compare_pairs(duels, even)
    assert {each.measure for row in comparison.helpings for each in row.standings} == {"before", "left"}


def test_shared_places_count_for_neither() -> None:
    shared = [
        replace(each, seats=tuple(replace(seat, place=1) for seat in each.seats))
        for each in (make_match(number, ["a", "b"]) for number in range(9))
    ]
    assert swaps_of("a", "b", shared, even) is None
    assert meeting_figures(("a", "b"), shared, even, {"a": 9, "b": 9}) == {}


def test_differences_are_capped_with_either_sign() -> None:
    assert deviations(10**9, 0) == 1_000_000
    assert deviations(-(10**9), 1) == -1_000_000
    assert deviations(-1_500, 1_000_000) == -150
