"""The rules pages: the same paragraphs in every language, and every rule in a paragraph."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from litestar.testing import TestClient
from msgspec.structs import replace

from api.http.glossary import glossary
from api.http.languages import LANGUAGES
from api.titles.drawing import load_drawings
from api.titles.el_grande import prompts as el_grande_prompts
from api.titles.la_granja import prompts as la_granja_asked
from api.titles.la_granja.boards import PHASE_TERMS
from api.titles.rulebook import OUTLINE, build_sections, find_paragraph, find_section, load_outline, load_texts
from api.titles.rules import address_of_rule, with_rules
from domain.titles import TITLES
from domain.titles.la_granja.agenda import DeliveryStep
from tests.api.service import settings_in
from tests.seeding import entropy
from tests.service_app import create_app

DRAWINGS: Final = load_drawings(TITLES)
BOOKS: Final = with_rules(DRAWINGS)
LISTS: Final = Path(__file__).parents[2] / "domain" / "titles"
RULE: Final = re.compile(r"^(?:LG|EG)-\d+(?:\.\d+)*", re.MULTILINE)
TERMS: Final = {
    "la_granja": (
        "farm_card field market_barrow farm_extension helper trade_commodity roof_tile donkey_tile donkey "
        "craft_building craft_marker revenue_die revenue_space market_stall siesta_track free_delivery "
        "extra_delivery delivery building_order_tile draw_pile discard_pile player_marker upgraded_good resource "
        "farm_good crop income food wine meat olive grain grape pig silver store neutral_player merchant_house "
        "wainwright village_store butcher start_player"
    ),
    "el_grande": (
        "region castillo king kings_region grande caballero court province power_card action_card secret_disc "
        "first_player_marker round_marker alternative_scoreboard scoring_table dummy_player general_scoring "
        "special_action placement kings_bonus grandes_bonus tie grey_power_card secret_choice stack short_game "
        "two_player_game three_player_game variant_new_regency variant_shift_of_power variant_veteran_cards "
        "card_veto card_escort card_infiltration card_viceroy card_exile card_joust card_revolt card_coup "
        "card_decree card_revelation card_militia card_recruitment "
        "card_empowerment card_new_home card_double_game card_summer_residence "
        "france portugal next_to_king"
    ),
}
"""Terms of the glossary that the rules of a title must use."""
UNTOLD: Final = {
    "el_grande": {"EG-22", "EG-23", "EG-24", "EG-25"},
}
"""Sections of the rules list that repeat others: readings, examples, invariants, decisions."""
UNSAID: Final = {"merchant_house"}
"""Rules explained by an illustration."""

languages = pytest.mark.parametrize("language", LANGUAGES)
titles = pytest.mark.parametrize("title", BOOKS)


def join_texts(title: str, language: str) -> str:
    """Return all texts of the rules."""
    texts = (text for section in load_texts(BOOKS[title].folder, language).values() for text in section.values())
    return " ".join(" ".join(texts).split())


def test_every_title_has_rules() -> None:
    assert list(BOOKS) == list(TITLES)


@titles
@languages
def test_every_language_has_the_same_paragraphs_in_the_same_order(title: str, language: str) -> None:
    folder = BOOKS[title].folder
    expected = {name: ["title", *paragraphs] for name, paragraphs in load_outline(folder).sections.items()}

    assert {name: list(texts) for name, texts in load_texts(folder, language).items()} == expected
    assert all(text.strip() for texts in load_texts(folder, language).values() for text in texts.values())


@titles
def test_addresses_of_paragraphs_are_unique(title: str) -> None:
    outline = load_outline(BOOKS[title].folder)
    names = [name for section in outline.sections.values() for name in section]

    assert len(names) == len(set(names))
    assert not {f"in-{section}" for section in outline.sections} & set(names)
    assert set(outline.figures) <= set(names)


@titles
def test_every_rule_is_explained_and_no_other_is_cited(title: str) -> None:
    listed = set(RULE.findall((LISTS / title / "rule_ids.txt").read_text()))
    explained = [rule for rules in load_outline(BOOKS[title].folder).paragraphs.values() for rule in rules]

    assert len(explained) == len(set(explained))
    assert set(explained) == listed - {rule for rule in listed if rule.split(".")[0] in UNTOLD.get(title, set())}


@titles
@languages
def test_the_rules_use_the_terms_of_the_glossary(title: str, language: str) -> None:
    text = join_texts(title, language).casefold()

    unsaid = {
        id: term.word(language)
        for id in TERMS[title].split()
        if id not in UNSAID
        for term in [glossary()[id]]
        if not any(form.casefold() in text for form in (term.word(language), *term.plural_forms(language)))
    }
    assert not unsaid


@titles
@languages
def test_numbers_agree_in_every_language(title: str, language: str) -> None:
    english, other = (load_texts(BOOKS[title].folder, tag) for tag in ("en", language))

    differing = {
        name: (sorted(numbers(english[section][name])), sorted(numbers(text)))
        for section, texts in other.items()
        for name, text in texts.items()
        if numbers(text) - numbers(english[section][name])
    }
    assert not differing


def numbers(text: str) -> set[str]:
    """Return the numbers in digits, except digits attached to letters ("1x")."""
    return set(re.findall(r"\b\d+\b", text))


@titles
@languages
def test_the_page_shows_every_paragraph_and_drawing(title: str, language: str, site: TestClient[Any]) -> None:
    book = BOOKS[title]

    page = site.get(f"/rules/{title}", headers={"accept-language": language})

    assert page.status_code == 200
    outline = load_outline(book.folder)
    for name in outline.paragraphs:
        assert f'id="{name}"' in page.text
    assert page.text.count('class="rule-figure"') == len(outline.figures)
    ids = re.findall(r'\sid="([^"]+)"', page.text)
    assert sorted(ids) == sorted(set(ids))
    for section in build_sections(book.folder, language):
        assert f"{section.title}</h2>" in page.text


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Any]]:
    with TestClient(create_app(settings_in(tmp_path_factory.mktemp("house")), entropy())) as client:
        yield client


def test_the_rules_are_listed_and_linked_from_lobby_and_cards(site: TestClient[Any]) -> None:
    for page in (site.get("/rules"), site.get("/")):
        for title in BOOKS:
            assert f'href="/rules/{title}"' in page.text
    for title in BOOKS:
        assert f'href="/rules/{title}"' in site.get(f"/cards/{title}").text


@titles
@languages
def test_every_edition_and_variant_has_a_page_of_its_changes(title: str, language: str, site: TestClient[Any]) -> None:
    varieties = load_outline(BOOKS[title].folder).varieties
    offered = {
        (choice.option, value)
        for choice in TITLES[title].choices
        for value, _ in (choice.values[1:] if choice.is_checkbox else choice.values)
    }
    assert {(option, value) for option, values in varieties.items() for value in values} == offered

    rules = site.get(f"/rules/{title}")
    for option, value in sorted(offered):
        path = f"/rules/{title}/{option}/{value}"
        page = site.get(path, headers={"accept-language": language})
        assert page.status_code == 200
        assert page.text.count('class="rule"') == len(varieties[option][value]) > 0
        assert f'href="{path}" aria-current="page"' in page.text
        assert f'href="{path}"' in rules.text


def test_a_variant_that_tables_do_not_offer_is_named_in_the_error(tmp_path: Path) -> None:
    """Another deck may explain a value that the title does not list."""
    folder, drawing = tmp_path / "rules", DRAWINGS["el_grande"]
    shutil.copytree(BOOKS["el_grande"].folder, folder)
    outline = (folder / OUTLINE).read_text()
    (folder / OUTLINE).write_text(outline.replace("[varieties.cards]", '[varieties.cards]\n1995 = ["veto"]'))
    book = replace(BOOKS["el_grande"], folder=folder)
    drawings = {**DRAWINGS, "el_grande": replace(drawing, rules=book)}

    with TestClient(create_app(settings_in(tmp_path / "house"), entropy(), drawings=drawings)) as client:
        answer = client.get("/rules/el_grande/cards/1995")

    assert answer.status_code == 404
    assert "1995" in answer.text


def test_an_unknown_variant_is_named_in_the_error(site: TestClient[Any]) -> None:
    for path in ("/rules/el_grande/cards/1995", "/rules/el_grande/weather/rain"):
        answer = site.get(path)

        assert answer.status_code == 404
        assert path.rpartition("/")[2] in answer.text


def test_a_title_without_rules_is_named_in_the_error(site: TestClient[Any]) -> None:
    answer = site.get("/rules/whist")

    assert 400 <= answer.status_code < 500
    assert "whist" in answer.text


def test_a_rule_leads_to_its_paragraph() -> None:
    """The rule itself, or else a part of it, or else the rule that contains it."""
    rule = "LG-6.4.1"
    for cited in (rule, rule.removesuffix(".1"), f"{rule}.9"):
        assert address_of_rule(DRAWINGS, "la_granja", cited) == "/rules/la_granja#stalls"
    assert address_of_rule(DRAWINGS, "la_granja", rule.replace("6", "99")) is None
    assert address_of_rule(DRAWINGS, "whist", rule) is None


@titles
def test_every_reason_of_a_title_leads_to_a_paragraph(title: str) -> None:
    sources = (Path(__file__).parents[3] / "domain" / "titles" / title / "refusals").glob("*.py")
    named = {rule for source in sources for rule in re.findall(r'"((?:LG|EG)-[\d.]+\d)"', source.read_text())}

    assert named
    assert not {rule for rule in named if find_paragraph(BOOKS[title].folder, rule) is None}


ELSEWHERE: Final = {
    "la_granja": (*la_granja_asked.PARAGRAPHS.values(), *PHASE_TERMS.values(), "extra-deliveries", "free-deliveries"),
    "el_grande": (*el_grande_prompts.PARAGRAPHS.values(), "special", "discs", "secret-choices"),
}
"""Anchors that no template uses."""


@titles
def test_every_term_on_a_match_page_has_its_paragraph(title: str) -> None:
    """Templates link terms; a prompt links to a paragraph by step or task."""
    templates = (Path(__file__).parents[3] / "api" / "titles" / title / "templates").glob("*.html")
    named = {
        anchor
        for template in templates
        for anchor in re.findall(r'\b(?:term|asked)\("([\w-]+)"', template.read_text(encoding="utf-8"))
    }

    assert len(named) > 15
    for anchor in {*named, *ELSEWHERE[title]}:
        for language in LANGUAGES:
            assert find_section(BOOKS[title].folder, language, anchor), f"{language}: {anchor}"


def test_a_term_opens_its_paragraph_and_a_phase_its_section(site: TestClient[Any]) -> None:
    paragraph = site.get("/rules/la_granja/siesta", headers={"Accept-Language": "de"})
    phase = site.get("/rules/la_granja/in-revenue-phase")
    unknown = site.get("/rules/la_granja/whist")

    assert paragraph.status_code == phase.status_code == 200
    assert 'href="/rules/la_granja#siesta"' in paragraph.text
    assert "Siestaleiste" in paragraph.text
    assert phase.text.count('class="rule-beside"') == len(
        load_outline(BOOKS["la_granja"].folder).sections["revenue-phase"]
    )
    assert unknown.status_code == 404
    assert "whist" in unknown.text


def test_every_pending_decision_links_to_its_rule() -> None:
    decisions = {*la_granja_asked.SENTENCES, *la_granja_asked.BY_TASK, *la_granja_asked.BY_CHOICES}

    assert decisions - {DeliveryStep} == set(la_granja_asked.PARAGRAPHS)
    assert set(el_grande_prompts.PARAGRAPHS) == set(el_grande_prompts.PROMPTS)
