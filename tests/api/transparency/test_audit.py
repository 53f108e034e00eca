"""The daily audit of the store, and publication of its time and findings."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from api.transparency.audit_progress import AuditFile, AuditProgress
from api.transparency.daily_audit import FILE
from domain.transparency.tiles import WIDTH
from projections.platform.clock import now
from tests.api.service import SERVICE_TOKEN, Person, behind_sockets, make_operator, start_match
from tests.api.transparency.test_tampered import richer, two_matches
from tests.transparency.outsiders import Stranger, rewrite, watched_service


def wait_for_audit(stranger: Stranger) -> Any:
    """Return the first finished audit."""
    return stranger.until(
        lambda: stranger.state()["examined"], lambda found: found is not None and found["finished"] is not None
    )


def make_due(folder: Path) -> AuditProgress:
    """Make the next audit due."""
    file = AuditFile(folder / FILE)
    last = file.load()
    assert last is not None
    file.save(last.__class__(begun=last.begun - timedelta(days=2), size=0, root="", finished=last.begun))
    return last


def test_an_intact_store_is_audited_daily(tmp_path: Path) -> None:
    with watched_service(tmp_path) as stranger:
        first = wait_for_audit(stranger)
        page = stranger.client.get("/transparency").text
        assert "Last audit" in page
        assert "Some stored data does not match what this server signed" not in page
        start_match(Person(stranger.client), Person(stranger.client))
        size = stranger.covering_checkpoint().size
    with watched_service(tmp_path) as stranger:
        assert stranger.state()["examined"] == first
    make_due(tmp_path)
    with watched_service(tmp_path) as stranger:
        again = stranger.until(lambda: wait_for_audit(stranger), lambda found: found["leaves"] >= size)

        assert again["begun"] > first["begun"]
        assert again["differences"] == first["differences"] == stranger.state()["refused"] == 0


def test_an_audit_dated_in_the_future_is_repeated(tmp_path: Path) -> None:
    """Neither a wrong clock nor a forged file suspends the audits."""
    file, later = AuditFile(tmp_path / FILE), now() + timedelta(days=3650)
    with watched_service(tmp_path) as stranger:
        last = wait_for_audit(stranger)
    saved = file.load()
    assert saved is not None
    for begun, finished in ((later, later), (later, None), (later.replace(tzinfo=None), later)):
        file.save(AuditProgress(begun=begun, size=saved.size, root=saved.root, finished=finished))
        with watched_service(tmp_path) as stranger:
            again = stranger.until(lambda: wait_for_audit(stranger), lambda found: found["begun"] < later.isoformat())

        assert again["begun"] > last["begun"]


def test_tampering_is_published_and_detailed_for_operators(tmp_path: Path) -> None:
    changed, _ = two_matches(tmp_path)
    rewrite(tmp_path, changed, {8: richer})
    make_due(tmp_path)
    with watched_service(tmp_path) as stranger:
        found = stranger.until(lambda: wait_for_audit(stranger), lambda found: found["differences"])
        boss = Person(stranger.client)
        make_operator(stranger.client, boss.id)
        pages = [stranger.client.get("/transparency", headers=each).text for each in ({}, boss.headers)]

        assert found["differences"] == 1
        assert all(
            "Some stored data does not match what this server signed. Someone has changed it." in p for p in pages
        )
        assert [f"{changed}, entry 8: differs from its leaf in the tree" in page for page in pages] == [False, True]
        assert stranger.state()["refused"] == 0
        assert stranger.client.get(f"/api/matches/{changed}").status_code == 503
        assert stranger.state()["refused"] == 1
        assert str(changed) not in stranger.client.get("/api/transparency").text
        html = stranger.client.get("/transparency", headers=boss.headers).text
        assert html.count(str(changed)) == 1
        assert "Matches and records not served" in html


def test_rejected_streams_are_a_metric(tmp_path: Path) -> None:
    changed, _ = two_matches(tmp_path)
    rewrite(tmp_path, changed, {8: richer})
    with behind_sockets(tmp_path) as running:
        assert running.ask("GET", f"/matches/{changed}")[0] == 503
        connection = running.connection(private=True)
        connection.request("GET", "/api/metrics", headers={"Authorization": f"Bearer {SERVICE_TOKEN}"})
        figures = connection.getresponse().read().decode()
        connection.close()

    assert "esporles_refused_streams 1.0" in figures


def test_an_interrupted_audit_continues(tmp_path: Path) -> None:
    """An interrupted audit keeps its start time; for another tree, a new audit starts."""
    with watched_service(tmp_path) as stranger:
        wait_for_audit(stranger)
        matches = [UUID(start_match(Person(stranger.client), Person(stranger.client))) for _ in range(2)]
        checkpoint = stranger.covering_checkpoint()
    assert len(matches) * 6 < checkpoint.size < WIDTH
    begun = now() - timedelta(hours=1)
    unfinished = AuditProgress(begun=begun, size=checkpoint.size, root=checkpoint.root.hex())
    AuditFile(tmp_path / FILE).save(unfinished)
    with watched_service(tmp_path) as stranger:
        assert wait_for_audit(stranger)["begun"] == begun.isoformat().replace("+00:00", "Z")
    AuditFile(tmp_path / FILE).save(AuditProgress(begun=begun, size=checkpoint.size, root="0" * 64))
    with watched_service(tmp_path) as stranger:
        assert wait_for_audit(stranger)["begun"] > begun.isoformat()
