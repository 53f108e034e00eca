"""Hints as jobs: evaluation of a position from its seat's view in under a second, and the policy that issues them."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Protocol
from uuid import UUID

import msgspec

from domain.hints import (
    BUDGET,
    MARKED_MAX,
    MARKED_MIN,
    REASONS_MAX,
    THIRD_CHOICE_LOSS_MAX,
    VERDICT_BUDGET,
    Advice,
    HintTask,
    Kind,
    Marked,
    Reason,
)
from domain.kernel.chance import hkdf_expand, hkdf_extract
from domain.kernel.title import AnyRules
from domain.matches.log.entries import microseconds
from projections.analyses import Analyses
from projections.follow import MICROSECOND
from projections.hints import DueHint, FinalChoice, Hints
from workers.analyses.duties import AnalysisDuties
from workers.analyses.engine import EvaluatedAction, Evaluation, evaluate_actions, list_reasons
from workers.analyses.matches import choice_of
from workers.bots.evaluation import Weights, load_evaluations
from workers.matches.bot_turn import PLAYERS, Players
from workers.queues import HINT_SECONDS_MAX, Queues

LEASE: Final = timedelta(seconds=HINT_SECONDS_MAX + 2)
ISSUED_MAX: Final = 8
INFO: Final = b"hint"


class HintService(Protocol):
    """The part of the service's interface that the job uses."""

    def read_hint_task(self, match_id: str, version: int, kind: Kind) -> HintTask | None:
        """Return the position to evaluate, or None if the hint is no longer wanted."""
        ...

    def hand_in_hint(self, match_id: str, version: int, kind: Kind, advice: Advice) -> bool:
        """Submit a hint; return False if it is no longer wanted."""
        ...


def give_hint(service: HintService, match_id: str, version: int, kind: Kind, players: Players = PLAYERS) -> bool:
    """Evaluate a position and submit the hint; return False if it is no longer wanted.

    Idempotent: the same position gives the same hint, and the first submission stays.
    """
    task = service.read_hint_task(match_id, version, kind)
    if task is None:
        return False
    return service.hand_in_hint(match_id, version, kind, advise(task, UUID(match_id), players))


def advise(task: HintTask, match_id: UUID, players: Players) -> Advice:
    """Return the hint for a position, based only on the seat's view: the best choices with reasons.

    If a choice was played, it is evaluated with the budget of a verdict and compared with the best.
    """
    title = players.titles[task.title]
    weights: Mapping[str, Weights] = load_evaluations(players.titles)
    legal: tuple[Any, ...] = tuple(msgspec.json.decode(action, type=title.codec.action) for action in task.actions)
    view = msgspec.json.decode(task.view, type=title.codec.view)
    seed = hkdf_expand(hkdf_extract(match_id.bytes, INFO), b"entry/%d" % task.version)
    played = None if task.played is None else legal[task.played]
    budget, required = (BUDGET, ()) if played is None else (VERDICT_BUDGET, (played,))
    evaluation = evaluate_actions(title.rules, weights[task.title], view, legal, seed, budget, required)
    marked_actions = choose_marked(evaluation)
    return Advice(
        choices=tuple(
            Marked(
                choice_of(title.rules, view, each),
                why(title.rules, weights[task.title], view, seed, each, evaluation, len(marked_actions)),
            )
            for each in marked_actions
        ),
        played=None if played is None else choice_of(title.rules, view, evaluation.find(played)),
        error=0 if played is None else evaluation.error_against(played),
    )


def choose_marked(evaluation: Evaluation) -> tuple[EvaluatedAction, ...]:
    """Return the best two actions, and the third if it is nearly as good; the only one if one was evaluated.

    Raises `IndexError` if none was.
    """
    best, third = evaluation.best, evaluation.actions[MARKED_MIN : MARKED_MIN + 1]
    is_near = bool(third) and best.chance - third[0].chance <= THIRD_CHOICE_LOSS_MAX
    return evaluation.actions[: MARKED_MAX if is_near else MARKED_MIN]


def why(
    rules: AnyRules,
    weights: Weights,
    view: object,
    seed: bytes,
    each: EvaluatedAction,
    evaluation: Evaluation,
    marked_count: int,
) -> tuple[Reason, ...]:
    """Return the parts in which a marked choice most exceeds the best unmarked one, or the last if all are marked.

    At most `REASONS_MAX`; none for that action itself.
    """
    unmarked = evaluation.actions[min(marked_count, len(evaluation.actions) - 1)]
    if unmarked.action == each.action:
        return ()
    found = list_reasons(rules, weights, view, seed, (each.action, unmarked.action), BUDGET)
    return tuple(Reason(part, points) for part, points in found[:REASONS_MAX])


def job_id_of(hint: DueHint, attempt: int) -> str:
    """Return the id of the job for an attempt at a hint."""
    return f"hint-{hint.match_id}-{hint.version}-{hint.kind}-{attempt}"


class HintDuties:
    """Enqueues jobs for requested hints."""

    def __init__(self, hints: Hints, queues: Queues) -> None:
        self._hints = hints
        self._queues = queues

    def issue(self, now: datetime) -> int:
        """Enqueue jobs for at most `ISSUED_MAX` hints without a valid lease; return their number.

        Raise `RedisError` if Redis is unavailable.
        """
        now_us = microseconds(now)
        due_hints = self._hints.due(now_us, LEASE // MICROSECOND, ISSUED_MAX)
        return sum(self._issue_hint(hint, now_us + LEASE // MICROSECOND) for hint in due_hints)

    def take_final_choices(self) -> list[FinalChoice]:
        """Return the choices that bots need not wait for any longer."""
        return self._hints.take_final_choices(ISSUED_MAX)

    def _issue_hint(self, hint: DueHint, until: int) -> bool:
        """Lease and enqueue a hint and return True; False if another process has leased it.

        If its previous job still waits in the queue, extend the lease instead and return False.
        """
        if hint.attempt and self._queues.is_waiting(job_id_of(hint, hint.attempt)):
            self._hints.extend(hint, until)
            return False
        if not self._hints.lease(hint, until):
            return False
        self._queues.give_hint(job_id_of(hint, hint.attempt + 1), hint.match_id, hint.version, hint.kind)
        return True

    def close(self) -> None:
        """Close the store of hints."""
        self._hints.close()


class RequestedDuties:
    """Enqueues jobs that users request: analyses and hints."""

    def __init__(self, location: Path | str, queues: Queues) -> None:
        self._analyses = AnalysisDuties(Analyses(location), queues)
        self._hints = HintDuties(Hints(location), queues)

    def issue(self, now: datetime) -> int:
        """Enqueue jobs for due hints and analyses; return their number."""
        return self._hints.issue(now) + self._analyses.issue(now)

    def take_final_choices(self) -> list[FinalChoice]:
        """Return the choices that bots need not wait for any longer."""
        return self._hints.take_final_choices()

    def close(self) -> None:
        """Close both stores."""
        self._hints.close()
        self._analyses.close()
