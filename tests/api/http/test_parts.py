"""Parts of pages: rendered once for equal values in one language, from those values only."""

from collections.abc import Callable
from typing import Any

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined
from jinja2.exceptions import UndefinedError

from api.http.languages import add_localisation, use_language
from api.http.parts import PagePart, install_part_cache

TEMPLATES = {
    "page.html": "{{ draw_part(part, names) }}",
    "farm.html": "{{ _('Farms') }} {{ pigs }} {{ names | join(' ') }}",
    "greedy.html": "{{ hand }}",
}


@pytest.fixture
def page() -> Callable[..., str]:
    environment = Environment(loader=DictLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    add_localisation(environment)
    install_part_cache(environment)
    return environment.get_template("page.html").render


@pytest.fixture
def rendered_pigs() -> list[int]:
    return []


@pytest.fixture
def farm(rendered_pigs: list[int]) -> Callable[[int], PagePart]:
    def context(pigs: int) -> dict[str, Any]:
        rendered_pigs.append(pigs)
        return {"pigs": pigs}

    return lambda pigs: PagePart("farm.html", context, (pigs,))


def test_equal_values_are_rendered_once(
    page: Callable[..., str], farm: Callable[[int], PagePart], rendered_pigs: list[int]
) -> None:
    first = page(part=farm(3), names=("Ann",))

    assert page(part=farm(3), names=("Ann",)) == first == "Farms 3 Ann"
    assert rendered_pigs == [3]


def test_other_values_names_or_languages_are_rendered_again(
    page: Callable[..., str], farm: Callable[[int], PagePart], rendered_pigs: list[int]
) -> None:
    page(part=farm(3), names=("Ann",))

    assert page(part=farm(4), names=("Ann",)) == "Farms 4 Ann"
    assert page(part=farm(3), names=("Ben",)) == "Farms 3 Ben"
    with use_language("de"):
        assert page(part=farm(3), names=("Ann",)) == "Höfe 3 Ann"
    assert rendered_pigs == [3, 4, 3, 3]


def test_names_are_escaped(page: Callable[..., str], farm: Callable[[int], PagePart]) -> None:
    assert page(part=farm(3), names=("<b>",)) == "Farms 3 &lt;b&gt;"


def test_a_part_does_not_see_the_variables_of_its_page(page: Callable[..., str]) -> None:
    with pytest.raises(UndefinedError, match="hand"):
        page(part=PagePart("greedy.html", dict, ()), names=(), hand="secret")
