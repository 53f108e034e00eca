"""Requests and responses of the hints API. Chances are in ten-thousandths, margins in hundredths of a point."""

from __future__ import annotations

from typing import Annotated, Any, Final
from uuid import UUID

import msgspec

from api.hints.service import CurrentHints, HintRequest, Stage
from api.http.languages import say
from api.http.structs import RequestStruct, ResponseStruct
from domain.analyses.report import Choice, Grade
from domain.hints import Marked

ADVICE_BYTES_MAX: Final = 64 * 1024


class HandInAdvice(RequestStruct, frozen=True):
    """A worker's result, as JSON."""

    advice: Annotated[str, msgspec.Meta(max_length=ADVICE_BYTES_MAX)]


class HintTaskShown(ResponseStruct, frozen=True):
    """A position as its seat sees it, with legal actions; `played` is the index of the chosen one."""

    title: str
    version: int
    view: Any
    actions: tuple[Any, ...]
    played: int | None = None


class ReasonShown(ResponseStruct, frozen=True):
    """A part of the evaluation, and how much better a choice is in it than the best unmarked one."""

    part: str
    points: int


class MarkedShown(ResponseStruct, frozen=True):
    """A recommended choice with reasons."""

    action: Any
    told: str
    chance: int
    margin: int
    reasons: tuple[ReasonShown, ...]


class VerdictShown(ResponseStruct, frozen=True):
    """The cost of the caller's last choice, `entry`.

    `takeBackTo` is set while it can be taken back; otherwise a fork at `forkAt` starts before it.
    """

    entry: int
    stage: Stage
    grade: Grade | None = None
    loss: int = 0
    best: str = ""
    take_back_to: int | None = None
    fork_at: int | None = None
    waits: bool = False
    """Whether the bots wait for a decision."""


class HintShown(ResponseStruct, frozen=True):
    """The requested hint, and the cost of the last choice."""

    match_id: UUID
    version: int
    stage: Stage
    choices: tuple[MarkedShown, ...] = ()
    verdict: VerdictShown | None = None


def show_hint(standing: CurrentHints) -> HintShown:
    """Convert hints."""
    advice = standing.hint.advice
    return HintShown(
        standing.match.id,
        standing.match.version,
        standing.hint.stage,
        () if advice is None else tuple(map(show_marked, advice.choices)),
        show_verdict(standing),
    )


def show_marked(marked: Marked) -> MarkedShown:
    """Convert a recommended choice."""
    choice = marked.choice
    reasons = tuple(ReasonShown(each.part, each.points) for each in marked.reasons)
    return MarkedShown(decode_action(choice), say(choice.told), choice.chance, choice.margin, reasons)


def decode_action(choice: Choice) -> Any:
    """Return the action of a choice."""
    return msgspec.json.decode(choice.action)


def show_verdict(standing: CurrentHints) -> VerdictShown | None:
    """Convert the verdict; None if there is none. While the bot thinks, only version and stage are set.

    A choice that cannot be taken back has the entry from which to fork.
    """
    verdict = standing.verdict
    if verdict is None:
        return None
    request: HintRequest = verdict.sought
    if request.advice is None:
        return VerdictShown(request.version + 1, request.stage)
    return VerdictShown(
        request.version + 1,
        request.stage,
        request.advice.grade,
        request.advice.loss,
        say(request.advice.best.told),
        verdict.take_back_to,
        request.version if verdict.take_back_to is None else None,
        verdict.is_held,
    )
