"""Hints on the wire. Chances are in ten-thousandths, margins in hundredths of a point."""

from __future__ import annotations

from typing import Annotated, Any, Final
from uuid import UUID

import msgspec

from api.hints.service import HintStanding, Sought, Stage
from api.http.languages import say
from api.http.wire import Asked, Wire
from domain.analyses.report import Choice, Grade
from domain.hints import Marked

ADVICE_BYTES_MAX: Final = 64 * 1024


class HandInAdvice(Asked, frozen=True):
    """What a worker found, in JSON."""

    advice: Annotated[str, msgspec.Meta(max_length=ADVICE_BYTES_MAX)]


class HintTaskShown(Wire, frozen=True):
    """A position as its seat sees it, and what may be chosen; `played` is the place of what was chosen there."""

    title: str
    version: int
    view: Any
    actions: tuple[Any, ...]
    played: int | None = None


class ReasonShown(Wire, frozen=True):
    """A part of the judgement, and by how much a choice ends higher in it than the best that is not marked."""

    part: str
    points: int


class MarkedShown(Wire, frozen=True):
    """A choice worth a look, and why."""

    action: Any
    told: str
    chance: int
    margin: int
    reasons: tuple[ReasonShown, ...]


class VerdictShown(Wire, frozen=True):
    """What the last own choice has cost. `entry` is the choice; `takeBackTo` is there while it can be taken back, else
    `forkAt`: a fork from there begins before it."""

    entry: int
    stage: Stage
    grade: Grade | None = None
    loss: int = 0
    best: str = ""
    take_back_to: int | None = None
    fork_at: int | None = None
    waits: bool = False
    """The bots hold on until it is taken back or kept."""


class HintShown(Wire, frozen=True):
    """What would be best now, if that was asked, and what the last choice has cost."""

    match_id: UUID
    version: int
    stage: Stage
    choices: tuple[MarkedShown, ...] = ()
    verdict: VerdictShown | None = None


def show_hint(standing: HintStanding) -> HintShown:
    advice = standing.hint.advice
    return HintShown(
        standing.match.id,
        standing.match.version,
        standing.hint.stage,
        () if advice is None else tuple(map(show_marked, advice.choices)),
        show_verdict(standing),
    )


def show_marked(marked: Marked) -> MarkedShown:
    choice = marked.choice
    reasons = tuple(ReasonShown(each.part, each.points) for each in marked.reasons)
    return MarkedShown(decoded(choice), say(choice.told), choice.chance, choice.margin, reasons)


def decoded(choice: Choice) -> Any:
    return msgspec.json.decode(choice.action)


def show_verdict(standing: HintStanding) -> VerdictShown | None:
    verdict = standing.verdict
    if verdict is None:
        return None
    sought: Sought = verdict.sought
    if sought.advice is None:
        return VerdictShown(sought.version + 1, sought.stage)
    return VerdictShown(
        sought.version + 1,
        sought.stage,
        sought.advice.grade,
        sought.advice.loss,
        say(sought.advice.best.told),
        verdict.take_back_to,
        sought.version if verdict.take_back_to is None else None,
        verdict.is_held,
    )
