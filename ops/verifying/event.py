"""Examine the proof of a tournament, its matches on all processors."""

from domain.kernel.values import replace
from domain.proofs.event import EventFault
from domain.proofs.match_file import KIND
from ops.transparency.events import event_text, verify_event_file
from ops.verifying.known_keys import WHOLE, find_fault_by_keys
from ops.verifying.request import Verified, VerifyRequest


def examine(request: VerifyRequest) -> Verified:
    """Verify the tournament's proof in the one file of a request, with several processes.

    Raises `WrongUsage` if it cannot be read.
    """
    (path,) = request.files
    report = verify_event_file(
        path, request.find_players, jobs=request.jobs, files=request.supplied, trust=request.trust
    )
    if why := find_fault_by_keys(path, report, request.known):
        report = replace(report, fault=EventFault(WHOLE, None, KIND, why))
    return Verified(report, event_text(path, report), report.is_good)
