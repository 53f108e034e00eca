"""Somebody changes the log of a stopped house: what they have changed is not served, and everything else goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest

from domain.roles.audit import AUDIT_STREAM
from domain.roles.state import ROLES_STREAM
from projections.platform.settings import Settings
from tests.api.house import Person, catch_up, make_operator, started
from tests.api.transparency.strangers import Fact, Stranger, change, cut, house, rewrite

REFUSED: Final = (503, "log/tampered")


def answer(stranger: Stranger, path: str, **headers: str) -> tuple[int, str]:
    """Status and code of an answer."""
    found = stranger.client.get(path, headers=headers)
    is_problem = found.headers["content-type"] == "application/problem+json"
    return found.status_code, found.json()["code"] if is_problem else ""


def two_matches(folder: Path, settings: Settings | None = None) -> tuple[UUID, UUID]:
    """Two matches that have ended, covered by the tree; the house is stopped then."""
    with house(folder, settings) as stranger:
        ann, ben = Person(stranger.client), Person(stranger.client)
        found = [UUID(started(ann, ben)) for _ in range(2)]
        for match_id in found:
            assert ann.post(f"/matches/{match_id}/resignation", {})[0] == 201
        catch_up(stranger.client)
        stranger.covered()
        return found[0], found[1]


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


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_a_match_that_was_changed_is_not_served_and_others_are(
    tmp_path: Path, attack: Callable[[Path, UUID], Any]
) -> None:
    changed, other = two_matches(tmp_path)
    attack(tmp_path, changed)
    with house(tmp_path) as stranger:
        paths = [f"/api/matches/{changed}", f"/api/matches/{changed}/log", f"/api/matches/{changed}/entries"]
        assert [answer(stranger, path) for path in paths] == [REFUSED] * 3
        page = stranger.client.get(f"/tables/{changed}", headers={"Accept": "text/html"})
        assert page.status_code == 503
        assert "is not what this server signed" in page.text
        assert "Traceback" not in page.text
        assert [answer(stranger, path.replace(str(changed), str(other)))[0] for path in paths] == [200] * 3
        assert started(Person(stranger.client), Person(stranger.client))


def test_a_trail_that_was_cut_is_neither_shown_nor_continued(tmp_path: Path) -> None:
    """Who deletes what was kept about them cannot have the trail go on from there."""
    with house(tmp_path) as stranger:
        boss, ann = Person(stranger.client), Person(stranger.client)
        make_operator(stranger.client, boss.id)
        for role in ("arbiter", "organiser", "annotator"):
            assert boss.post("/roles", {"person": ann.id, "role": role})[0] == 200
        started(boss, ann)
        stranger.covered()
    cut(tmp_path, AUDIT_STREAM, 2)
    with house(tmp_path) as stranger:
        boss.client = stranger.client
        assert boss.get("/audit/file")[1]["code"] == "log/tampered"
        assert boss.get("/audit")[1]["code"] == "log/tampered"
        assert boss.post("/roles", {"person": ann.id, "role": "operator"})[1]["code"] == "log/tampered"
        assert started(Person(stranger.client), Person(stranger.client))


def test_a_house_starts_although_its_roles_were_changed(tmp_path: Path) -> None:
    """Whoever writes themselves a role into the file holds none: nobody does until it is put right."""
    with house(tmp_path) as stranger:
        boss, eve = Person(stranger.client), Person(stranger.client)
        make_operator(stranger.client, boss.id)
        assert boss.post("/roles", {"person": eve.id, "role": "arbiter"})[0] == 200
        stranger.covered()
    rewrite(tmp_path, ROLES_STREAM, {2: lambda fact: fact | {"role": "organiser"}})
    with house(tmp_path) as stranger:
        eve.client = stranger.client
        assert eve.get("/audit")[1]["code"] == "log/tampered"
        assert started(eve, Person(stranger.client))
