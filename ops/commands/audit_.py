"""`esporles audit`: export and verify the audit trail, or verify the whole store against the transparency tree."""

from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec

from domain.kernel.loading import load
from domain.matches.errors import LogFault
from domain.matches.facts import SERVICE
from domain.matches.log.records import record_digest
from domain.roles import commands
from domain.roles.audit_file import parse_trail, trail_bytes
from domain.transparency.tiles import WIDTH
from ops.commands.verify_ import HEAD
from ops.console import NEGATIVE, SUCCESS, WrongUsage, add_data_option, result_writer
from ops.matches import writable, writing
from ops.progress import progress
from ops.service_client import fetch, find_address
from ops.stores import open_matches, read_settings
from ops.transparency.store_audit import AuditOutput, ExamineRemotely, cores, examine_store


def arguments(parser: ArgumentParser) -> None:
    """Add an action (`export`, `verify`, `store`), FILE, `--out`, `--head`, `--processes`, `--workers`, `--data`."""
    parser.add_argument("what", choices=("export", "verify", "store"))
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="verify: the file to verify")
    parser.add_argument("--out", type=Path, metavar="FILE", help="export: the file to write")
    parser.add_argument("--head", metavar="HEX", help="verify: the expected head of the trail, from a source you trust")
    parser.add_argument(
        "--processes", type=int, default=0, metavar="N", help="store: number of processes (default: one per core)"
    )
    parser.add_argument(
        "--workers",
        action="store_true",
        help="store: distribute the work to calculators (`esporles run calculator`), which need access to log and tree",
    )
    add_data_option(parser)


def take_trail(arguments: Namespace) -> bytes:
    """Return the audit trail as a file, from the running service or else its store.

    The export itself is recorded in it. Raises `Finding` if the service refuses or there is no store to write.
    """
    settings = read_settings(arguments)
    service = find_address(settings.data)
    if service is not None:
        return fetch(service, "GET", "/api/audit/file")
    with open_matches(settings, to_write=True) as matches:
        return trail_bytes(commands.export_trail(matches, by=SERVICE, at=datetime.now(UTC)))


def export(arguments: Namespace) -> int:
    """Write the audit trail to `--out`; print records, head and file, and return `SUCCESS`.

    Raises `WrongUsage` without `--out` or if it cannot be written, `Finding` if the trail cannot be taken.
    """
    if arguments.out is None:
        raise WrongUsage("export requires --out FILE")
    out = writable(arguments.out)
    assert out is not None
    content = take_trail(arguments)
    with writing(out):
        out.write_bytes(content)
    records = parse_trail(content)
    document = {"records": len(records), "head": record_digest(records[-1]).hex(), "out": str(out)}
    result_writer(arguments.json)(document, render_document(document))
    return SUCCESS


class Checked(msgspec.Struct, frozen=True):
    """The result of a verification: its extent, or the fault."""

    good: bool
    records: int = 0
    head: str | None = None
    fault: str | None = None


def check_trail(content: bytes, head: str | None) -> Checked:
    """Verify the digest chain of a trail and, if given, its head; a fault is returned as text, not raised."""
    try:
        records = parse_trail(content)
    except LogFault as fault:
        return Checked(False, fault=str(fault))
    trail_head = record_digest(records[-1]).hex()
    if head not in (None, trail_head):
        return Checked(False, len(records), trail_head, f"its head is {trail_head}, not {head}")
    return Checked(True, len(records), trail_head)


def verify(arguments: Namespace) -> int:
    """Verify the file of a trail and print the result; return `NEGATIVE` if it is false.

    Raises `WrongUsage` without FILE or if `--head` is not 64 hexadecimal digits; their case is ignored.
    """
    path, head = arguments.file, arguments.head
    if path is None or not path.is_file():
        raise WrongUsage(f"no such file: {path}" if path else "verify requires FILE")
    if head is not None and not HEAD.fullmatch(head):
        raise WrongUsage(f"invalid --head {head!r}: expected 64 hexadecimal digits")
    checked = check_trail(path.read_bytes(), head and head.lower())
    text = f"good     {path}\nrecords  {checked.records}\nhead     {checked.head}"
    result_writer(arguments.json)(checked, text if checked.good else f"INVALID  {path}: {checked.fault}")
    return SUCCESS if checked.good else NEGATIVE


def store(arguments: Namespace) -> int:
    """Compare all leaves of the tree with the log, whether the service runs or not; print the differences.

    Resumes an interrupted run. Returns `NEGATIVE` if there are any. `--processes` 0 takes one for each core; raises
    `WrongUsage` below 0, `Finding` without a readable tree.
    """
    settings = read_settings(arguments)
    processes = arguments.processes or cores()
    if processes < 1:
        raise WrongUsage(f"invalid --processes {processes}: expected a number of at least 1")
    is_running = find_address(settings.data) is not None
    calculators = examine_on_calculators() if arguments.workers else None
    with progress("leaves") as step:
        examination, resumed_at = examine_store(
            settings, processes, step, is_running=is_running, examine_remotely=calculators
        )
    lines = [f"INVALID  {difference}" for difference in examination.differences]
    if examination.count > len(examination.differences):
        lines.append(f"INVALID  and {examination.count - len(examination.differences):,} more")
    lines += [
        f"{'leaves' if examination.count else 'good':<8} {examination.size:,} leaves compared with log and tree",
        f"{'waiting':<8} {examination.waiting:,} to become leaves when the service runs",
    ]
    document = AuditOutput(
        good=examination.count == 0,
        leaves=examination.size,
        waiting=examination.waiting,
        differences=examination.differences,
        count=examination.count,
        resumed_at=resumed_at * WIDTH,
    )
    result_writer(arguments.json)(document, "\n".join(lines))
    return NEGATIVE if examination.count else SUCCESS


def examine_on_calculators() -> ExamineRemotely:
    """Return the function that verifies the store on calculators."""
    # A late import: the queues and the kinds of computations are slow to load.
    spread = load("ops.computing.spread", "spread_of")(is_wanted=True)
    return partial(load("ops.computing.kinds", "examine_spread"), spread)


def render_document(document: dict[str, object]) -> str:
    """Format a document as aligned lines."""
    return "\n".join(f"{name:<8} {value}" for name, value in document.items())


def run(arguments: Namespace) -> int:
    """Run the command; return its exit status."""
    return {"export": export, "verify": verify, "store": store}[arguments.what](arguments)
