"""Rounds and phases of a replay, and points by round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from api.http.charts import ChartRound
from domain.kernel.messages import N_, Message
from projections.matches.replay import ReplayLine

BEFORE_FIRST_ROUND: Final = N_("Before the start")


class Chapter(msgspec.Struct, frozen=True):
    """The first entry of a phase in a round, with its label."""

    version: int
    round: int
    phase: str
    label: Message


def chapters(lines: Sequence[ReplayLine], phase_names: Mapping[str, str]) -> tuple[Chapter, ...]:
    """Return a chapter for every change of round or phase, in order; `phase_names` are the title's phase names."""
    found = list[Chapter]()
    for line in lines:
        round, phase = round_and_phase(line)
        if found and (found[-1].round, found[-1].phase) == (round, phase):
            continue
        found.append(Chapter(line.version, round, phase, label_of(round, phase, phase_names)))
    return tuple(found)


def round_and_phase(line: ReplayLine) -> tuple[int, str]:
    """Return the round number and the phase of an entry."""
    number, _, phase_path = line.phase.partition("/")
    return int(number or 0), phase_path.partition("/")[0]


def chapter_at(line: ReplayLine, phase_names: Mapping[str, str]) -> Message:
    """Return the label of the round and phase of an entry."""
    return label_of(*round_and_phase(line), phase_names)


def label_of(round: int, phase: str, phase_names: Mapping[str, str]) -> Message:
    """Return the label "Round n: phase" with the phase name from `phase_names`; only the phase if the round is 0.

    Without a phase: "Before the start".
    """
    if not phase:
        return Message(BEFORE_FIRST_ROUND)
    name = Message(phase_names[phase]) if phase in phase_names else Message(phase)
    return Message("Round {round}: {phase}", {"round": round, "phase": name}) if round else name


def rounds(chapters: Sequence[Chapter], scores: Sequence[tuple[int, ...]]) -> tuple[ChartRound, ...]:
    """Return the rounds in order, each with its first and last entry and the points at its end.

    `scores` are the points of the seats after each entry, starting at entry 1; if they are empty, so is the result.
    """
    starts = [part for before, part in pairwise((None, *chapters)) if part and begins_round(before, part)]
    ends = [part.version - 1 for part in starts[1:]] + [len(scores)]
    return tuple(
        ChartRound(part.round, part.version, end, scores[end - 1])
        for part, end in zip(starts, ends, strict=True)
        if scores
    )


def begins_round(before: Chapter | None, part: Chapter) -> bool:
    """Return whether the chapter begins a round."""
    return part.round > 0 and (before is None or before.round != part.round)
