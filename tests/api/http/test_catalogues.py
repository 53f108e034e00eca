"""The catalogues are complete in every language and follow the glossary."""

from __future__ import annotations

import re
from string import Formatter
from typing import Any, Final

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from api.http.glossary import CASES, glossary
from api.http.languages import AREAS, ENGLISH, LANGUAGES, path_of
from domain.titles.la_granja.tables import DECKS, DEFAULT_DECK
from ops.dev.catalogues.files import TRANSLATED, faults_of, translations
from ops.dev.catalogues.scan import Sentence, sentences

PLAIN: Final = Sentence("Sit down, {name}", None, "http")
COUNTED: Final = Sentence("{count} hat", "{count} hats", "http")

GAME_TERMS: Final = (
    *("silver", "victory_point", "olive", "grain", "grape", "pig", "food", "wine", "meat", "trade_commodity"),
    *("resource", "farm_good", "market_space", "market_stall", "craft_building", "building_order_tile", "craft_marker"),
    *("revenue_space", "revenue_die", "siesta_track", "siesta_marker", "roof_tile", "roof_space", "donkey_tile"),
    *("donkey", "hat", "farm_card", "hand_limit", "market_barrow", "farm_extension", "helper", "pig_pen", "income"),
    *("extra_delivery", "delivery", "neutral_player", "phase", "round", "player", "opponent", "card"),
    *("region", "kings_region", "caballero", "grande", "king", "court", "province", "castillo", "power_card"),
    *("action_card", "secret_disc", "first_player_marker", "alternative_scoreboard", "special_action"),
    *("general_scoring", "draw_pile", "discard_pile", "supply", "offspring"),
)
"""Terms with one meaning in every sentence of a title."""

FREELY: Final = {"turn up the next roof tiles and flip craft markers"}
"""Sentences about two combined steps, whose translations differ from the glossary's terms for the parts."""
QUOTED: Final = "In the 2006 edition: "
"""Marks a quotation from an English source, which is not translated."""


def list_forms(forms: Any) -> tuple[str, ...]:
    return (forms,) if isinstance(forms, str) else tuple(forms)


def test_every_language_has_all_catalogues() -> None:
    wanted = {path_of(language, area) for language in TRANSLATED for area in AREAS}

    assert {path for path in wanted if not path.exists()} == set()
    assert [*LANGUAGES] == [ENGLISH, *TRANSLATED]


def catalogue_with(id: Any, string: Any, **more: Any) -> Catalog:
    catalogue = Catalog(locale="cs", fuzzy=False)
    catalogue.add(id, string, **more)
    return catalogue


PAIR: Final = ("{count} hat", "{count} hats")


@pytest.mark.parametrize(
    ("catalogue", "fault"),
    [
        (Catalog(locale="cs"), "missing: Sit down, {name}"),
        (catalogue_with(PLAIN.id, ""), "missing: Sit down, {name}"),
        (catalogue_with("Stand up", "Vstaňte"), "unused: Stand up"),
        (catalogue_with(PLAIN.id, "Sedněte si, {name}", flags=["fuzzy"]), "fuzzy: Sit down, {name}"),
        (catalogue_with(PLAIN.id, "Sedněte si, {jméno}"), "places ['jméno'], not ['name']: Sit down, {name}"),
        (catalogue_with(PLAIN.id, "Sedněte si"), "places [], not ['name']: Sit down, {name}"),
        (catalogue_with(PLAIN.id, "Sedněte si, {name"), "the braces of 'Sedněte si, {name' do not match"),
        (catalogue_with(PLAIN.id, " Sedněte si, {name}"), "leading or trailing space differs: Sit down, {name}"),
        (catalogue_with(PLAIN.id, "Sedněte si, {name}!"), "ends with '!', not '': Sit down, {name}"),
        (catalogue_with(PAIR, ("{count} klobouk", "{count} klobouky")), "2 plural forms, not 3: {count} hat"),
        (catalogue_with(PAIR, ("{count} klobouk", "{count} klobouky", "")), "a plural form is missing: {count} hat"),
        (catalogue_with(COUNTED.id, "{count} klobouků"), "plural forms do not match the sources"),
    ],
)
def test_faults_of_a_catalogue_are_reported(catalogue: Catalog, fault: str) -> None:
    wanted = {sentence.id: sentence for sentence in (PLAIN, COUNTED)}

    assert any(found.startswith(fault) for found in faults_of("cs", catalogue, wanted))


def test_a_translation_may_end_with_an_abbreviation() -> None:
    sentence = Sentence("{number} pp", None, "http")

    assert not list(faults_of("cs", catalogue_with(sentence.id, "{number} p. b."), {sentence.id: sentence}))
    assert list(faults_of("cs", catalogue_with(sentence.id, "{number} bodů."), {sentence.id: sentence}))


def test_a_complete_catalogue_has_no_fault() -> None:
    catalogue = catalogue_with(PLAIN.id, "Sedněte si, {name}")
    catalogue.add(PAIR, ("jeden klobouk", "{count} klobouky", "{count} klobouků"))

    assert list(faults_of("cs", catalogue, {PLAIN.id: PLAIN, COUNTED.id: COUNTED})) == []


def test_each_message_is_in_one_catalogue() -> None:
    for language in TRANSLATED:
        seen: set[str] = set()
        for area in AREAS:
            with path_of(language, area).open("rb") as file:
                ids = {str(message.id) for message in read_po(file, locale=language) if message.id}
            assert seen & ids == set()
            seen |= ids


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_use_only_known_cases(language: str) -> None:
    """An unknown case would leave its term in the nominative."""
    patterns = [form for forms in translations(language).values() for form in list_forms(forms)]
    cases = {spec for pattern in patterns for _, _, spec, _ in Formatter().parse(pattern) if spec and spec.isalpha()}

    assert cases <= {*CASES}


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_message_that_is_a_term_follows_the_glossary(language: str) -> None:
    """Alone it has the glossary's word, with a number the plural form of that number."""
    allowed: dict[str, set[str]] = {}
    for term in glossary().values():
        allowed.setdefault(term.en.casefold(), set()).update(
            form.casefold() for form in (term.word(language), *term.plural_forms(language))
        )
    counted = {
        f"{{count}} {term.plural_forms(ENGLISH)[0]}": term for term in glossary().values() if term.plural_forms(ENGLISH)
    }
    wrong = []
    for (id, plural), forms in translations(language).items():
        if plural is None and id.casefold() in allowed and id not in HEADINGS | ASKED.get(language, set()):
            wrong += [id] * (list_forms(forms)[0].casefold() not in allowed[id.casefold()])
        elif plural is not None and id in counted:
            expected = tuple(f"{{count}} {form}" for form in counted[id].plural_forms(language))
            wrong += [id] * (list_forms(forms) != expected)

    assert wrong == []


HEADINGS: Final = {"Choose a donkey tile"}
"""Headings whose words are also the glossary's name of a step."""
ASKED: Final = {
    "pl": {"Sign in", "Sign out", "Undo", "Invite", "Resign", "Join", "Pass", "Decline", "Buy", "Sell", "Upgrade"}
}
"""Button labels where a language uses the imperative of the glossary's verb."""


def stem(word: str) -> str:
    """Return the part of a word that its cases share."""
    return word[: max(3, len(word) - 3)] if len(word) > 5 else word[: max(2, len(word) - 2)]


@pytest.mark.parametrize("language", TRANSLATED)
def test_sentences_of_titles_use_the_terms_of_the_glossary(language: str) -> None:
    """For each English term the translation contains the stems of the glossary's words, in any case."""
    names = {name.casefold(): glossary()[id] for id in GAME_TERMS for name in glossary()[id].names}
    longest_first = sorted(names, key=len, reverse=True)
    terms = re.compile(r"(?<![\w{-])(" + "|".join(map(re.escape, longest_first)) + r")(?![\w}])", re.IGNORECASE)
    wholes = {term.en for term in glossary().values()}
    helpers = {card.helper.name for card in DECKS[DEFAULT_DECK].values()}
    titles = {sentence.id for sentence in sentences() if sentence.area in {"la_granja", "el_grande"}}
    wrong = []
    for (id, _), forms in translations(language).items():
        if id not in titles - helpers - FREELY - wholes or id.startswith(QUOTED):
            continue
        text = " ".join(list_forms(forms)).casefold()
        for found in terms.findall(id):
            term = names[found.casefold()]
            term_forms = {term.word(language), *term.plural_forms(language)}
            stems = [
                [stem(word) for word in re.findall(r"\w+", form.casefold()) if len(word) > 2] for form in term_forms
            ]
            if not any(all(part in text for part in parts) for parts in stems):
                wrong.append(f"{found}: {id} = {text}")

    assert wrong == []


INFLECTED: Final = frozenset({"good", "goods", "upgraded", "caballeros", "silver", "vp"})
"""Placeholders for counted objects in sentences of titles; names are not inflected."""
ALONE: Final = frozenset(
    {
        "Do not pay with {good}",
        "Give up {good}: no marker is left for it",
        "{caballeros} of {player} goes from {source} to {target}",
        "{player} with {caballeros}",
    }
)
"""Sentences with the counted object in the nominative, such as table rows."""
LISTED: Final = re.compile(r": \{(\w+)")


@pytest.mark.parametrize("language", TRANSLATED)
def test_counted_objects_are_inflected_within_the_sentence(language: str) -> None:
    """It does not follow a colon, as in a list, unless it does in English."""
    listed = [
        form
        for (id, _), forms in translations(language).items()
        for form in list_forms(forms)
        if id not in ALONE and (set(LISTED.findall(form)) - set(LISTED.findall(id))) & INFLECTED
    ]

    assert listed == []
