"""El Grande on the console: played with every variant, verified, and forked from every entry."""

from pathlib import Path
from typing import Final

import pytest

from domain.matches.apply import fold
from domain.matches.log.log_files import log_bytes, log_of, parse_log, read_log
from domain.matches.play.in_memory import fork_log, play_to_end, seeded_origins
from domain.matches.verification.verify import verify
from domain.titles import TITLES
from ops.cli import main
from ops.matches import choosers
from workers.bots import BOTS

OPTIONS: Final = ("new_regency=yes", "shift_of_power=yes", "veterans=all", "cards=2023")


def play(path: Path, bots: str, *options: str) -> int:
    option_args = [word for option in options for word in ("--option", option)]
    return main(["play", "--title", "el_grande", "--bots", bots, *option_args, "--seed", "01", "--out", str(path)])


def test_five_seats_with_new_regency_veto_and_shift_of_power_play_to_a_log_that_verifies(tmp_path: Path) -> None:
    path = tmp_path / "eg.jsonl"

    assert play(path, "greedy,random,random,greedy,random", *OPTIONS) == 0
    assert main(["verify", str(path)]) == 0


def test_every_entry_of_a_match_with_all_variants_can_be_forked(tmp_path: Path) -> None:
    """With the same luck to the same end, with fresh luck to a log that verifies (DESIGN §3)."""
    path = tmp_path / "short.jsonl"
    assert play(path, "random,random", *OPTIONS, "short=yes") == 0
    log = read_log(path)
    original = fold(TITLES, log.entries)
    assert original.result is not None
    versions = [entry.version for entry in log.entries if b'"type":"action_taken"' in bytes(entry.body)]

    for at_version in (versions[0] - 1, *versions[:-1]):
        for luck in ("same", "fresh"):
            forked = fork_log(
                log, at_version=at_version, luck=luck, by="service", origins=seeded_origins(b"fork"), titles=TITLES
            )
            played = play_to_end(forked, choosers(BOTS, ["bot:random@1"]))
            if luck == "same":
                assert played.match.result is not None
                assert played.match.result.scores == original.result.scores, f"forked at {at_version}"
            elif at_version % 10 == 0:
                assert verify(parse_log(log_bytes(log_of(played.entries)))).fault is None


@pytest.mark.parametrize(
    ("bots", "options", "message"),
    [
        ("random,random,random,random", ("merged_stacks=yes",), "4"),
        ("random", (), "1"),
        ("random,random", ("cards=2006", "veterans=all"), "veterans"),
        ("random,random", ("king=yes",), "king"),
        ("random,random", ("cards=1995",), "1995"),
    ],
)
def test_invalid_tables_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], bots: str, options: tuple[str, ...], message: str
) -> None:
    """EG-1.1, EG-17.2, EG-26.3."""
    assert play(tmp_path / "none.jsonl", bots, *options) == 2
    assert message in capsys.readouterr().err
