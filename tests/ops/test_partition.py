"""`esporles partition` divides the log in PostgreSQL."""

from pathlib import Path

import msgspec
import pytest

from ops.cli import main


def test_a_log_is_partitioned(
    tmp_path: Path, fresh_postgres: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ESPORLES_STORE", fresh_postgres)
    monkeypatch.setenv("ESPORLES_LOG_PARTITIONS", "2")

    assert main(["partition", "4", "--data", str(tmp_path), "--json"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out) == {"partitions": 4, "before": 2, "rows": 0}
    assert main(["partition", "0", "--data", str(tmp_path)]) == 2
    assert "invalid NUMBER 0: expected 1 to 1024" in capsys.readouterr().err


def test_a_log_in_a_file_cannot_be_partitioned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["partition", "4", "--data", str(tmp_path)]) == 2
    assert "; only a log in PostgreSQL can be partitioned" in capsys.readouterr().err
