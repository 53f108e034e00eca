"""Pages use the reader's language; the API uses English."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from babel.numbers import format_decimal
from jinja2 import Environment
from litestar.testing import TestClient
from markupsafe import Markup

from api.http.languages import (
    LANGUAGES,
    add_localisation,
    choose_language,
    current_locale,
    format_number,
    localize_decimal,
    negotiate_language,
    translate,
    use_language,
)
from domain.kernel.messages import Message, join_terms
from domain.titles.el_grande import words_terms as el_grande
from domain.titles.el_grande.components import AREA_NAMES
from domain.titles.la_granja import words_terms as terms
from tests.api.service import Person

UNSPOKEN = "qaa"
"""A tag without a language: ISO 639 reserves `qaa` to `qtz` for private use."""
TOKEN = re.compile(r'name="_csrf_token" value="([^"]+)"')


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("cs", "cs"),
        ("cs-CZ,cs;q=0.9,en;q=0.8", "cs"),
        ("en;q=0.3, de;q=0.8, pl;q=0.5", "de"),
        (f"{UNSPOKEN}-FR,{UNSPOKEN};q=0.9,uk;q=0.4,en;q=0.3", "uk"),
        ("QAA, PL-pl", "pl"),
        ("cs;q=0, de;q=0.1", "de"),
        ("en;q=0, *;q=0.5", "cs"),
        ("*", "en"),
        ("de;q=0.5, cs;q=0.5", "de"),
        (f"{UNSPOKEN}, qab", "en"),
        ("en;q=0", "en"),
        ("de;q=2, cs", "cs"),
        ("de;q=abc, , ;;, cs;q=0.2", "cs"),
        ("x" * 10_000, "en"),
        ("", "en"),
    ],
)
def test_accept_language_is_negotiated(header: str, language: str) -> None:
    """RFC 9110, 12.5.4: the greatest weight wins, the first of equal ones; malformed parts are ignored."""
    assert negotiate_language(header) == language


def test_the_language_cookie_overrides_accept_language() -> None:
    assert choose_language("pl", "de") == "pl"
    assert choose_language("xx", "de") == "de"
    assert choose_language(None, None) == "en"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_declares_its_language(client: TestClient[Any], language: str) -> None:
    response = client.get("/", headers={"Accept-Language": f"{UNSPOKEN}, {language};q=0.7"})

    assert f'<html lang="{language}"' in response.text
    assert response.headers["content-language"] == language
    assert {word.strip() for word in response.headers["vary"].split(",")} >= {"Cookie", "Accept-Language"}


def test_every_language_is_offered_in_its_own_name(client: TestClient[Any]) -> None:
    page = client.get("/").text

    for language, name in LANGUAGES.items():
        offered = rf'<button[^>]*value="{language}"[^>]*lang="{language}"[^>]*>(<svg.*?</svg> )?{name}</button>'
        assert re.search(offered, page)


def switch_language(client: TestClient[Any], **form: str) -> Any:
    token = TOKEN.search(client.get("/").text)
    assert token is not None
    return client.post("/language", data={"_csrf_token": token[1], **form}, follow_redirects=False)


def test_the_switch_redirects_to_the_previous_page(client: TestClient[Any]) -> None:
    answer = switch_language(client, language="uk", back="/tables?status=ended")

    assert (answer.status_code, answer.headers["location"]) == (303, "/tables?status=ended")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert client.get("/", headers={"Accept-Language": "de"}).headers["content-language"] == "uk"


@pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "x", ""])
def test_the_switch_redirects_to_no_other_site(client: TestClient[Any], back: str) -> None:
    assert switch_language(client, language="cs", back=back).headers["location"] == "/"


def test_an_unsupported_language_is_rejected(client: TestClient[Any]) -> None:
    answer = switch_language(client, language="xx")

    assert answer.status_code == 400
    assert "language" not in answer.cookies


def test_the_switch_needs_the_token_of_the_page(client: TestClient[Any]) -> None:
    response = client.post("/language", data={"language": "cs"}, follow_redirects=False)

    assert response.status_code == 403


def test_a_missing_page_is_reported_in_the_readers_language(client: TestClient[Any]) -> None:
    response = client.get("/nowhere", headers={"Accept-Language": "de"})

    assert response.status_code == 404
    assert '<html lang="de"' in response.text


def test_the_api_answers_in_english(client: TestClient[Any], ann: Person) -> None:
    """The language cookie and Accept-Language have no effect."""
    client.cookies.set("language", "de")
    status, problem = ann.get("/matches/00000000-0000-0000-0000-000000000000", **{"Accept-Language": "de"})

    assert (status, problem["title"]) == (404, "Not found")


def render(language: str, source: str, **values: Any) -> str:
    environment = Environment(autoescape=True)
    add_localisation(environment)
    with use_language(language):
        return environment.from_string(source).render(**values)


@pytest.mark.parametrize(
    ("language", "counts", "expected"),
    [
        ("en", (0, 1, 2, 5), ("0 points", "1 point", "2 points", "5 points")),
        ("cs", (0, 1, 2, 5, 21, 22), ("0 bodů", "1 bod", "2 body", "5 bodů", "21 bodů", "22 bodů")),
        ("uk", (0, 1, 2, 5, 11, 21, 22), ("0 балів", "1 бал", "2 бали", "5 балів", "11 балів", "21 бал", "22 бали")),
        ("pl", (0, 1, 2, 5, 21, 22), ("0 punktów", "1 punkt", "2 punkty", "5 punktów", "21 punktów", "22 punkty")),
        ("de", (0, 1, 2), ("0 Punkte", "1 Punkt", "2 Punkte")),
    ],
)
def test_plural_forms_follow_the_language(language: str, counts: tuple[int, ...], expected: tuple[str, ...]) -> None:
    template = '{{ ngettext("{count} point", "{count} points", count) }}'

    assert tuple(render(language, template, count=count) for count in counts) == expected


def test_domain_messages_translate_their_terms() -> None:
    good = Message("{count} olive", {"count": 2}, plural="{count} olives", count=2)

    assert render("cs", "{{ told | say }}", told=Message("Take {good}", {"good": good})) == "Vzít si 2 olivy"
    assert render("de", '{{ _("Take {good}", good=good) }}', good=good) == "2 Oliven nehmen"


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Ann takes 1 trade commodity, 2 pigs, 1 olive"),
        ("cs", "Ann získává 1 obchodní komoditu, 2 prasata, 1 olivy"),
        ("uk", "Ann отримує 1 товар, 2 свині, 1 оливку"),
        ("pl", "Ann otrzymuje 1 skrzynkę, 2 świnie, 1 oliwkę"),
        ("de", "Ann erhält 1 Handelsware, 2 Schweine, 1 Olive"),
    ],
)
def test_objects_are_in_the_accusative(language: str, expected: str) -> None:
    goods = join_terms([terms.goods("trade_commodity"), terms.goods("pig", 2), terms.goods("olive")])
    message = Message("{player} takes {goods}", {"player": "Ann", "goods": goods})

    assert render(language, "{{ told | say }}", told=message) == expected
    assert render(language, '{{ _("{player} takes {goods}", player="Ann", goods=goods) }}', goods=goods) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Ann moves 1 caballero of Ben from Castilla to the Castillo"),
        ("cs", "Ann přemisťuje 1 caballera z Kastílie do věže (Ben)"),
        ("uk", "Ann переміщує 1 кабальєро з Кастилії до Кастильйо (Ben)"),
        ("pl", "Ann przemieszcza 1 caballero z Kastylii do Castillo (Ben)"),
        ("de", "Ann versetzt 1 Caballero aus Kastilien ins Castillo (Ben)"),
    ],
)
def test_places_are_inflected_and_have_their_preposition(language: str, expected: str) -> None:
    message = Message(
        "{mover} moves {caballeros} of {player} from {source} to {target}",
        {
            "mover": "Ann",
            "player": "Ben",
            "caballeros": el_grande.caballeros(1),
            "source": el_grande.place("castilla"),
            "target": el_grande.place("castillo"),
        },
    )

    assert render(language, "{{ told | say }}", told=message) == expected


@pytest.mark.parametrize("language", sorted({*LANGUAGES} - {"en"}))
@pytest.mark.parametrize("case", ["into", "from", "in"])
def test_every_place_of_el_grande_has_the_cases_of_places(language: str, case: str) -> None:
    with use_language(language):
        for name in (*AREA_NAMES, "court", "province"):
            place = el_grande.place(name)
            assert translate(place.id, case=case) != translate(place.id), place.id


def test_a_term_with_placeholders_is_inflected() -> None:
    card = Message("Take back the {card}", {"card": el_grande.hand_card("grey-1-own")})

    assert render("cs", "{{ told | say }}", told=card) == "Vzít si zpět šedou kartu 1 (přemístit vlastní caballeros)"


def test_untranslated_messages_are_in_english() -> None:
    assert render("de", '{{ _("Never said by anybody") }}') == "Never said by anybody"
    assert render("uk", '{{ ngettext("{count} unheard word", "{count} unheard words", 3) }}') == "3 unheard words"


def test_names_are_escaped_in_sentences() -> None:
    """Only markup stays unescaped."""
    name = "<script>alert(1)</script>"
    link = Markup('<a href="/">Ann</a>')

    assert "&lt;script&gt;" in render("en", '{{ _("{player} is ready", player=name) }}', name=name)
    mixed = render("en", '{{ _("{player} with {donkeys} and {hats}", player=a, donkeys=b, hats=1) }}', a=link, b=name)
    assert mixed == f"{link} with &lt;script&gt;alert(1)&lt;/script&gt; and 1"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_decimal_has_the_mark_of_the_language(language: str) -> None:
    with use_language(language):
        assert [localize_decimal(text) for text in ("12.5", "-0.25", "7")] == (
            ["12.5", "-0.25", "7"] if language == "en" else ["12,5", "-0,25", "7"]
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_small_whole_numbers_are_written_as_the_language_does(language: str) -> None:
    with use_language(language):
        assert [format_number(value) for value in range(-1, 1_001)] == [
            format_decimal(value, locale=current_locale()) for value in range(-1, 1_001)
        ]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "12,345.5 | 20 Nov 2026 | <20 Nov 2026 09:05 UTC> | a, b and c"),
        ("cs", "12 345,5 | 20. 11. 2026 | <20. 11. 2026 9:05 UTC> | a, b a c"),
        ("uk", "12 345,5 | 20 лист. 2026 р. | <20 лист. 2026 р. 09:05 UTC> | a, b і c"),
        ("pl", "12 345,5 | 20 lis 2026 | <20 lis 2026 09:05 UTC> | a, b i c"),
        ("de", "12.345,5 | 20.11.2026 | <20.11.2026 09:05 UTC> | a, b und c"),
    ],
)
def test_numbers_dates_and_lists_are_written_as_the_language_does(language: str, expected: str) -> None:
    at = datetime(2026, 11, 20, 9, 5, tzinfo=UTC)
    template = "{{ 12345.5 | number }} | {{ at | day }} | {{ at | moment }} | {{ ['a', 'b', 'c'] | listed }}"

    rendered = re.sub(r"\s", " ", render(language, template, at=at))
    assert re.sub("<time datetime=.2026-11-20T09:05:00.00:00.>(.*)</time>", r"<\1>", rendered) == expected
