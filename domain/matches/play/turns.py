"""Positions of a turn that can be taken back to, and the absences of seats, as entries change them (the fold)."""

from typing import Any, Final

from domain.kernel.values import replace
from domain.matches.aggregate import Mark, Match
from domain.matches.facts import ActionTaken, TakenBack
from domain.matches.log.entries import Entry, microseconds
from domain.matches.play.absences import US, Absence, AbsenceAnnounced, AbsenceEnded, ended_at
from domain.matches.redaction.disclosure import is_draft

HIDDEN_MARK: Final = b'"commitment"'


def marks_after(
    match: Match, marks: tuple[Mark, ...], entry: Entry, fact: ActionTaken[Any, Any], state: object
) -> tuple[Mark, ...]:
    """Return the positions of the current turn, the present one last, after an action that led to `state`."""
    hides, version = HIDDEN_MARK in bytes(entry.body), entry.originator_version
    if match.format < 3:
        is_open = not fact.draws and (not hides or is_draft(match.definition, state, fact.seat, fact.effects))
        return (*marks, Mark(version, state)) if is_open else (Mark(version, state),)
    if fact.draws or fact.reveals:
        return (Mark(version, state),)
    left = replace(marks[-1], clocks=match.clocks, until=microseconds(entry.timestamp))
    # An open action closes a draft and may show its steps, so no take-back leads to the middle of a closed draft.
    kept = [mark for mark in (*marks[:-1], left) if hides or not mark.is_draft]
    return (*kept, Mark(version, state, is_draft=hides))


def taken_back(match: Match, entry: Entry, fact: TakenBack) -> Match:
    turn = match.turn
    if match.format < 3:
        marks = tuple(mark for mark in turn.marks if mark.version <= fact.to_version)
    else:
        *earlier, last = turn.upto(fact.to_version)
        marks = (*earlier, replace(last, also=(*last.also, entry.version)))
    turn = replace(turn, marks=marks, taken_back_count=turn.taken_back_count + 1)
    return replace(match, state=marks[-1].state, turn=turn)


def absence_announced(match: Match, _entry: Entry, fact: AbsenceAnnounced) -> Match:
    return replace(match, absences=(*match.absences, Absence(fact.seat, fact.first * US, fact.last * US)))


def absence_ended(match: Match, entry: Entry, fact: AbsenceEnded) -> Match:
    return replace(match, absences=ended_at(match.absences, microseconds(entry.timestamp), fact.seat))
