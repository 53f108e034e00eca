"""Commands and queries of analyses: positions of better lines, and saving as a study."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final
from uuid import UUID

import msgspec

from domain.analyses.report import Analysis, Decision, Grade
from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.integrity.agreement import SeatAgreement, seat_agreements
from domain.kernel.rules import SERVICE_SEAT
from domain.matches.aggregate import Match
from domain.matches.facts import Actor
from domain.studies.admission import admit, admit_opening
from domain.studies.commands import StoredStudyMatch, StudyStream, require_readable
from domain.studies.facts import CommentWritten, Fact, Glyph, PlaceMarked, StudyOpened, StudyPlace, VariationAdded
from domain.studies.rules import Position, Wish, line_of, play_steps
from domain.studies.state import STUDY

GLYPHS: Final[Mapping[Grade, Glyph]] = {"inaccuracy": "doubtful", "mistake": "mistake", "blunder": "blunder"}
"""Study glyphs by grade."""


def wishes_of(match: Match, decision: Decision) -> list[Wish]:
    """Return the better line as actions for a study, without automatic steps of the service."""
    action = match.definition.codec.action
    steps = (step for step in decision.line if step.seat != SERVICE_SEAT)
    return [Wish(msgspec.json.decode(step.action, type=action), step.seat) for step in steps]


def position_of(matches: Matches, match_id: UUID, decision: Decision, step: int) -> Position:
    """Return the position after `step` steps of the better line; step 0 is the position before the decision.

    A `step` beyond the end of the line gives its last position.
    """
    match = matches.at(match_id, decision.entry - 1)
    start, wishes = Position(match, match.state), wishes_of(match, decision)
    return play_steps(start, line_of(start, wishes[:step])) if step else start


def compare_actions(matches: Matches, match_id: UUID, analysis: Analysis) -> tuple[SeatAgreement, ...]:
    """Compare played actions with the analysis, for integrity statistics."""
    return seat_agreements(matches.get(match_id), matches.entries(match_id), analysis)


def compose_study(
    matches: Matches,
    study_id: UUID,
    match_id: UUID,
    by: Actor,
    title: str,
    preface: str,
    comments: Iterable[tuple[Decision, str]],
    variation_entries: frozenset[int],
) -> Callable[[Batch], StudyStream]:
    """Return the transaction that makes a new study: a comment on the whole, marks and comments at costly decisions.

    Better lines are added at the entries in `variation_entries`. The transaction raises `NotYourStudy` for a what-if,
    or for a private match in which `by` has no part.
    """
    decision_texts = tuple(comments)

    def compose(batch: Batch) -> StudyStream:
        match, book = matches.get(match_id), StoredStudyMatch(matches, match_id)
        require_readable(match, by)
        entries = min(book.last, match.version)
        opening = StudyOpened(
            by=by, match=match_id, head=book.digest_of(entries), entries=entries, title=title, kind="analysis"
        )
        admit_opening(opening, book)
        study = batch.record(STUDY, study_id, opening)

        def write(fact: Fact) -> StudyStream:
            admit(study.state, fact, book)
            return batch.record(STUDY, study_id, fact)

        study = write(CommentWritten(by=by, comment=1, at=StudyPlace(entries), text=preface))
        for decision, text in decision_texts:
            at, number = StudyPlace(decision.entry), study.state.numbers_used + 1
            study = write(PlaceMarked(by=by, at=at, glyphs=(GLYPHS[decision.grade],)))
            study = write(CommentWritten(by=by, comment=number, at=at, text=text))
            if decision.entry in variation_entries:
                match_before = book.at(decision.entry - 1)
                steps = line_of(Position(match_before, match_before.state), wishes_of(match_before, decision))
                at = StudyPlace(decision.entry - 1)
                study = write(VariationAdded(by=by, variation=number + 1, at=at, steps=steps))
        return study

    return compose
