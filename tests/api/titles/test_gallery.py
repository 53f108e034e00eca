"""Cards, tiles and buildings in large: each has an address, and none shows its provenance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from litestar.testing import TestClient

from api.http.languages import LANGUAGES
from api.titles.drawing import load_drawings
from api.titles.el_grande.gallery import address_in
from api.titles.gallery import Gallery, example_of, read_examples
from domain.titles import TITLES
from domain.titles.el_grande.decks import CARDS
from ops.dev import examples
from tests.api.service import settings_in
from tests.seeding import IS_EXPLORING, entropy
from tests.service_app import create_app

DRAWN: Final = {name: each.gallery for name, each in load_drawings(TITLES).items() if each.gallery}
INNER: Final = re.compile(
    r"found:|github|dized|copies|working title|placeholder|\bs\d-[a-z]+|reconstructed", re.IGNORECASE
)
"""Provenance words that only developers of this project understand."""
SHOWN_AT: Final = re.compile(r'data-beside(?:="| href=")/cards/\w+(?:\?[^"#]*)?#([\w-]+)"')

titles = pytest.mark.parametrize("title", DRAWN)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Any]]:
    with TestClient(create_app(settings_in(tmp_path_factory.mktemp("cards")), entropy())) as client:
        yield client


def gallery_of(title: str) -> tuple[Gallery, tuple[Any, ...]]:
    gallery = DRAWN[title]
    return gallery, gallery.things(TITLES[title].rules.options({}).chosen)


def extract_text(html: str) -> str:
    """Return the visible text of a page without addresses, scripts and the final list of sources."""
    return re.sub(r"<[^>]+>", " ", html.partition("<main")[2].partition('id="sources"')[0])


@titles
def test_every_thing_has_its_own_address(site: TestClient[Any], title: str) -> None:
    _, things = gallery_of(title)

    for thing in things if IS_EXPLORING else things[::7]:
        piece = site.get(f"/cards/{title}/{thing.id}")
        assert piece.status_code == 200, thing.id
        assert f'href="/cards/{title}#' in piece.text
    assert len({thing.id for thing in things}) == len(things)
    assert site.get(f"/cards/{title}/card-none").status_code == 404


@titles
@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_show_no_provenance(site: TestClient[Any], title: str, language: str) -> None:
    page = site.get(f"/cards/{title}", headers={"Accept-Language": language})
    first = gallery_of(title)[1][0]
    piece = site.get(f"/cards/{title}/{first.id}", headers={"Accept-Language": language})

    assert not INNER.findall(extract_text(page.text))
    assert not INNER.findall(re.sub(r"<[^>]+>", " ", piece.text))
    assert 'id="sources"' in page.text


@titles
def test_a_page_shows_identical_cards_once_and_links_to_large_forms(site: TestClient[Any], title: str) -> None:
    page = site.get(f"/cards/{title}").text
    ids = re.findall(r'class="shown-card" id="([\w-]+)"', page)
    _, things = gallery_of(title)

    assert len(ids) == len(set(ids))
    assert {thing.alike[0] if thing.alike else thing.id for thing in things} == set(ids)
    assert set(SHOWN_AT.findall(page)) <= {thing.id for thing in things}


def test_every_action_card_of_both_sets_has_its_own_address() -> None:
    _, things = gallery_of("el_grande")
    ids = {thing.id for thing in things}

    for name, deck in CARDS.items():
        for card in deck:
            assert address_in(name, card) in ids


@titles
def test_examples_exist_for_most_things_and_for_no_others(title: str) -> None:
    gallery, things = gallery_of(title)
    known = {id for thing in things for id in (thing.id, *thing.seen_as)}

    assert set(read_examples(gallery.examples)) <= known
    with_example = [thing for thing in things if example_of(gallery, thing)]
    assert len(with_example) > 0.7 * len([thing for thing in things if not thing.id.startswith("power-")])


@pytest.mark.parametrize("title", DRAWN if IS_EXPLORING else ["el_grande"])
def test_the_examples_come_from_the_golden_matches(title: str) -> None:
    """`python -m ops.dev.examples` creates the file."""
    assert DRAWN[title].examples.read_bytes() == examples.encode_examples(title)


def test_an_operators_deck_is_shown_with_its_own_texts(site: TestClient[Any]) -> None:
    unknown = site.get("/cards/la_granja/card-1", params={"deck": "none"})

    assert unknown.status_code == 422
    assert "standard" in unknown.text
    assert Path(DRAWN["la_granja"].examples).name == "examples.json"


def test_every_helper_has_an_example() -> None:
    gallery = DRAWN["la_granja"]
    cards = [thing for thing in gallery.things({"deck": "standard", "components": "standard"}) if thing.kind == "card"]
    without = [thing.id for thing in cards if not thing.example and thing.id not in read_examples(gallery.examples)]

    assert without == []


def test_every_craft_building_has_an_example_of_a_match() -> None:
    assert {f"building-{number}" for number in range(1, 7)} <= read_examples(DRAWN["la_granja"].examples).keys()
