"""`esporles verify` over many files and folders in several processes, and over hostile files."""

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from domain.kernel.values import replace
from domain.matches.log.entries import Entry, Opening
from domain.matches.log.log_files import FILE_MAX, log_bytes, log_of, read_log
from domain.proofs.match_file import proof_bytes
from ops.cli import main
from tests.domain.matches.match_helpers import forge_entry, rechain, version_of
from tests.domain.proofs.match_proofs import proof_of

GOLDEN: Final = Path(__file__).parents[1] / "golden"
SHORT: Final = GOLDEN / "la_granja-voided.jsonl"
LONGER: Final = GOLDEN / "el_grande-ruled.jsonl"
VERIFY: Final = (sys.executable, "-m", "ops.cli", "verify")
MEASURING: Final = """
import sys
from ops.cli import main
status = main(["verify", *sys.argv[1:]])
(most,) = (line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
sys.stderr.write(most)
sys.exit(status)
"""
MEASURED: Final = (sys.executable, "-c", MEASURING)
MEMORY_MAX: Final = 200_000
"""Kilobytes of memory allowed for verifying a file of the largest size."""


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    """Run `verify` in this process; return exit status, stdout and stderr."""
    status = main(["verify", *map(str, args)])
    output = capsys.readouterr()
    return status, output.out, output.err


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Provide a folder with two good logs, a good proof, a forged log, a damaged one, no log, and another extension."""
    nested = tmp_path / "logs" / "deep" / "er"
    nested.mkdir(parents=True)
    logs, log = tmp_path / "logs", read_log(LONGER)
    shutil.copy(SHORT, logs / "b-good.jsonl")
    shutil.copy(LONGER, nested / "good.jsonl")
    (nested / "a.proof").write_bytes(proof_bytes(proof_of(read_log(SHORT))))

    def other_seat(body: Any) -> None:
        body["seat"] = 1 - body["seat"]

    version = version_of(log, "action_taken")
    (logs / "forged.jsonl").write_bytes(log_bytes(forge_entry(log, version, other_seat)))
    (logs / "damaged.jsonl").write_bytes(SHORT.read_bytes()[:-20])
    (logs / "a-study.jsonl").write_bytes(b'{"format":"esporles.study/1"}\n')
    (logs / "notes.txt").write_text("not looked at")
    return logs


def test_a_folder_and_files_are_verified_in_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    version = version_of(read_log(LONGER), "action_taken")

    status, out, err = run(capsys, LONGER, folder, SHORT, "--jobs", "2")

    lines, summary = out.split("\n\n")
    verdicts = [line.split(maxsplit=1) for line in lines.splitlines()]
    assert status == 1
    assert err == ""
    assert [verdict for verdict, _ in verdicts] == [
        "good",
        "UNREADABLE",
        "good",
        "INVALID",
        "good",
        "good",
        "INVALID",
        "good",
    ]
    names = [Path(description.split(":")[0]).name for _, description in verdicts]
    folder_names = ["a-study.jsonl", "b-good.jsonl", "damaged.jsonl", "a.proof", "good.jsonl", "forged.jsonl"]
    assert names == [LONGER.name, *folder_names, SHORT.name]
    totals, *failures = summary.splitlines()
    assert totals == "8 files: 5 good, 2 invalid, 1 unreadable"
    assert failures == [line for line in lines.splitlines() if not line.startswith("good")]
    assert "a-study.jsonl: the file (file): the first line is not the header of a log" in failures[0]
    assert "damaged.jsonl: entry 17 (line): the file ends in the middle of this line" in failures[1]
    assert f"forged.jsonl: entry {version} (" in failures[2]


def test_the_json_output_is_one_document(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, folder, "--json", "--jobs", "2")

    document = json.loads(out)
    assert status == 1
    assert {name: document[name] for name in ("good", "false", "unreadable")} == {
        "good": 3,
        "false": 2,
        "unreadable": 1,
    }
    assert [Path(each["file"]).name for each in document["files"]][:2] == ["a-study.jsonl", "b-good.jsonl"]
    reports = {Path(each["file"]).name: each["report"] for each in document["files"]}
    single_report = json.loads(run(capsys, folder / "forged.jsonl", "--json")[1])
    assert reports["forged.jsonl"] == single_report
    assert reports["a.proof"]["proof"]["leavesChecked"] == reports["a.proof"]["entries"]


def test_all_good_is_success_whatever_the_number_of_processes(capsys: pytest.CaptureFixture[str]) -> None:
    for jobs in (1, 3):
        status, out, _ = run(capsys, SHORT, LONGER, SHORT, "--jobs", jobs)
        assert status == 0
        assert out.splitlines()[-1] == "2 files: 2 good, 0 invalid, 0 unreadable"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((SHORT, "missing.jsonl"), "no such file or folder: missing.jsonl"),
        ((SHORT, LONGER, "--head", "0" * 64), "--head requires a single log"),
        ((SHORT, "--jobs", "0"), "invalid --jobs 0: expected a number from 1 to 64"),
        ((SHORT, LONGER, "--trust", "missing"), "cannot read missing"),
        ((SHORT, "--workers"), "--workers takes several files or a folder; one file is verified here"),
    ],
)
def test_invalid_combinations_are_wrong_usage(
    args: tuple[object, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, *args)

    assert (status, out) == (2, "")
    assert message in err


def test_a_folder_without_logs_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("nothing")

    status, _, err = run(capsys, tmp_path)
    assert (status, f"no logs or proofs in {tmp_path}" in err) == (2, True)


def test_an_unreadable_file_is_reported_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "large.jsonl").touch()
    os.truncate(tmp_path / "large.jsonl", FILE_MAX + 1)
    shutil.copy(SHORT, tmp_path)

    status, out, _ = run(capsys, tmp_path)
    assert status == 1
    assert "2 files: 1 good, 0 invalid, 1 unreadable" in out


def test_a_missing_deck_is_reported_for_each_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, SHORT, LONGER, "--deck", tmp_path / "missing.toml")

    assert status == 1
    assert out.count("cannot read ") + out.count("does not support deck files") == 4


def read_until(terminal: int, pattern: re.Pattern[bytes]) -> None:
    """Read the output of a terminal up to a pattern."""
    output = b""
    while not pattern.search(output):
        output += os.read(terminal, 4_096)


def rest_of(terminal: int) -> bytes:
    """Read the remaining output of a terminal until all writers have closed it."""
    output = b""
    try:
        while chunk := os.read(terminal, 4_096):
            output += chunk
    except OSError:  # The other end is closed.
        pass
    return output


@contextmanager
def hearing_the_keyboard() -> Iterator[None]:
    """Let children receive SIGINT, even if the tests themselves ignore it."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def test_a_terminal_shows_progress_and_an_interrupt_stops_it(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    for number in range(3_000):
        (tmp_path / "logs" / f"{number}.jsonl").symlink_to(LONGER)
    terminal, process_end = pty.openpty()
    command, env = [*VERIFY, str(tmp_path / "logs"), "--jobs", "2"], {**os.environ, "TERM": "xterm"}
    with (tmp_path / "out").open("wb") as out, hearing_the_keyboard():
        process = subprocess.Popen(command, stdout=out, stderr=process_end, env=env, start_new_session=True)
        os.close(process_end)
        read_until(terminal, re.compile(rb"[1-9]\d*/3000"))
        os.killpg(process.pid, signal.SIGINT)
        output = rest_of(terminal)

    os.close(terminal)
    assert process.wait() == 130
    assert (tmp_path / "out").read_bytes() == b""
    assert b"Traceback" not in output


def repeat_body(body: bytes, count: int) -> list[Entry]:
    """Return the opening of a match, and `count` entries with this body, correctly chained."""
    first, second = read_log(SHORT).entries[:2]
    entries = [first]
    for version in range(2, count + 2):
        at = first.timestamp + timedelta(seconds=version)
        entries.append(replace(second, originator_version=version, timestamp=at, body=msgspec.Raw(body), secrets=()))
    return list(rechain(entries))


def voiding(length: int) -> bytes:
    return b'{"type":"voided","by":"service","reason":"' + b"x" * length + b'"}'


HEADER: Final = SHORT.read_bytes().partition(b"\n")[0]
ROOM: Final = FILE_MAX - 2_000


def pauses() -> Iterator[Entry]:
    """Yield 60,000 pauses and their ends in a running match."""
    log = read_log(LONGER)
    started = version_of(log, "match_started")
    yield from log.entries[:started]
    for number in range(60_000):
        body = b'{"type":"paused","by":"service"}' if number % 2 == 0 else b'{"type":"resumed","by":"service"}'
        version, at = started + 1 + number, log.entries[started].timestamp + timedelta(seconds=number)
        yield replace(log.entries[1], originator_version=version, timestamp=at, body=msgspec.Raw(body), secrets=())


HOSTILE: Final[dict[str, tuple[Callable[[], bytes], str]]] = {
    "many entries": (lambda: log_bytes(log_of(repeat_body(voiding(270), 99_000))), "INVALID"),
    "long entries": (lambda: log_bytes(log_of(repeat_body(voiding(3_700_000), 16))), "INVALID"),
    "many openings": (
        lambda: log_bytes(
            log_of(
                replace(each, secrets=(Opening("", f"{at:x}", msgspec.Raw(b"0")),) * 80_000)
                for at, each in enumerate(repeat_body(voiding(1), 15))
            )
        ),
        "INVALID",
    ),
    "one line": (lambda: HEADER + b'\n"' + b"x" * (ROOM - len(HEADER)) + b'"\n', "longer than 4000000 bytes"),
    "no line": (lambda: b"x" * ROOM, "not the header of a log"),
    "nothing but lines": (lambda: HEADER + b"\n" * ROOM, "more than 100,000 lines"),
    "a deep line": (lambda: HEADER + b"\n" + b"[" * 3_000_000 + b"\n", "not an entry"),
    "a header": (lambda: HEADER.replace(b"la_granja", b"x" * ROOM) + b"\n", "longer than 4000000 bytes"),
    "a header of a proof": (lambda: b'{"format":"esporles.proof/' + b"1" * ROOM + b'"}\n', "longer than 4000000"),
    "pauses": (lambda: log_bytes(log_of(rechain(tuple(pauses())))), "good"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_are_reported_within_200_megabytes(kind: str, tmp_path: Path) -> None:
    """Each in a separate process, which reports its peak memory."""
    make, message = HOSTILE[kind]
    path = tmp_path / "hostile.jsonl"
    path.write_bytes(make())
    process = subprocess.run([*MEASURED, str(path)], capture_output=True, text=True, check=False)

    assert message in process.stdout
    assert process.returncode == (0 if message == "good" else 1)
    (memory,) = map(int, process.stderr.split())
    assert memory < MEMORY_MAX


def test_two_histories_of_one_match_are_refused_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each file is good alone."""
    log, other = read_log(SHORT), tmp_path / "other.proof"
    (tmp_path / "one.jsonl").write_bytes(log_bytes(log))
    shutil.copy(LONGER, tmp_path / "unrelated.jsonl")
    last = replace(log.entries[-1], timestamp=log.entries[-1].timestamp + timedelta(seconds=1))
    other.write_bytes(proof_bytes(proof_of(log_of(rechain([*log.entries[:-1], last])))))
    assert run(capsys, other)[0] == 0

    status, out, _ = run(capsys, tmp_path, "--json", "--jobs", "1")

    report = json.loads(out)
    assert (status, report["good"], report["false"]) == (1, 1, 2)
    one, two, _ = (each["report"]["fault"] for each in report["files"])
    for fault, name in ((one, "other.proof"), (two, "one.jsonl")):
        assert (fault["entry"], fault["kind"]) == (log.header.entries, "history")
        assert fault["why"].endswith(f"is another one in {tmp_path / name}: two histories")
