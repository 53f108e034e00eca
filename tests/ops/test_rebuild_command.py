"""`esporles rebuild` on a tampered store: other streams are rebuilt, and skipped ones are reported."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest

from domain.kernel.title import AnyTitle
from domain.roles.audit import AUDIT_STREAM
from ops.cli import main
from projections import roles
from projections.matches import boards
from projections.platform.store import ReadStore
from projections.rebuild import RebuildTables
from tests.api.service import Person, make_operator, start_match
from tests.api.transparency.test_tampered import ATTACKS, ended_matches, of_somebody_else
from tests.ops.transparency.test_prove import run
from tests.transparency.outsiders import cut, rewrite, watched_service
from workers.matches.bot_turn import PLAYERS, Players


def test_a_tampered_match_is_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every attack changes another match in one store."""
    other, *changed = ended_matches(tmp_path, 1 + len(ATTACKS))
    assert run(capsys, "rebuild", "--data", tmp_path)[0] == 0
    for attack, match_id in zip(ATTACKS.values(), changed, strict=True):
        attack(tmp_path, match_id)
    status, output, error = run(capsys, "rebuild", "boards", "clocks", "--data", tmp_path)

    assert (status, error) == (1, "")
    assert output.count("SKIPPED") == len(ATTACKS)
    assert all(f"SKIPPED  {match_id} differs from what this server signed: " in output for match_id in changed)
    document = json.loads(run(capsys, "rebuild", "boards", "--data", tmp_path, "--json")[1])
    assert {each["stream"] for each in document["passedOver"]} == {str(match_id) for match_id in changed}
    reads = ReadStore(tmp_path / "reads.db")
    assert [boards.get(reads, match_id) for match_id in changed] == [None] * len(ATTACKS)
    assert boards.get(reads, other) is not None
    reads.close()


def test_a_tampered_fork_is_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rebuilding such a store once ended in a traceback."""
    with watched_service(tmp_path) as auditor:
        ann, ben = Person(auditor.client), Person(auditor.client)
        match_id = start_match(ann, ben)
        assert ann.post(f"/matches/{match_id}/resignation", {})[0] == 201
        version = auditor.matches.get(UUID(match_id)).started_version
        assert version is not None
        status, fork = ann.post(f"/matches/{match_id}/forks", {"at": version, "luck": "same"})
        assert status == 201, fork
        fork_id = UUID(fork["matchId"])
        auditor.covering_checkpoint()
    rewrite(tmp_path, fork_id, {version + 1: of_somebody_else}, chain=False)
    status, output, _ = run(capsys, "rebuild", "boards", "--data", tmp_path)

    assert status == 1
    assert f"SKIPPED  {fork_id} differs from what this server signed: entry {version + 1} was changed" in output


class AgainWhenRead(dict[str, AnyTitle]):
    """Titles that begin another rebuild whenever a match is read."""

    def __init__(self, reads: ReadStore) -> None:
        super().__init__(PLAYERS.titles)
        self._reads = reads

    def __getitem__(self, name: str) -> AnyTitle:
        RebuildTables(["boards"], self._reads).begin()
        return super().__getitem__(name)


def test_a_rebuild_that_another_one_supersedes_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ended_matches(tmp_path, 1)
    with closing(ReadStore(tmp_path / "reads.db")) as reads:
        players = Players(AgainWhenRead(reads), PLAYERS.bots)
        status = main(["rebuild", "boards", "--data", str(tmp_path)], lambda: players)

    output = capsys.readouterr()
    assert (status, output.out) == (1, "")
    assert output.err == "esporles rebuild: another process has started to rebuild boards; stopping\n"


def test_a_truncated_audit_trail_is_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with watched_service(tmp_path) as auditor:
        operator, ann = Person(auditor.client), Person(auditor.client)
        make_operator(auditor.client, operator.id)
        for role in ("arbiter", "organiser", "annotator"):
            assert operator.post("/roles", {"person": ann.id, "role": role})[0] == 200
        auditor.covering_checkpoint()
    cut(tmp_path, AUDIT_STREAM, 2)
    status, output, _ = run(capsys, "rebuild", "audit", "--data", tmp_path)

    assert status == 1
    assert f"SKIPPED  {AUDIT_STREAM} differs from what this server signed: entry 3 is missing" in output
    reads = ReadStore(tmp_path / "reads.db")
    assert not roles.lines(reads).items
    reads.close()
