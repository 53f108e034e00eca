"""Verification of many logs and proofs by calculators, which receive their bytes and need no files."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from domain.matches.errors import LogFault
from domain.matches.log.log_files import read_content
from domain.matches.verification.verify import VerifyFault, VerifyReport
from domain.proofs.event import EventReport
from domain.proofs.histories import FileHistory, history_of
from domain.proofs.key_history import KnownKeys
from domain.proofs.match import Trust
from ops.computing.kinds import verify_spread
from ops.computing.spread import Spread
from ops.deck_files import is_event_file
from ops.progress import progress
from ops.transparency.events import map_file, verify_event_in
from ops.verifying.files import files_in
from ops.verifying.several import SeveralReports, reports_of
from workers.matches.bot_turn import Players

BYTES_AT_ONCE: Final = 64 * 1024 * 1024
"""Size of the files stored in Redis at the same time."""


def verify_corpus(
    paths: Sequence[Path], spread: Spread, trust: Trust, players: Players, known: Sequence[KnownKeys] = ()
) -> SeveralReports:
    """Verify files and the files in folders, in batches; a faulty file becomes a false report.

    Proofs of whole tournaments, which may be as large as all others together, are verified locally. Raises `WrongUsage`
    for a path that does not exist, or a folder without logs and proofs.
    """
    paths, reports, histories = files_in(paths), dict[int, VerifyReport | EventReport](), dict[int, FileHistory]()
    with progress("logs and proofs", len(paths)) as step:
        for batch in batches(paths):
            contents = dict[int, bytes]()
            for file_index in batch:
                try:
                    if is_event_file(paths[file_index]):
                        reports[file_index] = verify_event_in(paths[file_index], players.titles, {}, trust)
                    else:
                        contents[file_index] = read_content(paths[file_index])
                except LogFault as fault:
                    reports[file_index] = VerifyReport(VerifyFault(fault.entry, fault.kind, fault.why))
            step(len(reports))
            sent = [*contents]
            for index, verified in verify_spread(spread, [*contents.values()], trust):
                reports[sent[index]] = verified
                step(len(reports))
    for index, report in reports.items():
        if report.is_good:
            histories[index] = history_of(map_file(paths[index]))
    return reports_of(paths, reports, histories, known)


def batches(paths: Sequence[Path]) -> Iterator[list[int]]:
    """Yield the indexes of files that together do not exceed `BYTES_AT_ONCE`; a larger file is alone."""
    group, size = list[int](), 0
    for index, path in enumerate(paths):
        if group and size + path.stat().st_size > BYTES_AT_ONCE:
            yield group
            group, size = [], 0
        group.append(index)
        size += path.stat().st_size
    if group:
        yield group
