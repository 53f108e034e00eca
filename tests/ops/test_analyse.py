"""`esporles analyse`: file and text agree for any number of processes; running matches are refused."""

from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from domain.analyses.report import STANDARD
from domain.kernel.rules import Seat
from domain.matches.aggregate import seats_to_act
from domain.matches.log.log_files import log_bytes, log_of
from domain.matches.play.commands import resign
from domain.matches.play.in_memory import bot_action, seeded_origins, table_of_bots
from domain.titles import TITLES
from ops.cli import main
from workers.bots import BOTS

BOT: Final = BOTS["random"]
ACTIONS: Final = 5


def log_in(folder: Path, *, is_over: bool) -> Path:
    """Write the log of a short match, resigned or still running."""
    table = table_of_bots(TITLES["el_grande"], [BOT.actor] * 2, {}, seeded_origins(b"analyse"))
    for _ in range(ACTIONS):
        seat = seats_to_act(table.match)[0]
        table.act(seat, BOT.actor, bot_action(table.match, seat, BOT.choose))
    if is_over:
        table.append(lambda match: resign(match, Seat(0), BOT.actor))
        assert table.match.is_over
    path = folder / "match.jsonl"
    path.write_bytes(log_bytes(log_of(table.log.entries)))
    return path


@pytest.mark.walk
def test_every_decision_is_in_the_file_and_counted_in_the_text(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, files = log_in(tmp_path, is_over=True), [tmp_path / "one.json", tmp_path / "two.json"]

    for jobs, out in enumerate(files, 1):
        assert main(["analyse", str(path), "--jobs", str(jobs), "--out", str(out)]) == 0

    lines, analysis = (
        capsys.readouterr().out.splitlines(),
        msgspec.json.decode(files[0].read_bytes(), type=dict[str, Any]),
    )
    assert files[0].read_bytes() == files[1].read_bytes()
    assert (analysis["title"], len(analysis["decisions"])) == ("el_grande", ACTIONS)
    assert f"{ACTIONS} decisions, about {STANDARD.tries} samples each" in lines[0]
    rows = [line.split() for line in lines[3:5]]
    assert [row[0] for row in rows] == ["0", "1"]
    assert sum(int(row[1]) for row in rows) == ACTIONS


def test_a_running_match_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["analyse", str(log_in(tmp_path, is_over=False))]) == 1
    assert "only finished matches can be analysed" in capsys.readouterr().err
