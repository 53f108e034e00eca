"""Many logs and proofs examined at once, on all processors: which files, what of each, and the sum of it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from domain.matches.verification.verify import VerifyFault, VerifyReport
from domain.proofs.event import EventFault, EventReport
from domain.proofs.match import Trust, verify_any
from ops.console import Finding, WrongUsage
from ops.files import is_event_file
from ops.players import FindPlayers
from ops.processes import Died, in_processes
from ops.progress import progress
from ops.transparency.events import verify_event_in
from ops.verifying.request import Verified, VerifyRequest
from ops.verifying.supplied import shelve_for

ENDINGS: Final = (".jsonl", ".proof")
"""How logs and proof files in a folder are called."""
UNREADABLE: Final = "file"
"""The kind of fault of what is no log and no proof at all, or could not be examined."""


class FileReport(msgspec.Struct, frozen=True):
    """What came of one file."""

    file: str
    report: VerifyReport | EventReport

    @property
    def verdict(self) -> str:
        """`good`, `FALSE`, or `UNREADABLE` where there was nothing to examine."""
        if self.report.fault is None:
            return "good"
        return "UNREADABLE" if self.report.fault.kind == UNREADABLE else "FALSE"

    def __str__(self) -> str:
        fault = self.report.fault
        if fault is None:
            return f"good        {self.file}"
        part = fault.part if isinstance(fault, EventFault) else "the file"
        where = part if fault.entry is None else f"entry {fault.entry}"
        return f"{self.verdict.ljust(10)}  {self.file}: {where} ({fault.kind}): {fault.why}"


class SeveralReports(msgspec.Struct, frozen=True):
    """What came of all files, in their order."""

    good: int
    false: int
    unreadable: int
    files: tuple[FileReport, ...]

    @property
    def is_good(self) -> bool:
        return self.good == len(self.files)

    def __str__(self) -> str:
        """A line for each file, then how many of each kind, and once more what was not good."""
        counts = f"{self.good} good, {self.false} false, {self.unreadable} unreadable"
        bad = [each for each in self.files if each.report.fault is not None]
        return "\n".join(map(str, (*self.files, "", f"{len(self.files)} files: {counts}", *bad)))


def files_in(paths: Sequence[Path]) -> tuple[Path, ...]:
    """The files that are named, and those of the folders that are; each once."""
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            inside = [each for each in sorted(path.rglob("*")) if each.suffix in ENDINGS and each.is_file()]
            if not inside:
                raise WrongUsage(f"no file in {path} is called as logs and proofs are: *{' or *'.join(ENDINGS)}")
            found |= dict.fromkeys(inside)
        elif path.is_file():
            found[path] = None
        else:
            raise WrongUsage(f"{path} is neither a file nor a folder")
    return tuple(found)


def examining(
    find_players: FindPlayers, files: Mapping[str, Path], trust: Trust
) -> Callable[[Path], VerifyReport | EventReport]:
    """The work of one process."""
    titles = find_players().titles

    def examine_file(path: Path) -> VerifyReport | EventReport:
        try:
            if is_event_file(path):
                return verify_event_in(path, titles, files, trust)
            shelve_for(titles, path, files)
        except (Finding, WrongUsage) as unshelved:
            return unread(str(unshelved))
        try:
            return verify_any(path, titles=titles, trust=trust)
        except MemoryError:
            return unread("there is not enough memory to examine it")

    return examine_file


def unread(why: str) -> VerifyReport:
    return VerifyReport(VerifyFault(None, UNREADABLE, why))


def examine(request: VerifyRequest) -> Verified:
    """Examine all files of a request in parallel, with progress on a terminal."""
    paths, reports = files_in(request.files), dict[int, VerifyReport | EventReport]()
    work = partial(examining, request.find_players, request.supplied, request.trust)
    with progress("logs and proofs", len(paths)) as step:
        for place, answer in in_processes(work, paths, request.jobs):
            reports[place] = unread(f"it was not examined: {answer}") if isinstance(answer, Died) else answer
            step(len(reports))
    report = reports_of(paths, reports)
    return Verified(report, str(report), report.is_good)


def reports_of(paths: Sequence[Path], reports: Mapping[int, VerifyReport | EventReport]) -> SeveralReports:
    """What came of all files, from what came of each place."""
    found = tuple(FileReport(str(path), reports[place]) for place, path in enumerate(paths))
    verdicts = [each.verdict for each in found]
    return SeveralReports(verdicts.count("good"), verdicts.count("FALSE"), verdicts.count("UNREADABLE"), found)
