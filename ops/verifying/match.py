"""Examine the log or the proof of one match."""

from pathlib import Path

from domain.kernel.values import replace
from domain.matches.verification.verify import VerifyFault, VerifyReport
from domain.proofs.match import verify_any
from domain.proofs.match_file import KIND
from ops.verifying.deck_files import register_files_for
from ops.verifying.known_keys import find_fault_by_keys
from ops.verifying.request import Verified, VerifyRequest


def examine(request: VerifyRequest) -> Verified:
    """Verify the log or proof in the one file of a request.

    Raises `Finding` or `WrongUsage` if deck files are given and cannot be registered.
    """
    (path,) = request.files
    titles = request.find_players().titles
    register_files_for(titles, path, request.supplied)
    report = verify_any(path, titles=titles, head=request.head, trust=request.trust)
    if why := find_fault_by_keys(path, report, request.known):
        report = replace(report, fault=VerifyFault(None, KIND, why))
    return Verified(report, text(path, report), report.is_good)


def text(path: Path, report: VerifyReport) -> str:
    """Format the report: its fault in one line, or lines with the checked and the unchecked parts."""
    if report.fault is not None:
        location = "the file" if report.fault.entry is None else f"entry {report.fault.entry}"
        return f"INVALID  {path}: {location} ({report.fault.kind}): {report.fault.why}"
    checked = f"{report.openings_checked} commitments opened, {report.draws_checked} draws recomputed"
    lines = [
        f"good     {path}",
        f"match    {report.match} of {report.title}, {report.status}",
        f"entries  {report.entries}: chain intact, {checked}, {report.actions_checked} actions replayed",
        f"head     {report.head}",
        f"luck     {luck_of(report)}, {report.format}",
    ]
    if signatures := describe_signatures(report):
        lines.append(f"signed   {signatures}")
    if report.scores is not None and report.ranking is not None:
        ruling_note = ", as ruled" if report.ruled else ""
        lines.append(
            f"scores   {', '.join(map(str, report.scores))} (places {', '.join(map(str, report.ranking))}){ruling_note}"
        )
    elif report.ruled:
        lines.append("scores   none: the match was voided by a ruling")
    if report.proof is not None:
        lines.append(f"proof    tree of {report.proof.origin}, {report.proof.size} leaves, root {report.proof.root}")
        lines += [f"checked: {each}" for each in report.proof.checked]
    return "\n".join(lines + [f"not checked: {each}" for each in report.unchecked])


def luck_of(report: VerifyReport) -> str:
    """Describe the sources of chance: the service alone, or the seats with shares and the service."""
    seats = report.own_luck
    if not seats:
        return "from the service only"
    return f"from {'seat' if len(seats) == 1 else 'seats'} {', '.join(map(str, seats))} and the service"


def describe_signatures(report: VerifyReport) -> str:
    """Describe the numbers of signatures of seats, of the service and of rulings; empty without any."""
    seats = [f"{seat.signed} acts by seat {seat.seat}" for seat in report.signatures.seats if seat.signed]
    services = [f"{count} by the service" for _, count in report.signatures.services]
    rulings = sum(key != "" for _, key in report.signatures.rulings)
    return ", ".join(seats + services + ["1 ruling" if rulings == 1 else f"{rulings} rulings"] * (rulings > 0))
