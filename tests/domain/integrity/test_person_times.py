"""A person's times compared with everyone else's: unusual ones are found, usual ones are not."""

from random import Random

from domain.integrity.base_rates import MATCHES_MIN, OTHERS_MIN
from domain.integrity.measured_matches import MeasuredMatch
from domain.integrity.person_times import match_times, times_by_person
from domain.integrity.thinking import Pace
from tests.domain.integrity.generated_matches import make_match

MANY = tuple(f"p{number:03}" for number in range(OTHERS_MIN + 10))
EVEN = Pace(30, 4_000, 100, 0, 500)


def human(random: Random) -> Pace:
    return Pace(
        30, random.randint(3_000, 9_000), random.randint(800, 1_600), random.randint(50, 300), random.randint(550, 750)
    )


def club(even: str = "", matches: int = MATCHES_MIN, people: tuple[str, ...] = MANY) -> list[MeasuredMatch]:
    """Return matches of everyone; `even` plays as evenly as a machine."""
    random = Random(3)
    return [
        make_match(number * 1_000 + index, [person, None], pace=EVEN if person == even else human(random))
        for number in range(matches)
        for index, person in enumerate(people)
    ]


def test_an_even_thinker_is_unusual_and_the_number_of_others_is_given() -> None:
    found = {each.person: each for each in times_by_person(club(even="p007"))}

    spread = next(each for each in found["p007"].standings if each.measure == "spread")
    assert (spread.value, spread.count, spread.beyond, spread.stands_out) == (100, len(MANY) - 1, 0, True)
    assert found["p007"].matches == MATCHES_MIN
    assert not any(
        standing.stands_out and standing.measure == "spread"
        for person, each in found.items()
        if person != "p007"
        for standing in each.standings
    )


def test_too_few_matches_or_others_give_no_figures() -> None:
    assert len(times_by_person(club())) == len(MANY)
    assert times_by_person(club(matches=MATCHES_MIN - 1)) == ()
    assert times_by_person(club(people=MANY[:OTHERS_MIN])) == ()
    assert len(times_by_person(club(people=MANY[: OTHERS_MIN + 1]))) == OTHERS_MIN + 1


def test_a_match_lists_only_people_with_enough_matches() -> None:
    matches = club(even="p007")
    (sitting,) = match_times(matches, matches[7])

    assert (sitting.person, sitting.decisions) == ("p007", EVEN.decisions)
    assert {each.measure for each in sitting.standings if each.stands_out} == {"spread", "quick", "fit"} - {"quick"}
    assert all(each.count == (len(MANY) - 1) * MATCHES_MIN for each in sitting.standings)
    assert match_times(matches[: len(MANY)], matches[7]) == ()
    assert match_times(matches, make_match(9, ["somebody", None])) == ()
    few = club(people=MANY[:2])
    assert match_times(few, few[0]) == ()
