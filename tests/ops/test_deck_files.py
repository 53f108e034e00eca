"""Custom deck and component files: given on the command line, named by digest in the log, refused in one line."""

import json
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from litestar.testing import TestClient

from domain.kernel.component_data import DataFault
from domain.matches import data_files
from ops.cli import main
from tests.api.service import settings_in
from tests.seeding import entropy
from tests.service_app import create_app

DATA = resources.files("domain.titles.la_granja.data")
DECK = (DATA / "farm_cards.toml").read_text(encoding="utf-8")
COMPONENTS = (DATA / "components.toml").read_text(encoding="utf-8")
PLAY = ("play", "--title", "la_granja", "--bots", "random", "--players", "2", "--seed", "77")


def write_variant(folder: Path, name: str, text: str, *changes: tuple[str, str]) -> Path:
    """Write a packaged file with replacements, each of a unique text."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def other_deck(folder: Path) -> Path:
    return write_variant(folder, "Feast Day.toml", DECK, ('name = "Chef"', 'name = "Cantineer"'))


def test_a_log_names_its_deck_and_verifies_only_with_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first fact has the digest; `verify` names the missing deck, and succeeds if it is given."""
    deck, log = write_variant(tmp_path, "feast.toml", DECK, ('name = "Chef"', 'name = "Sutler"')), tmp_path / "m.jsonl"
    assert main([*PLAY, "--deck", str(deck), "--out", str(log)]) == 0
    opening = json.loads(log.read_text().splitlines()[1])["body"]
    name, _, digest = opening["options"]["deck"].partition("@")
    assert (name, len(digest), len(opening["data"])) == ("feast", 16, 64)

    with_other_digest = write_variant(
        tmp_path, "n.jsonl", log.read_text(), (f"feast@{digest}", f"feast@{digest[::-1]}")
    )
    capsys.readouterr()

    assert main(["verify", str(log), "--deck", str(deck)]) == 0
    assert main(["verify", str(with_other_digest)]) == 1


def test_a_log_with_a_missing_deck_names_it(tmp_path: Path) -> None:
    """Another process knows only the packaged deck."""
    deck, log = other_deck(tmp_path), tmp_path / "m.jsonl"
    assert main([*PLAY, "--deck", str(deck), "--out", str(log)]) == 0
    digest = json.loads(log.read_text().splitlines()[1])["body"]["options"]["deck"].partition("@")[2]

    process = subprocess.run(
        (sys.executable, "-m", "ops.cli", "verify", log), capture_output=True, text=True, check=False
    )

    assert process.returncode == 1
    message = f"entry 1 (components): the deck 'feast_day' whose digest begins with {digest} is needed"
    assert message in process.stdout


def test_a_component_file_changes_prices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """LG-2.8: the view contains the price of a pig."""
    expensive, log = write_variant(tmp_path, "dear.toml", COMPONENTS, ("buy = 5", "buy = 7")), tmp_path / "m.jsonl"
    assert main([*PLAY, "--components", str(expensive), "--out", str(log)]) == 0
    capsys.readouterr()

    assert main(["show", str(log), "--at", "9", "--seat", "0", "--components", str(expensive), "--json"]) == 0
    prices = json.loads(capsys.readouterr().out)["view"]["farms"][0]["prices"]
    assert {price["resource"]: price["buy"] for price in prices}["pig"] == 7


def test_fork_and_cards_accept_a_custom_deck(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deck, log, fork = other_deck(tmp_path), tmp_path / "m.jsonl", tmp_path / "f.jsonl"
    assert main([*PLAY, "--deck", str(deck), "--out", str(log)]) == 0
    assert main(["fork", str(log), "--at", "40", "--seed", "78", "--out", str(fork), "--deck", str(deck)]) == 0
    assert main(["verify", str(fork), "--deck", str(deck)]) == 0
    capsys.readouterr()

    assert main(["cards", "--title", "la_granja", "--deck", str(deck), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cards"][0]["name"] == "Cantineer"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("number = 2\n", "number = 1\n"), "bad.toml, card numbers: 1 appears twice"),
        (('kind = "market_removed_vp"', 'kind = "miracle"'), "bad.toml, card 2: key `helper.kind`: `miracle` is not"),
        (("{ vp_cost = 1,", "{ vp_cost = -1,"), "bad.toml, card 4: key `helper.params.vp_cost`: Expected `int` >= 0"),
        (("vp = 3", "vp = 7"), "bad.toml, card 2: key `barrow.vp`: 7 is not between 2 and 6"),
        (('["pig", "pig"]', '["pig", "cow"]'), "bad.toml, card 2, barrow: key `goods[1]`: Invalid enum value 'cow'"),
        (('["pig", "pig"]', "[]"), "bad.toml, card 2: key `barrow.goods`: expected 1 to 9 goods, not 0"),
        (("pig_pens = 1", "pig_pens = -1"), "bad.toml, card 1: key `extension.pig_pens`: -1 is not between 0 and 9"),
        (("once_per_round = false", "once_per_round = 3"), "card 1, helper: key `once_per_round`: Expected `bool`"),
        (("{ vp = 1 }", "{ vp = 1, wine = 2 }"), "bad.toml, card 2: key `helper.params.wine`: unknown key"),
        (("{ vp = 1 }", "{ }"), "bad.toml, card 2: key `helper.params.vp`: missing key"),
        (('name = "Chef"', 'name = " "'), "bad.toml, card 1: key `helper.name`: ' ' is not a name"),
        (('phases = ["any"]', "phases = []"), "bad.toml, card 1: key `helper.phases`: expected at least one phase"),
        (("[cards.barrow]", "barrow = 3\n[barrow]"), "bad.toml, card 1, barrow: expected a table, not 3"),
        (("[[cards]]", "[[cards"), "bad.toml is not TOML"),
    ],
)
def test_an_invalid_deck_is_refused_naming_card_and_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: tuple[str, str], sentence: str
) -> None:
    invalid = write_variant(tmp_path, "bad.toml", DECK, change)

    assert main([*PLAY, "--deck", str(invalid)]) == 2

    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_a_deck_of_65_cards_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    short = write_variant(tmp_path, "short.toml", DECK[: DECK.rindex("[[cards]]")])

    assert main([*PLAY, "--deck", str(short)]) == 2
    assert capsys.readouterr().err == "esporles play: short.toml: a deck has 66 cards, not 65\n"


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    not_utf8 = tmp_path / "odd.toml"
    not_utf8.write_bytes(b"\xff")
    empty = write_variant(tmp_path, "empty.toml", "cards = [3]")

    for path, message in ((tmp_path / "none.toml", "cannot read"), (not_utf8, "is not UTF-8 text"), (empty, "place 1")):
        assert main([*PLAY, "--deck", str(path)]) == 2
        assert message in capsys.readouterr().err


def test_two_decks_or_a_deck_for_el_grande_are_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deck = str(other_deck(tmp_path))

    assert main([*PLAY, "--deck", deck, "--option", "deck=standard"]) == 2
    assert "--deck FILE and --option deck=standard cannot be combined" in capsys.readouterr().err
    assert main(["play", "--title", "el_grande", "--bots", "random,random", "--deck", deck]) == 2
    assert "el_grande does not support deck files" in capsys.readouterr().err


def test_the_service_offers_decks_in_the_data_folder(tmp_path: Path) -> None:
    folder = tmp_path / "la_granja" / "deck"
    folder.mkdir(parents=True)
    write_variant(folder, "harvest.toml", DECK, ('name = "Chef"', 'name = "Reaper"'))
    (installed,) = data_files.register_data_folder(tmp_path)

    with TestClient(create_app(settings_in(tmp_path), entropy())) as client:
        page = client.get("/cards/la_granja", params={"deck": installed.removeprefix("deck=")})
        unknown = client.get("/cards/la_granja", params={"deck": "none"})
        lobby, form = client.get("/").text, client.get("/open/la_granja").text
        fields = {"_csrf_token": client.cookies["csrftoken"], "options.deck": installed.removeprefix("deck=")}
        table = client.post("/tables", data={"title": "la_granja", "seats": "2", **fields})

    assert "Reaper" in page.text
    assert f'<option value="{installed.removeprefix("deck=")}">“harvest ' in lobby
    assert f'<option value="{installed.removeprefix("deck=")}">“harvest ' in form
    assert "“harvest " in table.text
    assert f'href="/cards/la_granja?deck={installed.removeprefix("deck=").replace("@", "%40")}"' in page.text
    assert unknown.status_code == 422
    assert "standard" in unknown.text


def test_an_invalid_file_in_the_data_folder_is_named_at_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "la_granja" / "components"
    folder.mkdir(parents=True)
    write_variant(folder, "free.toml", COMPONENTS, ("buy = 5", "buy = -5"))

    assert main(["serve", "--data", str(tmp_path)]) == 2
    assert "free.toml, resources pig: key `buy`: -5 is below 0" in capsys.readouterr().err
    with pytest.raises(DataFault):
        data_files.register_data_folder(tmp_path)
