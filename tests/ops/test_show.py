"""`esporles show` draws El Grande: board, cards and players, with hands only for their owners."""

from pathlib import Path
from typing import Final

import pytest

from domain.matches.log.log_files import read_log
from domain.titles.el_grande.components import AREA_NAMES, REGIONS
from ops.cli import main

GOLDEN: Final = sorted((Path(__file__).parent.parent / "golden").glob("el_grande-*.jsonl"))


def run_show(capsys: pytest.CaptureFixture[str], path: Path, *args: str) -> str:
    assert main(["show", str(path), *args]) == 0
    return capsys.readouterr().out


def test_every_region_is_drawn_with_its_neighbours(capsys: pytest.CaptureFixture[str]) -> None:
    """EG-21.1."""
    output = run_show(capsys, GOLDEN[0], "--at", "40")

    assert all(f"  {AREA_NAMES[name]} " in output for name in REGIONS)
    assert "KING" in output
    assert "by Castilla, Navarra" in output
    assert "Castillo  5/3/1  shut" in output
    assert "dummy: supply" in output


def test_a_seat_sees_only_its_hand_and_the_file_shows_all(capsys: pytest.CaptureFixture[str]) -> None:
    """EG-21.3."""
    seat_output, whole_output = (
        run_show(capsys, GOLDEN[0], "--at", "40", "--seat", "1"),
        run_show(capsys, GOLDEN[0], "--at", "40"),
    )

    assert [line.endswith(" cards") for line in seat_output.splitlines() if line.startswith("  hand")] == [True, False]
    assert [line.endswith(" cards") for line in whole_output.splitlines() if line.startswith("  hand")] == [
        False,
        False,
    ]


def test_drafts_announcements_and_vetoes_are_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    """EG-12.2, EG-19.4: a draft for its seat only; announcements and open Vetoes for all."""
    path = next(path for path in GOLDEN if b"el_grande.use_veto" in path.read_bytes())
    outputs = list[str]()
    for entry in read_log(path).entries:
        body = bytes(entry.body)
        if b"veto_laid" in body or b'"step":"veto"' in body:
            outputs.append(run_show(capsys, path, "--at", str(entry.version)))
        if b"source_chosen" in body and not any("draft  " in text for text in outputs):
            seat = body.partition(b'"seat":')[2][:1].decode()
            outputs.append(run_show(capsys, path, "--at", str(entry.version), "--seat", seat))

    for sign in ("announced  ", "draft  ", "  vetoes  "):
        assert any(sign in text for text in outputs), sign
