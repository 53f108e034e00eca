"""Analysis of a match in pieces, independent of their order, and refusals of other matches."""

from pathlib import Path
from typing import Final

import msgspec
import pytest

from domain.analyses.report import NotAnalysed, analysis_of, pieces_of, summary_of
from domain.kernel.values import replace
from domain.matches.log.log_files import log_of as file_of
from domain.matches.log.log_files import read_log
from domain.studies.rules import Position, Wish, line_of
from domain.titles import TITLES
from tests.workers.matches.backend import EVALUATIONS, QUICK, log_of
from workers.analyses.matches import (
    analyse_piece,
    fold_analysable,
    list_taken_back,
    moments,
)

LAST: Final = 60
GOLDEN: Final = Path("tests/golden")


def test_pieces_cover_all_entries_once() -> None:
    spans = pieces_of(19)

    assert [entry for first, last in spans for entry in range(first, last + 1)] == list(range(1, 20))


def test_the_analysis_is_deterministic_for_any_pieces() -> None:
    match, entries = log_of().match, log_of().entries

    whole = analyse_piece(TITLES, EVALUATIONS, entries, 1, LAST, QUICK)
    pieces = [analyse_piece(TITLES, EVALUATIONS, entries, *span, QUICK) for span in ((31, LAST), (1, 30))]

    assert analysis_of(match, LAST, [whole], QUICK) == analysis_of(match, LAST, reversed(pieces), QUICK)
    assert whole.decisions
    assert whole.draws


def test_every_decision_is_evaluated_and_its_better_line_is_legal() -> None:
    match, entries = log_of().match, log_of().entries
    piece = analyse_piece(TITLES, EVALUATIONS, entries, 1, LAST, QUICK)
    positions = {each.entry: each.before for each in moments(TITLES, entries, 1, LAST)}

    for decision in piece.decisions:
        assert decision.best.chance >= decision.played.chance
        assert decision.is_best == (not decision.line)
        position = positions[decision.entry]
        codec = match.definition.codec.action
        better_line = [
            Wish(msgspec.json.decode(step.action, type=codec), step.seat) for step in decision.line if step.seat >= 0
        ]
        assert [step.told for step in line_of(Position(position, position.state), better_line) if step.seat >= 0] == [
            step.told for step in decision.line if step.seat >= 0
        ]
    analysis = analysis_of(match, len(entries), [piece], QUICK)
    assert summary_of(analysis, 0).accuracy > summary_of(analysis, 1).accuracy, "greedy plays better than random"


def test_the_luck_of_all_seats_adds_up_to_zero() -> None:
    piece = analyse_piece(TITLES, EVALUATIONS, log_of().entries, 1, LAST, QUICK)

    assert all(abs(sum(draw.chances)) <= 4 for draw in piece.draws)


def test_a_budget_without_draws_analyses_decisions_only() -> None:
    piece = analyse_piece(TITLES, EVALUATIONS, log_of().entries, 1, LAST, replace(QUICK, draws=0))

    assert (bool(piece.decisions), piece.draws) == (True, ())


def test_running_and_redacted_matches_are_not_analysed() -> None:
    entries = log_of().entries

    with pytest.raises(NotAnalysed, match="is running; only finished matches can be analysed"):
        fold_analysable(TITLES, entries[:LAST], EVALUATIONS)
    with pytest.raises(NotAnalysed, match="no search bot for el_grande"):
        fold_analysable(TITLES, entries, {})
    with pytest.raises(NotAnalysed, match="redacted"):
        fold_analysable(TITLES, file_of(entries, None).entries, EVALUATIONS)
    assert fold_analysable(TITLES, entries, EVALUATIONS).head == log_of().match.head


def test_the_solo_game_is_not_analysed() -> None:
    """With one seat every choice kept the whole chance to win, and random play was 100 % accurate."""
    with pytest.raises(NotAnalysed, match="has one seat; solo matches cannot be analysed"):
        fold_analysable(TITLES, log_of("la_granja", 1).entries, EVALUATIONS)


def test_entries_taken_back_do_not_count() -> None:
    entries = read_log(GOLDEN / "la_granja-interrupted.jsonl").entries
    taken_back = list_taken_back(TITLES, entries)

    assert taken_back
    assert not taken_back & {each.entry for each in moments(TITLES, entries, 1, len(entries))}
