"""Swapped names in the accounts database are found by both audits."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from api.accounts.name_salts import commit_to_name, list_salted, list_uncommitted
from api.accounts.people import People
from api.transparency.names import audit_names
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.keys.names import commit_name
from tests.api.service import Member
from tests.api.transparency.test_audit import make_due, wait_for_audit
from tests.ops.transparency.test_audit_store import audit
from tests.transparency.outsiders import Stranger, watched_service

AT = datetime(2026, 11, 29, tzinfo=UTC)
NAMES = ("Anna", "Beatrice", "Cleo")


def wait_for_commitments(stranger: Stranger, folder: Path) -> None:
    """Wait until every account has a commitment, and a checkpoint covers all of them."""
    with closing(People(folder / "people.db")) as people:
        stranger.until(lambda: list_uncommitted(people), lambda missing: not missing)
    stranger.covering_checkpoint()


def swap_names(folder: Path, one: str, other: str) -> None:
    """Swap the names of two accounts in the database of a stopped service."""
    with closing(sqlite3.connect(folder / "people.db")) as database, database:
        for before, after in ((one, "?"), (other, one), ("?", other)):
            database.execute(
                "UPDATE people SET name = ?, name_key = ? WHERE name = ?", (after, after.casefold(), before)
            )


def test_swapped_names_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The audit reports the ids of the two accounts, no names and no erased account."""
    with watched_service(tmp_path) as stranger:
        anna, beatrice, cleo = (Member(stranger.client, name) for name in NAMES)
    with watched_service(tmp_path) as stranger:
        wait_for_commitments(stranger, tmp_path)
        assert stranger.client.delete("/api/me", headers=cleo.headers).status_code < 300
    status, document = audit(capsys, tmp_path)
    assert (status, document["differences"]) == (0, [])
    with closing(People(tmp_path / "people.db")) as people:
        assert {each.person for each in list_salted(people) if each.salt is not None} == {anna.id, beatrice.id}
        assert cleo.id not in str(people.rows("SELECT name FROM secrets"))
    swap_names(tmp_path, "Anna", "Beatrice")
    status, document = audit(capsys, tmp_path)

    told = [each["why"] for each in document["differences"]]
    assert status == 1
    assert len(told) == 2
    assert all(f"the name of account {each.id} is not" in " ".join(told) for each in (anna, beatrice))
    assert not any(name in str(document) for name in NAMES)
    make_due(tmp_path)
    with watched_service(tmp_path) as stranger:
        found: Any = stranger.until(lambda: wait_for_audit(stranger), lambda found: found["differences"] > 0)
        assert found["differences"] == 2


def test_a_commitment_recorded_during_the_audit_is_no_difference(tmp_path: Path) -> None:
    """The audit has read a page of accounts before the salt of one of them was created."""
    with (
        closing(People(tmp_path / "people.db")) as people,
        closing(open_store(store_env(tmp_path / "log.db"))) as matches,
    ):
        persons = {person.id: person.name for person in (people.create(name, "long enough", AT) for name in NAMES)}
        differences = audit_names(people, matches)
        assert next(differences) is None
        for person, name in persons.items():
            commitment = commit_to_name(people, person, name)
            assert commitment is not None
            commit_name(matches, person, commitment, at=AT)

        assert [each for each in differences if each is not None] == []
