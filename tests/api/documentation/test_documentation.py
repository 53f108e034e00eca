"""The documentation site under `/docs`."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from api.documentation import pages
from ops.dev.docs import build_in_checkout

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'"


@pytest.fixture(scope="module", autouse=True)
def site() -> Path:
    return build_in_checkout()


def test_the_first_page_and_its_files_are_served(client: TestClient[Any]) -> None:
    page = client.get("/docs")

    assert page.status_code == 200
    assert page.url.path == "/docs/index.html"
    assert page.headers["content-security-policy"].startswith(POLICY)
    assert "public" not in page.headers["cache-control"]
    files = set(re.findall(r'(?:src|href)="([\w/.-]+\.(?:js|css))[?"]', page.text))
    assert "_static/theme.js" in files
    assert {file: client.get(f"/docs/{file}").status_code for file in files} == dict.fromkeys(files, 200)


def test_other_addresses_below_docs_do_not_exist(client: TestClient[Any]) -> None:
    for path in ("/docs/nowhere.html", "/docs/_static/../../built", "/docs/%2e%2e/built"):
        assert client.get(path).status_code == 404, path


def test_every_page_of_the_service_links_to_the_site(client: TestClient[Any]) -> None:
    assert 'href="/docs/index.html"' in client.get("/").text


@pytest.fixture
def nothing_built(tmp_path: Path) -> Iterator[None]:
    built, pages.BUILT = pages.BUILT, tmp_path  # type: ignore[misc]
    yield
    pages.BUILT = built  # type: ignore[misc]


@pytest.mark.usefixtures("nothing_built")
def test_a_checkout_without_the_site_says_how_to_build_it(client: TestClient[Any]) -> None:
    for path in ("/docs", "/docs/index.html"):
        page = client.get(path, headers={"Accept": "text/html"})

        assert page.status_code == 404
        assert "Run ops/docs" in page.text
