"""The second verifier's page and its single file, in all languages and from the same sources."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from api.http.languages import LANGUAGES
from api.http.preferences import LANGUAGE_COOKIE as COOKIE
from api.transparency.verifier_pages import MODULES, PAGE, WORDS, ordered_modules
from tests.api.service import Person, start_match


def file_of(client: TestClient[Any], language: str, **headers: str) -> Any:
    return client.get(f"/verify/{language}/esporles-verify.html", headers=headers)


def words_in(html: str) -> dict[str, str]:
    found = re.search(r'<script type="application/json" id="words">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    texts: dict[str, str] = msgspec.json.decode(found[1])
    return texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_and_file_have_the_same_texts_in_every_language(client: TestClient[Any], language: str) -> None:
    client.cookies.set(COOKIE, language)
    page, file = client.get("/verify"), file_of(client, language)

    assert (page.status_code, file.status_code) == (200, 200)
    assert words_in(page.text) == words_in(file.text)
    assert set(words_in(file.text)) == set(WORDS)
    assert f'<html lang="{language}">' in file.text


def test_all_texts_of_the_modules_exist() -> None:
    whole = "\n".join(path.read_text() for path in MODULES.glob("*.js"))
    keys = {f"checked_{each}" for each in re.findall(r'\.good\("(\w+)"', whole)}
    keys |= {f"unchecked_{each}" for each in re.findall(r'\.open\("(\w+)"', whole)}
    keys |= set(re.findall(r'\b(?:say|complain)\("(\w+)"', (MODULES / f"{PAGE}.js").read_text()))
    kinds = {
        f"kind_{each}"
        for each in re.findall(r'(?:refuse|Fault)\([^,"]+, "(\w+)"|kind = "(\w+)"', whole)
        for each in each
        if each
    }

    kinds |= {f"kind_{each}" for each in re.findall(r'fail\(.*, "(\w+)"\)', whole)}
    keys |= {f"part_{each}" for each in re.findall(r'\bname: "([a-z]+)"', whole)}

    assert keys | kinds <= set(WORDS)
    assert {"kind_table", "kind_standings", "part_roles", "part_match"} <= keys | kinds
    assert {"checked_chain", "unchecked_legality", "kind_legality"} <= keys | kinds


def test_the_file_is_cacheable_and_the_same_for_all_readers(client: TestClient[Any]) -> None:
    first = file_of(client, "en")

    assert first.headers["content-disposition"] == 'attachment; filename="esporles-verify.html"'
    assert "public" in first.headers["cache-control"]
    assert file_of(client, "en", **{"Accept-Language": "de"}).content == first.content
    again = file_of(client, "en", **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert file_of(client, "xx").status_code == 404


def test_the_file_makes_no_requests_and_the_page_only_to_its_service(client: TestClient[Any]) -> None:
    file, page = file_of(client, "en").text, client.get("/verify")

    assert "default-src 'none'" in file
    assert not re.search(r"<link|<img|\bsrc=|@import|url\((?!data:)", file)
    scripts = ["/static/verifier/page.js", "/static/checkpoints.js"]
    assert re.findall(r'<script type="module" src="([^"]+)"', page.text) == scripts
    for name in ordered_modules(PAGE):
        assert client.get(f"/static/verifier/{name}.js").status_code == 200
    assert client.get("/static/verifier.css").status_code == 200


def test_a_table_that_has_ended_leads_there_and_to_its_proof(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    assert f"/verify?match={match_id}" not in client.get(f"/tables/{match_id}").text
    assert ann.post(f"/matches/{match_id}/resignation", {})[0] == 201

    html = client.get(f"/tables/{match_id}").text
    assert f'href="/verify?match={match_id}"' in html
    assert f'href="/api/matches/{match_id}/proof"' in html
