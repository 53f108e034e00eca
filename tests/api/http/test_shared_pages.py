"""Pages with the same content for every reader: rendered once per language, with conditional requests."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from httpx import Response
from jinja2 import DictLoader, Environment
from litestar.testing import TestClient

from api.http.etags import digest_sources
from api.http.languages import LANGUAGES
from api.http.shared_pages import PAGES_MAX, PERSONAL_NAMES, SharedPage, SharedPages, undeclared_names
from api.titles.drawing import load_drawings
from domain.titles import TITLES
from tests.api.service import Member

Client = TestClient[Any]

PAGES: Final = ("/cards/la_granja", "/cards/el_grande", "/rules/la_granja", "/rules/el_grande")


def count_rendered(client: Client) -> int:
    """Return the number of rendered contents."""
    engine: Any = client.app.template_engine
    pages: SharedPages = engine.engine.shared_pages
    return pages.count_uses()[1]


def get(client: Client, path: str, tag: str = "", **headers: str) -> Response:
    return client.get(path, headers=headers | ({"If-None-Match": tag} if tag else {}))


@pytest.mark.parametrize("path", PAGES)
def test_the_second_request_renders_nothing(own_client: Client, path: str) -> None:
    first = get(own_client, path)
    before = count_rendered(own_client)

    again = get(own_client, path)

    assert count_rendered(own_client) == before == 1
    assert again.text == first.text


@pytest.mark.parametrize("path", PAGES)
def test_a_reader_who_has_the_page_gets_304(client: Client, path: str) -> None:
    get(client, path)
    whole = get(client, path)

    response = get(client, path, whole.headers["ETag"])

    assert (response.status_code, response.content) == (304, b"")
    assert response.headers["ETag"] == whole.headers["ETag"]
    assert response.headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("path", PAGES)
def test_every_language_has_a_separate_page_and_tag(own_client: Client, path: str) -> None:
    get(own_client, path)
    pages = {language: get(own_client, path, Cookie=cookies(own_client, language=language)) for language in LANGUAGES}

    assert count_rendered(own_client) == len(LANGUAGES)
    assert len({page.headers["ETag"] for page in pages.values()}) == len(LANGUAGES)
    assert all(f'<html lang="{language}"' in page.text for language, page in pages.items())


def cookies(client: Client, **more: str) -> str:
    return "; ".join(f"{name}={value}" for name, value in {**client.cookies, **more}.items())


def test_another_theme_changes_only_frame_and_tag(own_client: Client) -> None:
    get(own_client, "/cards/la_granja")
    light = get(own_client, "/cards/la_granja")

    dark = get(own_client, "/cards/la_granja", light.headers["ETag"], Cookie=cookies(own_client, theme="dark"))

    assert (dark.status_code, 'data-theme="dark"' in dark.text) == (200, True)
    assert count_rendered(own_client) == 1


def test_unknown_parameters_do_not_enlarge_the_cache(own_client: Client) -> None:
    for number in range(3):
        assert get(own_client, f"/cards/la_granja?x={number}").status_code == 200

    assert count_rendered(own_client) == 1


def test_an_unknown_deck_is_rejected_and_not_cached(own_client: Client) -> None:
    assert get(own_client, "/cards/la_granja?deck=none").status_code == 422
    assert count_rendered(own_client) == 0


def test_the_frame_depends_on_the_reader(own_client: Client) -> None:
    outsider = get(own_client, "/cards/la_granja")
    member = Member(own_client, "Margalida")

    own = get(own_client, "/cards/la_granja", outsider.headers["ETag"], **member.headers)

    assert (own.status_code, "Margalida" in own.text, "Margalida" in outsider.text) == (200, True, False)
    assert count_rendered(own_client) == 1


def shared_templates() -> list[str]:
    """Return the templates of shared contents, including the galleries and rules of each title."""
    drawings = load_drawings(TITLES).values()
    galleries = [each.gallery for each in drawings if each.gallery]
    books = [each.rules for each in drawings if each.rules]
    inner = [name for gallery in galleries for name in (gallery.preface, gallery.template)]
    inner += [name for book in books for name in (book.preface, book.figures)]
    return ["titles/card_list.html", "titles/rulebook.html", *filter(None, inner)]


@pytest.mark.parametrize("template", shared_templates())
def test_no_shared_content_uses_anything_personal(client: Client, template: str) -> None:
    """The content is rendered for the first reader and shown to all others."""
    engine: Any = client.app.template_engine

    assert undeclared_names(engine.engine, template).isdisjoint(PERSONAL_NAMES)


def test_a_personal_name_is_found_in_an_included_template() -> None:
    sources = {"list.html": "{% include 'part.html' %}{{ title }}", "part.html": "{% if person %}{{ csrf }}{% endif %}"}

    assert undeclared_names(Environment(loader=DictLoader(sources)), "list.html") == {"title", "person", "csrf"}


def test_the_least_recently_read_page_is_dropped() -> None:
    pages = SharedPages(Environment(loader=DictLoader({"list.html": ""}), autoescape=True))
    numbered = [SharedPage("page.html", "list.html", (number,), dict) for number in range(PAGES_MAX + 1)]
    for each in numbered:
        pages.render(each)
    filled = pages.count_uses()

    pages.render(numbered[-1])
    pages.render(numbered[0])

    assert (filled, pages.count_uses()) == ((0, PAGES_MAX + 1), (1, PAGES_MAX + 2))


@pytest.mark.parametrize(
    "changed", ["api/__init__.py", "api/http/base.html", "domain/deck.toml", "api/http/static/a.css"]
)
def test_another_build_has_other_tags(tmp_path: Path, changed: str) -> None:
    for name in ("api/__init__.py", "api/http/base.html", "domain/deck.toml", "api/http/static/a.css"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("VERSION = '1'")
    before = digest_sources(tmp_path)

    (tmp_path / changed).write_text("VERSION = '2'")

    assert digest_sources(tmp_path) != before
