"""Allowed names: none that looks like another name, like a name of the service, or like nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from api.accounts.names import (
    MADE_BY,
    BadName,
    BlankName,
    MixedName,
    NameAlike,
    ReservedName,
    acceptable_name,
    name_key,
    skeletons_of,
)
from api.accounts.people import PEOPLE, NoGuest, People
from domain.matches.entropy import system_entropy
from ops.cli import main
from tests.api.http.forms import Visitor
from tests.api.service import PASSWORD

AT = datetime(2026, 1, 1, tzinfo=UTC)

ALIKE = [
    ("BOB", "\u0412\u041e\u0412"),  # Cyrillic
    ("bob", "\u0412\u041e\u0412"),
    ("paypal", "\u0440\u0430\u0443\u0440\u0430\u04c0"),
    ("Ann", "\uff21\uff4e\uff4e"),  # fullwidth
    ("Ann", "\U0001d400\U0001d427\U0001d427"),  # mathematical bold
    ("modern", "modem"),
    ("Bill", "BiII"),
    ("Bill", "BILL"),
    ("Player 10", "P1ayer lO"),
    ("Zo\u00eb", "Zoe\u0308"),
]


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_lookalike_names_share_a_skeleton(name: str, other: str) -> None:
    assert set(skeletons_of(name)) & set(skeletons_of(other))


@pytest.mark.parametrize(("name", "other"), [("Ann", "Anna"), ("Zoë", "Zoe"), ("Olena", "Олена"), ("Ann", "Avv")])
def test_distinct_names_share_no_skeleton(name: str, other: str) -> None:
    assert not set(skeletons_of(name)) & set(skeletons_of(other))


def test_a_name_that_looks_like_another_is_rejected(people: People) -> None:
    people.create("BOB", PASSWORD, AT)
    guest = people.create_guest(AT)

    with pytest.raises(NameAlike, match="looks like the name of another account"):
        people.create("\u0412\u041e\u0412", PASSWORD, AT)
    with pytest.raises(NameAlike):
        people.claim(guest, "B0B", PASSWORD, AT)

    assert people.find(guest.id) == guest
    people.claim(guest, "Bo", PASSWORD, AT)
    with pytest.raises(NoGuest):
        people.claim(guest, "Boris", PASSWORD, AT)
    with pytest.raises(NameAlike):
        people.create("B0", PASSWORD, AT)


def test_erasing_an_account_frees_its_name(people: People) -> None:
    people.erase(people.create("BOB", PASSWORD, AT).id)

    assert people.create("\u0412\u041e\u0412", PASSWORD, AT).name == "\u0412\u041e\u0412"


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("\u3164\u3164", BlankName),
        ("\u2800\u2800", BlankName),
        ("Ann\u00ad", BlankName),
        ("A\u034fnn", BlankName),
        ("Ann\ufe0f", BlankName),
        ("An\u202enA", BlankName),
        ("★★", BlankName),
        ("...", BlankName),
        ("\u0410nn", MixedName),
        ("Pa\u03c1ac", MixedName),
        ("Ann\u0663", MixedName),
        ("3\u096a", MixedName),
        ("service", ReservedName),
        ("SERVlCE", ReservedName),
        ("somebody", ReservedName),
        ("Deleted account", ReservedName),
        ("deleted account 2", ReservedName),
        ("erased", ReservedName),
        ("Erased 2", ReservedName),
        ("gelöschtes Konto", ReservedName),
        ("někdo", ReservedName),
        ("Greedy bot", ReservedName),
        ("Gieriger Bot", ReservedName),
        ("greedy", ReservedName),
        ("bot:greedy@2", ReservedName),
        ("b0t:x", ReservedName),
        ("Жадібний бот", ReservedName),
        ("Guest 00ff00", ReservedName),
        ("Гість", ReservedName),
        ("0123456789abcdef0123456789abcdef", ReservedName),
        ("A", BadName),
        ("A" * 41, BadName),
    ],
)
def test_an_empty_or_misleading_name_is_rejected(name: str, refusal: type[BadName]) -> None:
    with pytest.raises(refusal):
        acceptable_name(name)


@pytest.mark.parametrize(
    "name",
    ["Žofie Říhová", "Łukasz", "Олена", "Müller", "O'Neil", "李小龍", "Ann 李", "1984", "Abbot", "Gaston", "Ann ♥"],
)
def test_ordinary_names_are_accepted(name: str) -> None:
    assert acceptable_name(f" {name}  ") == name


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("\u0412\u041e\u0412", 409, "account/name_alike"),
        ("\u3164\u3164", 400, "account/name_blank"),
        ("\u0410nn", 400, "account/name_mixed"),
        ("Guest 1", 400, "account/name_reserved"),
    ],
)
def test_a_rejected_name_has_a_code_and_a_message(client: TestClient[Any], name: str, status: int, code: str) -> None:
    if PEOPLE.of(client).by_name("BOB") is None:
        PEOPLE.of(client).create("BOB", PASSWORD, AT)

    response = client.post("/api/accounts", json={"name": name, "password": PASSWORD})
    visitor = Visitor(client)
    visitor.goes("/sign-in")
    page = visitor.sends("/sign-up", {"name": name, "password": PASSWORD}, {"Accept-Language": "de"})

    assert (response.status_code, response.json()["code"]) == (status, code)
    assert page.status_code == status
    assert 'aria-describedby="sign-up-name-fault"' in page.text


def create_old_names(folder: Path, *names: str) -> None:
    """Create accounts with names from before the rules existed."""
    with closing(People(folder / "people.db")) as people:
        guests = [people.create_guest(AT) for _ in names]
    with closing(sqlite3.connect(folder / "people.db")) as database, database:
        for name, guest in zip(names, guests, strict=True):
            row = (name, name_key(name), "no hash", guest.id)
            database.execute("UPDATE people SET name = ?, name_key = ?, password = ? WHERE id = ?", row)


def test_an_old_database_gets_skeletons(tmp_path: Path) -> None:
    create_old_names(tmp_path, "BOB")

    with closing(People(tmp_path / "people.db")) as people, pytest.raises(NameAlike):
        people.create("\u0412\u041e\u0412", PASSWORD, AT)


def test_outdated_skeletons_are_renewed(tmp_path: Path) -> None:
    create_old_names(tmp_path, "Ann")
    People(tmp_path / "people.db").close()
    with closing(sqlite3.connect(tmp_path / "people.db")) as database, database:
        database.execute("UPDATE looks SET look = 'something else', made_by = '0'")

    People(tmp_path / "people.db").close()

    with closing(sqlite3.connect(tmp_path / "people.db")) as database:
        assert database.execute("SELECT look, made_by FROM looks").fetchall() == [("ann", MADE_BY)]


def test_existing_lookalikes_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    create_old_names(tmp_path, "BOB", "\u0412\u041e\u0412", "Ann", "Guest star")

    assert main(["account", "collisions", "--data", str(tmp_path), "--json"]) == 1
    report = msgspec.json.decode(capsys.readouterr().out)
    assert [each["names"] for each in report["alike"]] == [["BOB", "\u0412\u041e\u0412"]]
    assert [each["name"] for each in report["doubtful"]] == ["Guest star"]

    assert main(["account", "collisions", "--data", str(tmp_path)]) == 1
    output = capsys.readouterr().out
    assert "'BOB' and '\u0412\u041e\u0412' look alike (ids " in output
    assert "the name 'Guest star' is reserved" in output


def test_without_lookalikes_nothing_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    create_old_names(tmp_path, "Ann", "Ben")

    assert main(["account", "collisions", "--data", str(tmp_path)]) == 0
    assert "no names look alike, and all names are allowed" in capsys.readouterr().out


def test_a_taken_guest_number_is_drawn_again(tmp_path: Path) -> None:
    numbers = iter((7, 7, 7, 8))

    def entropy(length: int, purpose: str) -> bytes:
        return next(numbers).to_bytes(length, "big") if purpose == "guest" else system_entropy(length, purpose)

    with closing(People(tmp_path / "people.db", entropy)) as people:
        first, second = people.create_guest(AT), people.create_guest(AT)

    assert (first.name, second.name) == ("Guest 000007", "Guest 000008")
    assert first.id != second.id
