"""`ops/check_chance.py` repeats every draw without our code, and reports the first bad entry."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.matches.log.entries import ALL
from domain.matches.log.log_files import LogFile, log_bytes, log_of
from domain.matches.play.in_memory import fork_log, play_to_end, seeded_origins, table_of_bots
from domain.titles import TITLES
from tests.domain.matches.match_helpers import (
    ALL_TITLES,
    BOT,
    BOTS,
    START,
    commit,
    forge_entry,
    play_out,
    replace_secret,
    show,
    sit,
    start_match,
    toy_log,
    uuid,
    version_of,
)

SCRIPT = Path(__file__).parents[4] / "ops" / "check_chance.py"
LOG = toy_log()


def check(log: LogFile | bytes, folder: Path) -> tuple[int, str]:
    path = folder / "match.jsonl"
    path.write_bytes(log if isinstance(log, bytes) else log_bytes(log))
    # -I keeps this project off the import path of the script.
    done = subprocess.run([sys.executable, "-I", SCRIPT, path], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_script_is_short_and_imports_nothing_of_ours() -> None:
    lines = SCRIPT.read_text().splitlines()

    assert len(lines) <= 240
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names


def test_every_draw_of_a_true_log_is_repeated(tmp_path: Path) -> None:
    granja = log_of(
        play_to_end(table_of_bots(TITLES["la_granja"], (BOT,) * 4, {}, seeded_origins(b"\x01")), BOTS).entries
    )

    for log in (LOG, granja):
        code, output = check(log, tmp_path)
        assert (code, output.split()[1:4]) == (0, ["draws", "in", str(len(log.entries))])


@pytest.mark.no_cover
def test_every_draw_of_the_golden_logs_is_repeated(tmp_path: Path) -> None:
    for path in sorted((SCRIPT.parents[1] / "tests" / "golden").glob("*.jsonl")):
        code, output = check(path.read_bytes(), tmp_path)
        assert code == 0, f"{path.name}: {output}"


@pytest.mark.parametrize("luck", ["same", "fresh"])
def test_a_fork_keeps_or_changes_its_luck(luck: Any, tmp_path: Path) -> None:
    fork = fork_log(
        LOG, at_version=14, luck=luck, by="anna", origins=seeded_origins(b"f"), titles=ALL_TITLES, seats=(BOT,) * 3
    )

    code, output = check(log_of(play_to_end(fork, BOTS).entries), tmp_path)

    assert code == 0, output


def test_shares_of_clients_and_seats_left_are_followed(sqlite: Matches, tmp_path: Path) -> None:
    sqlite.open(uuid(1), title="toy", seats=2, by="anna", at=START)
    sqlite.take_seat(uuid(1), 0, "bea", at=START)
    sqlite.leave_seat(uuid(1), 0, "bea", at=START)
    sqlite.take_seat(uuid(1), 0, BOT, at=START)
    play_out(sqlite, sqlite.take_seat(uuid(1), 1, BOT, at=START))

    assert check(export_log(sqlite, uuid(1), ALL), tmp_path)[0] == 0
    assert start_match(sqlite, uuid(2), ("anna", "bea")).version > 0


@pytest.mark.parametrize("sealed", [0, 1, 2])
def test_a_changed_draw_is_named_by_entry(sealed: int, tmp_path: Path) -> None:
    version = version_of(LOG, "match_started")
    secrets = LOG.entries[version - 1].secrets
    outcomes = [i for i, opening in enumerate(secrets) if len(msgspec.json.decode(opening.value)) == 3]
    forgeries = (
        forge_entry(LOG, version, lambda body: body["draws"][0].update(outcome=[6, 6, 6])),
        replace_secret(LOG, version, outcomes[-1], [1, 2, 3]),
        forge_entry(LOG, version, lambda body: body["draws"][1].update(label="pearls")),
    )

    code, output = check(forgeries[sealed], tmp_path)

    assert code == 1
    assert output.startswith(f"entry {version}: ")


@pytest.mark.parametrize(
    "content",
    [b"", b"nonsense\n", b'{"format":"esporles.log/1","entries":1}\n[]\n', log_bytes(log_of(LOG.entries, None))],
)
def test_what_cannot_be_checked_is_a_negative_finding(content: bytes, tmp_path: Path) -> None:
    assert check(content, tmp_path)[0] == 1


def test_digests_of_zeros_are_found(tmp_path: Path) -> None:
    zeroed = re.sub(rb'"(previous|digest)":"[0-9a-f]{64}"', rb'"\1":"' + b"0" * 64 + b'"', log_bytes(LOG))

    code, output = check(zeroed, tmp_path)

    assert (code, output.partition(":")[0]) == (1, "entry 1")


@pytest.mark.parametrize(("field", "value"), [("count", -1), ("count", 10**12), ("poolSize", 0)])
def test_a_draw_of_no_size_is_found(field: str, value: int, tmp_path: Path) -> None:
    version = version_of(LOG, "match_started")
    log = forge_entry(LOG, version, lambda body: body["draws"][0].update({field: value}))

    code, output = check(log, tmp_path)

    assert (code, output.partition(":")[0]) == (1, f"entry {version}")


def test_shares_that_people_bring_are_checked(sqlite: Matches, tmp_path: Path) -> None:
    sqlite.open(uuid(1), title="toy", seats=2, by="anna", at=START)
    sit(sqlite, uuid(1), 0, "anna", 1)
    sit(sqlite, uuid(1), 1, "carl", 2)
    sqlite.leave_seat(uuid(1), 1, "carl", at=START)
    commit(sqlite, uuid(1), 0, "anna", 3)
    sit(sqlite, uuid(1), 1, "bea", 4)
    show(sqlite, uuid(1), 1, "bea", 4)
    match = play_out(sqlite, show(sqlite, uuid(1), 0, "anna", 3))
    log = export_log(sqlite, uuid(1), ALL)
    assert check(log, tmp_path)[0] == 0

    ready, closing = version_of(log, "seat_ready"), version_of(log, "table_closed", 1)
    for version, change in (
        (ready, lambda body: body.update(share="00" * 32)),
        (closing, lambda _: {"type": "paused", "by": "service"}),
    ):
        code, output = check(forge_entry(log, version, change), tmp_path)
        assert (code, output.partition(":")[0]) == (1, f"entry {ready}")
    assert match.status == "ended"


def test_wrong_usage_and_a_missing_file_are_told_apart(tmp_path: Path) -> None:
    usage = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=False)
    missing = subprocess.run([sys.executable, SCRIPT, tmp_path / "no"], capture_output=True, text=True, check=False)

    assert (usage.returncode, missing.returncode) == (2, 1)
