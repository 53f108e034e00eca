"""Tampering with the log of a stopped service: changed streams are not served, and everything else is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from domain.roles.audit import AUDIT_STREAM
from domain.roles.state import ROLES_STREAM
from projections.platform.settings import Settings
from tests.api.service import Person, catch_up, make_operator, start_match
from tests.transparency.outsiders import Fact, Stranger, change, cut, rewrite, watched_service

REFUSED: Final = (503, "log/tampered")


def answer(stranger: Stranger, path: str, **headers: str) -> tuple[int, str]:
    """Return status and error code of a response."""
    found = stranger.client.get(path, headers=headers)
    is_problem = found.headers["content-type"] == "application/problem+json"
    return found.status_code, found.json()["code"] if is_problem else ""


def ended_matches(folder: Path, count: int, settings: Settings | None = None) -> list[UUID]:
    """Play matches to their end, wait until the tree covers them, and stop the service."""
    with watched_service(folder, settings) as stranger:
        ann, ben = Person(stranger.client), Person(stranger.client)
        found = [UUID(start_match(ann, ben)) for _ in range(count)]
        for match_id in found:
            assert ann.post(f"/matches/{match_id}/resignation", {})[0] == 201
        catch_up(stranger.client)
        stranger.covering_checkpoint()
        return found


def two_matches(folder: Path, settings: Settings | None = None) -> tuple[UUID, UUID]:
    """Play two matches to their end."""
    changed, other = ended_matches(folder, 2, settings)
    return changed, other


def richer(fact: Fact) -> Fact:
    return fact | {"scores": [99, 1]}


def of_somebody_else(fact: Fact) -> Fact:
    return fact | {"by": "0" * 32}


ATTACKS: Final[dict[str, Callable[[Path, UUID], Any]]] = {
    "a result chained anew": lambda folder, match: rewrite(folder, match, {8: richer}),
    "an action chained anew": lambda folder, match: rewrite(folder, match, {7: of_somebody_else}),
    "an action in its place": lambda folder, match: rewrite(folder, match, {7: of_somebody_else}, chain=False),
    "its end cut off": lambda folder, match: cut(folder, match, 6),
    "deleted": lambda folder, match: cut(folder, match, 0),
    "its beginning deleted": lambda folder, match: change(
        folder / "log.db", "DELETE FROM stored_events WHERE originator_id = ? AND originator_version < 4", match.hex
    ),
    "a row that cannot be read": lambda folder, match: change(
        folder / "log.db",
        "UPDATE stored_events SET state = 'x' WHERE originator_id = ? AND originator_version = 5",
        match.hex,
    ),
}


def test_a_tampered_match_is_not_served_and_others_are(tmp_path: Path) -> None:
    """Each attack changes a different match of one store."""
    other, *changed = ended_matches(tmp_path, 1 + len(ATTACKS))
    for attack, match_id in zip(ATTACKS.values(), changed, strict=True):
        attack(tmp_path, match_id)
    with watched_service(tmp_path) as stranger:
        for name, match_id in zip(ATTACKS, changed, strict=True):
            paths = [f"/api/matches/{match_id}{part}" for part in ("", "/log", "/entries")]
            assert [answer(stranger, path) for path in paths] == [REFUSED] * 3, name
            page = stranger.client.get(f"/tables/{match_id}", headers={"Accept": "text/html"})
            assert page.status_code == 503, name
            assert "differs from what this server signed" in page.text, name
            assert "Traceback" not in page.text, name
            assert [answer(stranger, path.replace(str(match_id), str(other)))[0] for path in paths] == [200] * 3
        assert start_match(Person(stranger.client), Person(stranger.client))


def test_a_truncated_trail_is_neither_shown_nor_continued(tmp_path: Path) -> None:
    """Deleting records from the trail must not allow it to continue."""
    with watched_service(tmp_path) as stranger:
        boss, ann = Person(stranger.client), Person(stranger.client)
        make_operator(stranger.client, boss.id)
        for role in ("arbiter", "organiser", "annotator"):
            assert boss.post("/roles", {"person": ann.id, "role": role})[0] == 200
        start_match(boss, ann)
        stranger.covering_checkpoint()
    cut(tmp_path, AUDIT_STREAM, 2)
    with watched_service(tmp_path) as stranger:
        boss.client = stranger.client
        assert boss.get("/audit/file")[1]["code"] == "log/tampered"
        assert boss.get("/audit")[1]["code"] == "log/tampered"
        assert boss.post("/roles", {"person": ann.id, "role": "operator"})[1]["code"] == "log/tampered"
        assert start_match(Person(stranger.client), Person(stranger.client))


def test_the_service_starts_with_tampered_roles(tmp_path: Path) -> None:
    """A role written into the file is not effective, and all roles are suspended until it is repaired."""
    with watched_service(tmp_path) as stranger:
        boss, eve = Person(stranger.client), Person(stranger.client)
        make_operator(stranger.client, boss.id)
        assert boss.post("/roles", {"person": eve.id, "role": "arbiter"})[0] == 200
        stranger.covering_checkpoint()
    rewrite(tmp_path, ROLES_STREAM, {2: lambda fact: fact | {"role": "organiser"}})
    with watched_service(tmp_path) as stranger:
        eve.client = stranger.client
        assert eve.get("/audit")[1]["code"] == "log/tampered"
        assert start_match(eve, Person(stranger.client))
