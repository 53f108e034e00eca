"""Verification of the matches in the proof of a tournament, each on its own."""

from collections.abc import Callable, Sequence

from domain.contests.deadlines import Verdict, place_overdue_last
from domain.kernel.title import Titles
from domain.kernel.values import Value
from domain.matches.errors import LogFault
from domain.matches.log.entries import ALL
from domain.matches.play.absences import Absences
from domain.matches.rulings.outcome import Outcome, outcome_of
from domain.matches.seats.lots import places_by_lot
from domain.matches.verification.verify import VerifyFault, VerifyReport
from domain.proofs.labels import digest_of_log
from domain.proofs.match import Trust, examine_proof_file

Part = tuple[int, int]
"""Start and end of the proof of a match in the file."""


class MatchExamined(Value, frozen=True):
    """The result of verifying one match: the report, and its outcome if it is good."""

    report: VerifyReport
    outcome: Outcome | None = None
    lots: tuple[int, ...] | None = None
    """The places by seat that lots from the luck of the match give."""
    checkpoint: str = ""
    keys: tuple[str, ...] = ()
    log: str = ""
    """The digest of the announcements of the log."""
    is_whole: bool = True
    open_scores: tuple[int, ...] = ()
    """The public scores of the last position, by which a deadline may have decided the table."""
    overdue: Verdict | None = None
    """The outcome with overdue players last, by the last position; None if no player owed a decision."""
    is_ruled: bool = False
    reopened: int = 0
    """The number of times that the table was opened again before the start, each time with other luck."""
    absences: Absences = ()
    """The absences of its seats until its end."""


Examine = Callable[[Sequence[Part]], Sequence[MatchExamined]]


def examine_match(content: bytes, titles: Titles, trust: Trust) -> MatchExamined:
    """Verify one match of a tournament separately; with a fault, only the report is given."""
    try:
        proof, examined = examine_proof_file(content, titles=titles, trust=trust)
    except LogFault as fault:
        return MatchExamined(VerifyReport(VerifyFault(fault.entry, fault.kind, fault.why)))
    if not examined.report.is_good:
        return MatchExamined(examined.report)
    assert examined.match is not None
    match, state = examined.match, examined.match.state
    first = proof.log.entries[0].originator_id
    return MatchExamined(
        report=examined.report,
        outcome=outcome_of(match, first, match.id, examined.times),
        lots=places_by_lot(match),
        checkpoint=str(proof.note),
        keys=tuple(map(str, proof.keys)),
        log=digest_of_log(proof.labels.log),
        is_whole=proof.log.reader == ALL,
        open_scores=() if state is None else match.definition.rules.open_scores(state),
        overdue=place_overdue_last(match, match.timestamp),
        is_ruled=bool(match.docket.rulings),
        reopened=match.reopened,
        absences=match.absences,
    )
