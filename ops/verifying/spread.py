"""Examine several files on the calculators of all hosts."""

from ops.computing.corpora import verify_corpus
from ops.computing.spread import spread_from_environment
from ops.verifying.request import Verified, VerifyRequest


def examine(request: VerifyRequest) -> Verified:
    """Verify all files of a request on calculators.

    Raises `WrongUsage` for a path without files to verify or without Redis, `Finding` without a calculator.
    """
    spread = spread_from_environment()
    report = verify_corpus(request.files, spread, request.trust, request.find_players(), request.known)
    return Verified(report, str(report), report.is_good)
