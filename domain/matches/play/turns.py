"""The fold of take-back positions and absences."""

from typing import Any, Final

from domain.kernel.values import replace
from domain.matches.aggregate import Match, TakeBackPosition
from domain.matches.facts import ActionTaken, TakenBack
from domain.matches.log.entries import Entry, microseconds
from domain.matches.play.absences import (
    MICROSECONDS,
    Absence,
    AbsenceAnnounced,
    AbsenceEnded,
    EndedAbsence,
    end_absences,
)
from domain.matches.redaction.disclosure import is_draft

HIDDEN_MARK: Final = b'"commitment"'


def marks_after(
    match: Match, marks: tuple[TakeBackPosition, ...], entry: Entry, fact: ActionTaken[Any, Any], state: object
) -> tuple[TakeBackPosition, ...]:
    """Return the take-back positions of the turn after an action that led to `state`; the current one is last.

    An action with draws, or that reveals hidden information, drops all earlier positions; an open action drops the
    positions within a finished draft.
    """
    is_hidden, version = HIDDEN_MARK in bytes(entry.body), entry.originator_version
    if match.format < 3:
        is_open = not fact.draws and (not is_hidden or is_draft(match.definition, state, fact.seat, fact.effects))
        return (*marks, TakeBackPosition(version, state)) if is_open else (TakeBackPosition(version, state),)
    if fact.draws or fact.reveals:
        return (TakeBackPosition(version, state),)
    previous = replace(marks[-1], clocks=match.clocks, until=microseconds(entry.timestamp))
    # An open action ends a draft and may reveal its steps, so no take-back may lead into a finished draft.
    remaining = [each for each in (*marks[:-1], previous) if is_hidden or not each.is_draft]
    return (*remaining, TakeBackPosition(version, state, is_draft=is_hidden))


def taken_back(match: Match, entry: Entry, fact: TakenBack) -> Match:
    """Restore an earlier position of the turn and count the take-back."""
    turn = match.turn
    if match.format < 3:
        marks = tuple(each for each in turn.marks if each.version <= fact.to_version)
    else:
        *earlier, last = turn.upto(fact.to_version)
        marks = (*earlier, replace(last, also=(*last.also, entry.version)))
    turn = replace(turn, marks=marks, taken_back_count=turn.taken_back_count + 1)
    return replace(match, state=marks[-1].state, turn=turn)


def absence_announced(match: Match, _entry: Entry, fact: AbsenceAnnounced) -> Match:
    """Add an absence."""
    return replace(
        match, absences=(*match.absences, Absence(fact.seat, fact.first * MICROSECONDS, fact.last * MICROSECONDS))
    )


def absence_ended(match: Match, entry: Entry, fact: AbsenceEnded) -> Match:
    """End the current or later absence of the seat, and note it as it was announced."""
    now = microseconds(entry.timestamp)
    ended = tuple(
        EndedAbsence(each.seat, each.first, each.last, now)
        for each in match.absences
        if each.seat == fact.seat and each.last > now
    )
    return replace(
        match,
        absences=end_absences(match.absences, now, fact.seat),
        ended_absences=(*match.ended_absences, *ended),
    )
