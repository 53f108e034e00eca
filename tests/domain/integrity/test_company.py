"""Two at the same tables: planted colluders are found above the base rate, and honest people are not."""

from random import Random

import pytest

from domain.integrity.base import MATCHES_MIN, Measure, Standing, rarity
from domain.integrity.company import Company, company_of, deviations, meeting_figures, swaps_of
from domain.kernel.values import replace
from tests.domain.integrity.made import PEOPLE, even, made, season

HELPER, GAINER = "p03", "p07"


def standing(company: Company, measure: Measure, helper: str = HELPER, gainer: str = GAINER) -> tuple[int, int, bool]:
    """How many others are as far out, of how many, and whether it is marked."""
    rows = [each.standings for each in company.helpings if (each.helper, each.gainer) == (helper, gainer)]
    rows += [each.standings for each in company.meetings if {each.one, each.two} == {helper, gainer}]
    (found,) = [each for standings in rows for each in standings if each.measure == measure]
    return found.beyond, found.count, found.stands_out


def giving(order: list[str], random: Random, _: int) -> list[str]:
    """At tables of both, the helper throws the match for the other three times out of four."""
    if HELPER in order and GAINER in order and random.random() < 0.75:
        rest = [each for each in order if each not in (HELPER, GAINER)]
        return [GAINER, *rest, HELPER]
    return order


def test_who_throws_matches_for_another_is_found() -> None:
    company = company_of(season(700, giving), even)

    for measure in ("gain", "loss", "before"):
        assert standing(company, measure)[0] == 0
        assert standing(company, measure)[2]
        assert not standing(company, measure, GAINER, HELPER)[2]
    assert standing(company, "gain")[1] == len(PEOPLE) * (len(PEOPLE) - 1) - 2


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_among_honest_people_the_tails_are_as_full_as_chance_fills_them(seed: int) -> None:
    """Somebody always stands outermost; that is what the base rate says, and no figure is far beyond the others'."""
    company = company_of(season(700, seed=seed), even)

    gains = [each for row in company.helpings for each in row.standings if each.measure == "gain"]
    marked = [each for each in gains if each.stands_out]
    assert len(gains) == len(PEOPLE) * (len(PEOPLE) - 1)
    assert len(marked) <= len(gains) // 50
    assert max(each.value for each in gains) < 450
    assert min(rarity(row.standings) for row in company.helpings)[0] <= 10_000


def trading(order: list[str], _: Random, number: int) -> list[str]:
    """Two who win in turns whenever they meet."""
    if HELPER in order and GAINER in order:
        first, last = (HELPER, GAINER) if number % 2 else (GAINER, HELPER)
        return [first, *(each for each in order if each not in (HELPER, GAINER)), last]
    return order


def test_who_win_in_turns_is_found() -> None:
    turns = iter(range(10_000))

    def order(table: list[str], random: Random, number: int) -> list[str]:
        meets = HELPER in table and GAINER in table
        return trading(table, random, next(turns) if meets else number)

    beyond, _, stands_out = standing(company_of(season(700, order), even), "swaps")
    assert (beyond, stands_out) == (0, True)


def test_who_leaves_so_that_the_other_wins_is_found() -> None:
    matches = [
        made(number, [person for seat in played.seats if (person := seat.person)], left=[HELPER])
        if {HELPER, GAINER} <= set(played.people)
        else played
        for number, played in enumerate(season(700, giving))
    ]
    company = company_of(matches, even)

    assert standing(company, "left")[0] == 0
    assert standing(company, "left")[2]
    assert not standing(company, "left", GAINER, HELPER)[2]


def test_who_seek_each_other_out_is_found_but_not_at_tables_of_an_organiser() -> None:
    more = [made(5_000 + number, [HELPER, GAINER, PEOPLE[number % 3], PEOPLE[4 + number % 3]]) for number in range(120)]
    seated = [
        made(5_000 + number, [seat.person for seat in each.seats], event="cup") for number, each in enumerate(more)
    ]

    beyond, _, stands_out = standing(company_of([*season(700), *more], even), "together")
    assert (beyond, stands_out) == (0, True)
    assert standing(company_of([*season(700), *seated], even), "together")[0] > 0


def test_ratings_say_what_was_to_be_expected() -> None:
    """Who is known to be much stronger gains nothing unusual by winning."""

    def giant(title: str, seats: int, one: str, two: str) -> int:
        return even(title, seats, one, two) if GAINER not in (one, two) else 950 if one == GAINER else 50

    def wins(order: list[str], random: Random, _: int) -> list[str]:
        first = random.random() < 0.9
        return sorted(order, key=lambda each: each != GAINER) if first and GAINER in order else order

    matches = season(700, wins)
    by_rating = [each for each in company_of(matches, giant).helpings if each.gainer == GAINER]
    unrated = [each for each in company_of(matches, even).helpings if each.gainer == GAINER]
    assert all(gain(each.standings) > 400 for each in unrated)
    assert all(abs(gain(each.standings)) < 400 for each in by_rating)


def gain(standings: tuple[Standing, ...]) -> int:
    (found,) = [each.value for each in standings if each.measure == "gain"]
    return found


def test_who_met_too_seldom_and_too_few_pairs_are_not_spoken_of() -> None:
    few = [made(number, ["a", "b", "c"]) for number in range(MATCHES_MIN)]
    assert company_of(few, even) == Company((), ())
    assert company_of(few[1:], even) == Company((), ())


def test_two_at_a_table_alone_have_no_third_and_bots_are_none() -> None:
    duels = [
        made(number, [PEOPLE[number % 14], PEOPLE[(number + 1 + number // 14) % 14], None]) for number in range(1_100)
    ]
    duels = [each for each in duels if len(set(each.people)) == 2]
    found = company_of(duels, even)
    assert {each.measure for row in found.helpings for each in row.standings} == {"before", "left"}


def test_shared_places_decide_nothing() -> None:
    shared = [
        replace(each, seats=tuple(replace(seat, place=1) for seat in each.seats))
        for each in (made(number, ["a", "b"]) for number in range(9))
    ]
    assert swaps_of("a", "b", shared, even) is None
    assert meeting_figures(("a", "b"), shared, even, {"a": 9, "b": 9}) == {}


def test_nothing_is_given_as_greater_than_the_cap_whichever_its_sign() -> None:
    assert deviations(10**9, 0) == 1_000_000
    assert deviations(-(10**9), 1) == -1_000_000
    assert deviations(-1_500, 1_000_000) == -150
