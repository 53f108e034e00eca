"""Matches under retired rules explain why they cannot be continued."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast
from uuid import UUID

import pytest
from litestar.testing import TestClient

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.title import AnyRules, Titles
from domain.titles import TITLES
from tests.api.service import catch_up, settings_in
from tests.domain.matches.match_helpers import BOT, act_once, play_out, start_match
from tests.seeding import entropy
from tests.service_app import create_app

TITLE: Final = "el_grande"
GOING_ON, ENDED, PRESENT = (UUID(int=number) for number in range(1, 4))
SENTENCES: Final = {
    "en": "The rules have changed since this match started, so it cannot be continued. You can still view it.",
    "cs": "Od začátku této partie se změnila pravidla, proto v ní nelze pokračovat. Stále si ji lze prohlédnout.",
    "uk": "Відколи почалася ця партія, правила змінилися, тому продовжити її не можна. Її можна й далі переглядати.",
    "pl": "Od początku tej rozgrywki zmieniły się zasady, więc nie można jej kontynuować. Nadal można ją oglądać.",
    "de": "Die Regeln haben sich geändert, seit diese Partie begonnen hat: Sie kann nicht weitergespielt werden."
    " Ansehen lässt sie sich weiterhin.",
}


def titles_before() -> Titles:
    """Return the title with a retired version of its rules."""
    title = TITLES[TITLE]
    rules = SimpleNamespace(**{**vars(title.rules), "RULES_VERSION": title.rules.RULES_VERSION - 1})
    return {TITLE: replace(title, rules=cast("AnyRules", rules))}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient[Any]]:
    """Start a service with a running match of both versions, and a finished match of the retired version."""
    settings = settings_in(tmp_path)
    assert settings.log_file is not None
    settings.log_file.parent.mkdir(parents=True, exist_ok=True)
    env = store_env(settings.log_file)
    with closing(open_store(env, titles=titles_before(), entropy=entropy())) as before:
        act_once(before, start_match(before, GOING_ON, ("ann", "ben"), title=TITLE))
        play_out(before, start_match(before, ENDED, (BOT, BOT), title=TITLE))
    with closing(open_store(env, entropy=entropy())) as now:
        start_match(now, PRESENT, ("ann", "ben"), title=TITLE)
    with TestClient(create_app(settings, entropy())) as client:
        yield client


@pytest.mark.parametrize("language", SENTENCES)
def test_the_page_explains_why_the_match_is_stopped(client: TestClient[Any], language: str) -> None:
    pages = [
        client.get(f"/tables/{match_id}", headers={"Accept-Language": language}).text
        for match_id in (GOING_ON, ENDED, PRESENT)
    ]

    assert [SENTENCES[language] in page for page in pages] == [True, False, False]


def test_the_api_marks_it_from_the_log_and_from_the_read_models(client: TestClient[Any]) -> None:
    def fetch_retired() -> list[bool]:
        return [client.get(f"/api/matches/{match_id}").json()["retired"] for match_id in (GOING_ON, ENDED, PRESENT)]

    folded = fetch_retired()
    catch_up(client)

    assert folded == fetch_retired() == [True, True, False]
