"""The log in PostgreSQL with the tree in a file: tampering is refused and found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from ops.progress import silence
from ops.transparency.store_audit import examine_store
from projections.platform.settings import Settings
from tests.api.service import settings_in
from tests.api.transparency.test_tampered import REFUSED, answer, two_matches
from tests.domain.eventstore.faulty_stores import cut, delete, swap, write
from tests.domain.eventstore.postgres import fresh_database, postgres_server
from tests.transparency.outsiders import watched_service


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    with postgres_server() as server:
        yield msgspec.structs.replace(settings_in(tmp_path), store=fresh_database(server, "log"))


def test_tampering_is_refused_and_found(settings: Settings) -> None:
    changed, other = two_matches(settings.data, settings)
    assert examine_store(settings, 2, silence, is_running=False).examination.count == 0
    attacks: tuple[tuple[Callable[[], None], set[int]], ...] = (
        (lambda: swap(settings.store, changed, 3, 4), {3, 4, 5}),
        (lambda: write(settings.store, changed, 6, b"\xff"), {3, 4, 5, 6}),
        (lambda: delete(settings.store, changed, 7), {3, 4, 5, 6, 7}),
        (lambda: cut(settings.store, changed, 0), set(range(1, 9))),
    )
    for damage, entries in attacks:
        damage()
        examination = examine_store(settings, 1, silence, is_running=False).examination
        assert {(each.stream, each.entry) for each in examination.differences} == {
            (str(changed), entry) for entry in entries
        }
        with watched_service(settings.data, settings) as auditor:
            assert [answer(auditor, f"/api/matches/{each}/log") for each in (changed, other)] == [REFUSED, (200, "")]
            assert UUID(auditor.client.get(f"/api/matches/{other}").json()["matchId"]) == other
