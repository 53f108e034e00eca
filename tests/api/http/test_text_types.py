"""Texts declare their charset once: the framework adds it to every text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
from litestar.testing import TestClient

from tests.api.service import Person, start_match

API: Final = Path(__file__).parents[3] / "api"


@pytest.mark.parametrize(
    "path", ["/verify/en/esporles-verify.html", "/worker.js", "/", "/rankings/la_granja/2/list.csv"]
)
def test_a_text_has_one_charset(client: TestClient[Any], path: str) -> None:
    assert client.get(path).headers["Content-Type"].count("charset") <= 1


def test_the_report_of_a_study_has_one_charset(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    study = ann.post(f"/matches/{match_id}/annotations", {"title": "Mine"})[1]["id"]
    for path in (f"/studies/{study}/report", f"/api/studies/{study}/report"):
        kind = client.get(path, headers=ann.headers).headers["Content-Type"]
        assert kind == "text/markdown; charset=utf-8"


def test_no_handler_writes_a_charset_itself() -> None:
    written = [path.name for path in API.rglob("*.py") if re.search(r"media_type=.*charset", path.read_text())]
    assert written == []
