"""Verification of a tournament's proof with several processes, match by match."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from mmap import ACCESS_READ, mmap
from pathlib import Path

from domain.kernel.title import Titles
from domain.matches.errors import LogFault
from domain.matches.verification.verify import VerifyFault, VerifyReport
from domain.proofs.event import EventReport, verify_event
from domain.proofs.event_matches import MatchExamined, Part, examine_match
from domain.proofs.match import Trust
from domain.standings.points import points_text
from ops.console import Finding, WrongUsage
from ops.players import FindPlayers
from ops.processes import WorkerDied, in_processes
from ops.progress import progress
from ops.verifying.deck_files import register_files_for


def map_file(path: Path) -> mmap:
    """Return the memory-mapped bytes of a file; raise `WrongUsage` if it cannot be read or is empty."""
    try:
        with path.open("rb") as file:
            return mmap(file.fileno(), 0, access=ACCESS_READ)
    except (OSError, ValueError) as error:
        raise WrongUsage(f"cannot read {path}: {error}") from error


def examining(
    path: Path, find_players: FindPlayers, files: Mapping[str, Path], trust: Trust
) -> Callable[[Part], MatchExamined]:
    """Return the function that a process runs on parts of the file, given as (start, end).

    Lack of memory is a fault. Raises `WrongUsage` if the file cannot be read.
    """
    titles, content = find_players().titles, map_file(path)

    def examine(part: Part) -> MatchExamined:
        start, end = part
        try:
            return examine_one(content[start:end], titles, files, trust)
        except MemoryError:
            return unreadable_result("not enough memory")

    return examine


def examine_one(content: bytes, titles: Titles, files: Mapping[str, Path], trust: Trust) -> MatchExamined:
    """Verify a match after registering its deck files; an unreadable match gives a fault, not an error."""
    try:
        register_files_for(titles, content, files)
    except (LogFault, Finding, WrongUsage) as unshelved:
        return unreadable_result(str(unshelved))
    return examine_match(content, titles, trust)


def unreadable_result(why: str) -> MatchExamined:
    """Return a result for a match that could not be verified."""
    return MatchExamined(VerifyReport(VerifyFault(None, "file", why)))


def verify_event_file(
    path: Path, find_players: FindPlayers, *, jobs: int, files: Mapping[str, Path], trust: Trust
) -> EventReport:
    """Verify the proof of a tournament with several processes; a match whose process died gives a fault.

    Raises `WrongUsage` if the file cannot be read.
    """

    def examine(parts: Sequence[Part]) -> list[MatchExamined]:
        reports_by_index: dict[int, MatchExamined] = {}
        examine_part = partial(examining, path, find_players, files, trust)
        with progress("matches", len(parts)) as step:
            for index, result in in_processes(examine_part, parts, jobs) if parts else ():
                reports_by_index[index] = (
                    unreadable_result(f"not examined: {result}") if isinstance(result, WorkerDied) else result
                )
                step(len(reports_by_index))
        return [reports_by_index[index] for index in range(len(parts))]

    return verify_event(map_file(path), trust=trust, examine=examine)


def verify_event_in(path: Path, titles: Titles, files: Mapping[str, Path], trust: Trust) -> EventReport:
    """Verify the proof of a tournament in this process; raise `WrongUsage` if the file cannot be read."""
    content = map_file(path)

    def examine(parts: Sequence[Part]) -> list[MatchExamined]:
        return [examine_one(content[start:end], titles, files, trust) for start, end in parts]

    return verify_event(content, trust=trust, examine=examine)


def event_text(path: Path, report: EventReport) -> str:
    """Format the report: its fault in one line, or lines with the counts, the standings and the proof."""
    fault = report.fault
    if fault is not None:
        location = fault.part if fault.entry is None else f"{fault.part}, entry {fault.entry}"
        return f"INVALID     {path}: {location} ({fault.kind}): {fault.why}"
    assert report.proof is not None
    lines = [
        f"good        {path}",
        f"tournament  {report.event}: {report.name}",
        f"records     {report.records}: chain intact, {report.orders_signed} signed orders",
        f"head        {report.head}",
        f"matches     {report.matches}: all proven and assigned to their tables",
        f"standings   {len(report.standings)} players recomputed; {report.ratings_checked} ratings recomputed",
        f"rules       {report.counted_by}",
        *(f"{row.rank:>9}.  {row.entry}  {points_text(row.points)}" for row in report.standings),
        f"proof       tree of {report.proof.origin}, {report.proof.size} leaves, root {report.proof.root}",
        *(f"checked: {each}" for each in report.proof.checked),
        *(f"note: {each}" for each in report.noted),
        *(f"not checked: {each}" for each in report.unchecked),
    ]
    return "\n".join(lines)
