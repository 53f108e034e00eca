"""Verification of many logs and proofs in parallel."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from domain.matches.verification.verify import VerifyFault, VerifyReport
from domain.proofs.event import EVENT, EventFault, EventReport
from domain.proofs.histories import KIND as HISTORY
from domain.proofs.histories import Contradiction, FileHistory, find_contradictions, history_of
from domain.proofs.key_history import KnownKeys
from domain.proofs.match import Trust, verify_any
from ops.console import Finding, WrongUsage
from ops.deck_files import is_event_file
from ops.players import FindPlayers
from ops.processes import WorkerDied, in_processes
from ops.progress import progress
from ops.transparency.events import map_file, verify_event_in
from ops.verifying.deck_files import register_files_for
from ops.verifying.entry import is_entry_file
from ops.verifying.files import files_in
from ops.verifying.known_keys import refuse_by_keys
from ops.verifying.request import Verified, VerifyRequest

UNREADABLE: Final = "file"
"""The kind of fault of a file that is no log or proof, or could not be verified."""


class FileReport(msgspec.Struct, frozen=True):
    """The result of a file."""

    file: str
    report: VerifyReport | EventReport

    @property
    def verdict(self) -> str:
        """Return `good`, `INVALID`, or `UNREADABLE` if there was nothing to verify."""
        if self.report.fault is None:
            return "good"
        return "UNREADABLE" if self.report.fault.kind == UNREADABLE else "INVALID"

    def __str__(self) -> str:
        fault = self.report.fault
        if fault is None:
            return f"good        {self.file}"
        part = fault.part if isinstance(fault, EventFault) else "the file"
        location = part if fault.entry is None else f"entry {fault.entry}"
        return f"{self.verdict.ljust(10)}  {self.file}: {location} ({fault.kind}): {fault.why}"


class SeveralReports(msgspec.Struct, frozen=True):
    """The results of all files in order."""

    good: int
    false: int
    unreadable: int
    files: tuple[FileReport, ...]

    @property
    def is_good(self) -> bool:
        """Return whether all files are good."""
        return self.good == len(self.files)

    def __str__(self) -> str:
        """Return a line per file, the totals, and again the files with faults."""
        counts = f"{self.good} good, {self.false} invalid, {self.unreadable} unreadable"
        invalid = [each for each in self.files if each.report.fault is not None]
        return "\n".join(map(str, (*self.files, "", f"{len(self.files)} files: {counts}", *invalid)))


class FileExamined(NamedTuple):
    """The report on a file, and the history in it if it is good."""

    report: VerifyReport | EventReport
    history: FileHistory | None = None


def examining(find_players: FindPlayers, files: Mapping[str, Path], trust: Trust) -> Callable[[Path], FileExamined]:
    """Return the function that a process runs on a file.

    A file that cannot be examined gives a report, not an error.
    """
    titles = find_players().titles

    def examine_file(path: Path) -> FileExamined:
        report = report_on(path)
        return FileExamined(report, history_of(map_file(path)) if report.is_good else None)

    def report_on(path: Path) -> VerifyReport | EventReport:
        try:
            if is_event_file(path):
                return verify_event_in(path, titles, files, trust)
            if is_entry_file(path):
                return unreadable_report("the proof of a single entry is verified alone")
            register_files_for(titles, path, files)
        except (Finding, WrongUsage) as unshelved:
            return unreadable_report(str(unshelved))
        try:
            return verify_any(path, titles=titles, trust=trust)
        except MemoryError:
            return unreadable_report("not enough memory")

    return examine_file


def unreadable_report(why: str) -> VerifyReport:
    """Return a result for a file that could not be verified."""
    return VerifyReport(VerifyFault(None, UNREADABLE, why))


def examine(request: VerifyRequest) -> Verified:
    """Verify all files of a request in parallel, with progress on a terminal; a process that dies gives a report.

    Raises `WrongUsage` for a missing path, or a folder without logs and proofs.
    """
    paths, reports, histories = files_in(request.files), dict[int, VerifyReport | EventReport](), {}
    examine_file = partial(examining, request.find_players, request.supplied, request.trust)
    with progress("logs and proofs", len(paths)) as step:
        for index, result in in_processes(examine_file, paths, request.jobs):
            if isinstance(result, WorkerDied):
                reports[index] = unreadable_report(f"not examined: {result}")
            else:
                reports[index] = result.report
                if result.history is not None:
                    histories[index] = result.history
            step(len(reports))
    report = reports_of(paths, reports, histories, request.known)
    return Verified(report, str(report), report.is_good)


def with_contradiction(
    report: VerifyReport | EventReport, contradiction: Contradiction | None
) -> VerifyReport | EventReport:
    """Return a good report, or with a contradiction to another file the fault."""
    if contradiction is None:
        return report
    if isinstance(report, EventReport):
        return EventReport(fault=EventFault(EVENT, None, HISTORY, contradiction.why), event=report.event)
    return VerifyReport(VerifyFault(contradiction.entry, HISTORY, contradiction.why), match=report.match)


def reports_of(
    paths: Sequence[Path],
    reports: Mapping[int, VerifyReport | EventReport],
    histories: Mapping[int, FileHistory],
    known: Sequence[KnownKeys] = (),
) -> SeveralReports:
    """Combine the results by index into reports in the order of the paths, with the number of each verdict.

    Good files that contradict another are invalid; the histories in good files are compared. So are proofs by a former
    key, as a known history or another file shows.
    """
    checked = refuse_by_keys(paths, reports, known)
    contradictions = find_contradictions(histories, [*map(str, paths)], lambda index: map_file(paths[index]))
    file_reports = tuple(
        FileReport(str(path), with_contradiction(checked[index], contradictions.get(index)))
        for index, path in enumerate(paths)
    )
    verdicts = [each.verdict for each in file_reports]
    return SeveralReports(verdicts.count("good"), verdicts.count("INVALID"), verdicts.count("UNREADABLE"), file_reports)
