"""`esporles restore`: restore an archive into a new folder as of one moment, with optional verification."""

from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from ops.archive.cluster import Cluster, Programs
from ops.archive.postgres_recovery import measure_extent, run_recovered
from ops.archive.sqlite_restore import Restored, restore
from ops.archive.verification import Proof, prove
from ops.console import NEGATIVE, SUCCESS, WrongUsage, add_data_option, result_writer
from ops.progress import progress
from ops.stores import read_settings
from projections.platform.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    """Add PLACE, FOLDER, `--at`, `--position`, `--check`, `--checkpoint`, `--programs` and `--data`."""
    parser.add_argument("place", metavar="PLACE", help="the archive written by `esporles archive`")
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="a new or empty folder to restore into")
    parser.add_argument("--at", metavar="TIME", help="a time such as 2026-01-31T12:00:00Z (default: the latest)")
    parser.add_argument("--position", type=int, metavar="N", help="last position of the log to restore")
    parser.add_argument("--check", action="store_true", help="verify the restored data; exit with 1 if it is invalid")
    parser.add_argument(
        "--checkpoint", type=Path, metavar="FILE", help="with --check: a checkpoint from a source you trust"
    )
    parser.add_argument("--programs", type=Path, metavar="FOLDER", help="folder with the PostgreSQL programs")
    add_data_option(parser, "the data folder that was archived")


def moment(text: str | None) -> datetime | None:
    """Parse an ISO time as UTC, also if it has no time zone; None stays None. Raise `WrongUsage` for another form."""
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError as fault:
        raise WrongUsage(f"invalid --at {text!r}: expected a time such as 2026-01-31T12:00:00Z") from fault
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


class RestoreOutput(msgspec.Struct, frozen=True):
    """The output as JSON."""

    restored: Restored
    proof: Proof | None


def run(arguments: Namespace) -> int:
    """Restore an archive into FOLDER, verify it with `--check`, and print the extent.

    Returns `NEGATIVE` if it is false. Raises `WrongUsage` if FOLDER is not empty, for a bad `--at` or a `--position`
    below 1, `Finding` if the archive lacks a part.
    """
    settings, folder, at = read_settings(arguments), arguments.folder, moment(arguments.at)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise WrongUsage(f"{folder} exists and is not an empty folder")
    if arguments.position is not None and arguments.position < 1:
        raise WrongUsage(f"invalid --position {arguments.position}: expected a number of at least 1")
    restored, proof = (restore_files if settings.log_file is not None else restore_server)(settings, arguments, at)
    result_writer(arguments.json)(RestoreOutput(restored, proof), text_of(restored, proof))
    return SUCCESS if proof is None or proof.is_good else NEGATIVE


def restore_files(settings: Settings, arguments: Namespace, at: datetime | None) -> tuple[Restored, Proof | None]:
    """Restore files."""
    restored = restore(settings, arguments.place, arguments.folder, at, arguments.position)
    return restored, proof_of(settings, arguments, Cluster("", "", ""))


def restore_server(settings: Settings, arguments: Namespace, at: datetime | None) -> tuple[Restored, Proof | None]:
    """Restore a PostgreSQL server and return its extent and, with `--check`, its proof.

    Raises `WrongUsage` with `--position`, which goes with files only; `Finding` if the archive does not allow it.
    """
    if arguments.position is not None:
        raise WrongUsage("--position requires a log in a file; use --at with PostgreSQL")
    with run_recovered(settings, Path(arguments.place), arguments.folder, at, Programs(arguments.programs)) as cluster:
        return measure_extent(cluster, arguments.folder, at), proof_of(settings, arguments, cluster)


def proof_of(settings: Settings, arguments: Namespace, cluster: Cluster) -> Proof | None:
    """Verify the restored data against the original service or `--checkpoint`; return None without `--check`.

    Raises `Finding` or `WrongUsage` as `prove`.
    """
    if not arguments.check:
        return None
    restored_settings = msgspec.structs.replace(
        settings, data=arguments.folder, store=cluster.log, reads="", people=cluster.people, tree=cluster.tree
    )
    with progress("leaves") as step:
        return prove(restored_settings, settings, arguments.checkpoint, step)


def text_of(restored: Restored, proof: Proof | None) -> str:
    """Format the restored extent, the faults and the compared checkpoint, or that nothing was checked."""
    moment_text = "the latest" if restored.at is None else f"{restored.at:%Y-%m-%d %H:%M:%S} UTC"
    lines = [
        f"restored {restored.folder}, as of {moment_text}",
        f"log      to position {restored.position:,}",
        f"tree     {restored.leaves:,} leaves",
        f"accounts {restored.people:,}",
    ]
    if proof is None:
        return "\n".join([*lines, "checked  nothing (use --check to verify)"])
    lines += [f"INVALID  {fault}" for fault in proof.faults]
    state = "good" if proof.is_good else "checked"
    lines += [
        f"{state:<8} {proof.entries:,} entries and records of {proof.matches:,} streams",
        f"signed   {proof.signed:,} leaves",
        f"compared with {proof.compared}" if proof.compared else "compared with no later checkpoint (none given)",
    ]
    return "\n".join(lines)
