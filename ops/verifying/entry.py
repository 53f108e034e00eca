"""Examine the proof of a single entry."""

from pathlib import Path

from domain.proofs.entry_file import BEGINNING, EntryReport, verify_entry_proof
from domain.proofs.match import Trust
from domain.transparency.notes import NOTE_BYTES_MAX
from ops.console import WrongUsage
from ops.verifying.request import Verified, VerifyRequest


def is_entry_file(path: Path) -> bool:
    """Return whether a file begins like the proof of a single entry; raise `WrongUsage` if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(len(BEGINNING)) == BEGINNING
    except OSError as error:
        raise WrongUsage(f"cannot read {path}: {error.strerror}") from error


def verify_entry_in(path: Path, trust: Trust) -> EntryReport:
    """Verify the proof of a single entry in a file, of which at most the permitted length is read."""
    with path.open("rb") as file:
        return verify_entry_proof(file.read(NOTE_BYTES_MAX + 1), trust)


def examine(request: VerifyRequest) -> Verified:
    """Verify the proof in the one file of a request."""
    (path,) = request.files
    report = verify_entry_in(path, request.trust)
    if report.fault is not None:
        return Verified(report, f"INVALID  {path}: the file ({report.fault.kind}): {report.fault.why}", False)
    return Verified(report, "\n".join([f"good     {path}", *describe_entry(report)]), True)


def describe_entry(report: EntryReport) -> list[str]:
    """Describe the verified proof of an entry in lines."""
    assert report.proof is not None
    return [
        f"match    {report.match}",
        f"entry    {report.entry} at {report.at}: {report.body}",
        f"proof    tree of {report.proof.origin}, {report.proof.size} leaves, root {report.proof.root}",
        *(f"checked: {each}" for each in report.proof.checked),
        *(f"not checked: {each}" for each in report.unchecked),
    ]
