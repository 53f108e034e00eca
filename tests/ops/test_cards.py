"""`esporles cards` and its page: every card with its uses and the source of each value."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from domain.kernel.component_data import PROVENANCE_WORDS
from domain.titles import TITLES
from ops.cli import main
from ops.commands.cards_ import load_catalogues
from tests.api.service import settings_in
from tests.seeding import entropy
from tests.service_app import create_app

COUNTS = {"la_granja": 66, "el_grande": 45 + 55 + 16}


def cards_of(capsys: pytest.CaptureFixture[str], title: str) -> Any:
    assert main(["cards", "--title", title, "--json"]) == 0
    return json.loads(capsys.readouterr().out)["cards"]


@pytest.mark.parametrize("title", sorted(load_catalogues(TITLES)))
def test_every_card_is_listed_with_the_sources_of_its_values(capsys: pytest.CaptureFixture[str], title: str) -> None:
    cards = cards_of(capsys, title)

    assert len(cards) == COUNTS[title]
    sources = {source for card in cards for side in card["sides"] for source in side["provenance"].split(", ")}
    assert all(PROVENANCE_WORDS.fullmatch(source) for source in sources)
    assert all(len(card["sides"]) >= 2 for card in cards)


def test_a_farm_card_shows_its_four_uses(capsys: pytest.CaptureFixture[str]) -> None:
    """LG-3.1.7: field, barrow, extension and helper; number 1 is the Chef."""
    chef = cards_of(capsys, "la_granja")[0]

    assert (chef["id"], chef["name"]) == ("1", "Chef")
    assert {side["name"].partition(",")[0] for side in chef["sides"]} == {
        "number",
        "field",
        "barrow",
        "extension",
        "helper",
    }
    assert {"name": "barrow, goods", "text": "olive, grape", "provenance": "reconstructed"} in chef["sides"]


def test_a_card_of_2006_states_its_differences(capsys: pytest.CaptureFixture[str]) -> None:
    """EG-26.1."""
    cards = [card for card in cards_of(capsys, "el_grande") if card["id"] == "s1-militia"]

    newer, older = ([note for note in card["notes"] if note.startswith("Differs")] for card in cards)
    assert older == ["Differs from the card of 2023: the Castillo is an allowed destination"]
    assert newer == []


def test_the_cards_a_table_plays_with_by_default_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    """EG-26.2."""
    assert main(["cards", "--title", "el_grande"]) == 0

    headings = re.findall(r"^== (.+), stack", capsys.readouterr().out, re.MULTILINE)
    assert headings[0] == "2023 edition"
    assert headings.index("2023 edition") < headings.index("2006 edition")


def test_the_text_output_starts_with_a_legend(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "--title", "el_grande"]) == 0

    output = capsys.readouterr().out
    assert output.startswith("el_grande: 116 cards")
    assert "reconstructed" in output
    assert re.search(r"^== Shift of Power \(16\)$", output, re.MULTILINE)


def test_an_unknown_title_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as system_exit:
        main(["cards", "--title", "whist"])

    assert system_exit.value.code == 2
    assert "whist" in capsys.readouterr().err


def test_the_page_shows_the_same_cards_with_a_legend(tmp_path: Path) -> None:
    with TestClient(create_app(settings_in(tmp_path), entropy())) as client:
        for title, catalogue in load_catalogues(TITLES).items():
            page = client.get(f"/cards/{title}")

            assert page.status_code == 200
            names = set(map(unescape, re.findall(r'data-beside href="/cards/\w+#[\w-]+">([^<]+)</a>', page.text)))
            assert {card.name for card in catalogue(TITLES[title].rules.options({}).chosen)} <= names
        response = client.get("/cards/whist")
        assert 400 <= response.status_code < 500
        assert "whist" in response.text
