"""The parts of a match that a reader jumps to: its rounds and phases, and its points through all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from api.http.charts import ChartRound
from domain.kernel.messages import N_, Message
from projections.matches.replay import ReplayLine

BEFORE: Final = N_("Before the start")


class Chapter(msgspec.Struct, frozen=True):
    """A phase of a round: the entry after which it stands, and what it is called."""

    version: int
    round: int
    phase: str
    label: Message


def chapters(lines: Sequence[ReplayLine], words: Mapping[str, str]) -> tuple[Chapter, ...]:
    """One for every phase that begins, in order; `words` are the title's names of its phases."""
    found = list[Chapter]()
    for line in lines:
        round, phase = round_and_phase(line)
        if found and (found[-1].round, found[-1].phase) == (round, phase):
            continue
        found.append(Chapter(line.version, round, phase, label_of(round, phase, words)))
    return tuple(found)


def round_and_phase(line: ReplayLine) -> tuple[int, str]:
    number, _, rest = line.phase.partition("/")
    return int(number or 0), rest.partition("/")[0]


def chapter_at(line: ReplayLine, words: Mapping[str, str]) -> Message:
    """Round and phase in which an entry ended."""
    return label_of(*round_and_phase(line), words)


def label_of(round: int, phase: str, words: Mapping[str, str]) -> Message:
    if not phase:
        return Message(BEFORE)
    name = Message(words[phase]) if phase in words else Message(phase)
    return Message("Round {round}: {phase}", {"round": round, "phase": name}) if round else name


def rounds(chapters: Sequence[Chapter], scores: Sequence[tuple[int, ...]]) -> tuple[ChartRound, ...]:
    """The rounds in order; `scores` are those after each entry, entry 1 first."""
    starts = [part for before, part in pairwise((None, *chapters)) if part and is_new(before, part)]
    ends = [part.version - 1 for part in starts[1:]] + [len(scores)]
    return tuple(
        ChartRound(part.round, part.version, end, scores[end - 1])
        for part, end in zip(starts, ends, strict=True)
        if scores
    )


def is_new(before: Chapter | None, part: Chapter) -> bool:
    """The chapter begins a round."""
    return part.round > 0 and (before is None or before.round != part.round)
