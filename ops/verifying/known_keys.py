"""Known keys of services: from `--keys FILE`, and from the other files of one invocation."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from domain.kernel.values import replace
from domain.matches.errors import LogFault
from domain.matches.verification.verify import VerifyFault, VerifyReport
from domain.proofs.event import EventFault, EventReport
from domain.proofs.key_history import KnownKeys, find_refusal, keys_shown, read_history
from domain.proofs.match import Trust
from domain.proofs.match_file import KIND
from ops.console import WrongUsage

Report = VerifyReport | EventReport
WHOLE: Final = "the file"


def read_known_keys(path: Path | None, trust: Trust) -> tuple[KnownKeys, ...]:
    """Return the history in a file, if one is given; raise `WrongUsage` if it is unreadable, false or not trusted."""
    if path is None:
        return ()
    try:
        return (read_history(path.read_bytes(), str(path), trust),)
    except OSError as error:
        raise WrongUsage(f"cannot read {path}: {error.strerror}") from error
    except LogFault as fault:
        raise WrongUsage(f"no history of keys in {path}: {fault.why}") from fault


def refuse_by_keys(
    paths: Sequence[Path], reports: Mapping[int, Report], known: Sequence[KnownKeys]
) -> dict[int, Report]:
    """Return the reports by index; a good report that contradicts a known history or file has a fault instead."""
    shown = {
        index: keys_shown(report.proof, str(paths[index]))
        for index, report in reports.items()
        if report.is_good and report.proof is not None
    }
    # Most files of one invocation show the same history.
    distinct = {(keys.chain, keys.history): keys for keys in shown.values()}
    return {
        index: with_fault(report, find_refusal_by(shown[index], (*known, *distinct.values())))
        if index in shown
        else report
        for index, report in reports.items()
    }


def find_refusal_by(keys: KnownKeys, known: Sequence[KnownKeys]) -> str | None:
    """Return why the first of several known histories refuses a file, or None."""
    refusals = (find_refusal(keys, other) for other in known)
    return next((each for each in refusals if each is not None), None)


def find_fault_by_keys(path: Path, report: Report, known: Sequence[KnownKeys]) -> str | None:
    """Return why a known history refuses a good proof, or None."""
    if not report.is_good or report.proof is None:
        return None
    return find_refusal_by(keys_shown(report.proof, str(path)), known)


def with_fault(report: Report, why: str | None) -> Report:
    """Return a report with a fault of the whole file, if there is one."""
    if why is None:
        return report
    if isinstance(report, EventReport):
        return replace(report, fault=EventFault(WHOLE, None, KIND, why))
    return replace(report, fault=VerifyFault(None, KIND, why))
