"""The written-out update equals the package's to the last bit."""

from random import Random

import hypothesis
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from domain.ratings.ladder import Ladder, Pool
from domain.ratings.model import Skill
from domain.ratings.plackett_luce import PLACKETT_LUCE
from domain.ratings.recount import ladders_of
from domain.ratings.update import QUICK, update_skills
from tests.domain.ratings.test_ratings import result

PACKAGE = PlackettLuce()


def rate_by_package(skills: list[Skill], places: list[int]) -> list[tuple[str, str]]:
    """Return the package's results with new rating objects, as exact bits."""
    teams = [[PACKAGE.rating(mu=skill.mean, sigma=skill.deviation)] for skill in skills]
    return [(one.mu.hex(), one.sigma.hex()) for (one,) in PACKAGE.rate(teams, ranks=[*places])]


def bits(skills: tuple[Skill, ...]) -> list[tuple[str, str]]:
    return [(skill.mean.hex(), skill.deviation.hex()) for skill in skills]


@st.composite
def matches(draw: st.DrawFn) -> tuple[list[Skill], list[int]]:
    """Generate two to eight players of any skill, at places that may be shared."""
    count = draw(st.integers(2, 8))
    skill = st.builds(Skill, st.floats(-100, 200), st.floats(0.01, 30))
    skills = draw(st.lists(skill, min_size=count, max_size=count))
    return skills, draw(
        st.one_of(st.permutations(range(1, count + 1)), st.lists(st.integers(1, count), min_size=count, max_size=count))
    )


@hypothesis.settings(max_examples=300, deadline=None)
@hypothesis.given(matches())
def test_the_update_equals_the_packages(match: tuple[list[Skill], list[int]]) -> None:
    skills, places = match

    assert bits(update_skills(skills, places)) == rate_by_package(skills, places)


def test_the_update_equals_the_packages_in_long_seasons() -> None:
    """A rounding difference in a match would show in all later ones."""
    random = Random(11)
    skills = [QUICK.start()] * 12
    for _ in range(2_000):
        seated = random.sample(range(12), random.randint(2, 5))
        places = [
            random.randint(1, len(seated)) if random.random() < 0.3 else place + 1 for place in range(len(seated))
        ]
        before = [skills[player] for player in seated]
        after = update_skills(before, places)
        assert bits(after) == rate_by_package(before, places)
        for player, skill in zip(seated, after, strict=True):
            skills[player] = skill


def test_a_deviation_stays_positive() -> None:
    skills = [Skill(-2_000.0, 300.0), Skill(2_000.0, 300.0)]

    assert bits(update_skills(skills, [1, 2])) == rate_by_package(skills, [1, 2])


def test_a_recount_equals_the_packages_ratings() -> None:
    results = [result(number, "abcd"[number % 2 :], (1, 2, 2, 1)[: 4 - number % 2]) for number in range(1, 40)]
    ladders = {Pool("toy", 3): Ladder(PLACKETT_LUCE), Pool("toy", 4): Ladder(PLACKETT_LUCE)}
    for rated in results:
        ladders[rated.pool].rate_result(rated)

    assert {pool: ladder.rated for pool, ladder in ladders_of(PLACKETT_LUCE, results).items()} == {
        pool: ladder.rated for pool, ladder in ladders.items()
    }
