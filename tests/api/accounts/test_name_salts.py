"""Salts of commitments to names, in a file and at a server; they are erased with their accounts."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from api.accounts.name_salts import commit_to_name, list_salted, list_uncommitted, note_commitment
from api.accounts.people import People

AT: Final = datetime(2026, 11, 29, tzinfo=UTC)


@pytest.mark.parametrize("place", ["file", "server"])
def test_every_account_gets_a_salt_once_and_loses_it_with_its_erasure(
    place: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    people = People(tmp_path / "people.db" if place == "file" else request.getfixturevalue("fresh_postgres"))
    try:
        anna, beatrice = (people.create(name, "long enough", AT) for name in ("Anna", "Beatrice"))
        people.create_guest(AT)
        assert sorted(list_uncommitted(people)) == sorted([(anna.id, "Anna"), (beatrice.id, "Beatrice")])
        first = commit_to_name(people, anna.id, "Anna")
        assert commit_to_name(people, anna.id, "Anna") == first != commit_to_name(people, anna.id, "Beatrice")
        note_commitment(people, anna.id)
        assert list_uncommitted(people) == [(beatrice.id, "Beatrice")]
        salts = {each.person: each.salt for each in list_salted(people)}
        assert [bool(salts[person.id]) for person in (anna, beatrice)] == [True, False]
        people.erase(anna.id)
        assert {each.name for each in list_salted(people)} >= {"Beatrice"}
        assert not any(each.salt for each in list_salted(people))
        # The register of names listed the account before its erasure.
        assert commit_to_name(people, anna.id, "Anna") is None
        note_commitment(people, anna.id)
        assert not any(name.startswith("name") for (name,) in people.rows("SELECT name FROM secrets"))
    finally:
        people.close()
