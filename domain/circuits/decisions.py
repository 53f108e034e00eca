"""Commands about circuits, as pure functions that return the facts to record."""

from collections.abc import Collection, Sequence
from typing import Final
from uuid import UUID

from domain.circuits import facts
from domain.circuits.counting import CircuitLine, ContestStandings
from domain.circuits.fact_base import ContestKey
from domain.circuits.facts import SettledLine
from domain.circuits.plan import CONTESTS_MAX, CircuitPlan, CircuitRefused, check_circuit
from domain.circuits.points import FULL_WEIGHT
from domain.circuits.state import Circuit
from domain.kernel.values import replace
from domain.matches.facts import Actor

DEPTH_MAX: Final = 3
"""The limit of circuits within circuits."""


def open_circuit(by: Actor, plan: CircuitPlan) -> facts.CircuitOpened:
    """Open a circuit."""
    check_circuit(plan)
    return facts.CircuitOpened(by, plan)


def change_plan(state: Circuit, by: Actor, plan: CircuitPlan, reason: str = "") -> facts.CircuitPlanChanged:
    """Change the plan; once the standings are official, only parts that do not affect them.

    Raise `CircuitRefused` for a bad plan.
    """
    check_circuit(plan)
    if state.is_settled:
        old = state.plan
        same = replace(plan, name=old.name, text=old.text, qualify=old.qualify, answer_days=old.answer_days)
        if same != old:
            raise CircuitRefused(f"the circuit {old.name!r} is over: its points and rules cannot be changed")
    return facts.CircuitPlanChanged(by, plan, reason)


def add_contest(
    state: Circuit, by: Actor, key: ContestKey, weight: int = FULL_WEIGHT, *, inside: Collection[UUID], depth: int = 1
) -> facts.ContestAdded:
    """Add a contest, or restore a withdrawn one.

    `inside`: the circuits that a circuit to be added contains, itself included; `depth`: the number of circuits in
    each other that result, from the outermost one to the innermost. Raise `CircuitRefused` if the circuit would contain
    itself.
    """
    if state.is_settled:
        raise CircuitRefused(f"the circuit {state.plan.name!r} is over and accepts no further contests")
    if (key.kind == "season") != bool(key.season):
        raise CircuitRefused(f"a season of a league needs a number from 1 on, other contests have none: {key.season}")
    if state.id in inside:
        way = "" if key.id == state.id else " through another circuit"
        raise CircuitRefused(f"the circuit {state.plan.name!r} cannot contain itself{way}: {key.id}")
    if depth > DEPTH_MAX:
        raise CircuitRefused(f"at most {DEPTH_MAX} circuits can be inside each other, not {depth}")
    if key == state.final:
        raise CircuitRefused("the final does not count for the circuit that leads to it")
    known = state.contest(key)
    if known is not None and not known.withdrawn:
        raise CircuitRefused(f"the contest {key.name} already counts for the circuit")
    if len(state.active_contests) >= CONTESTS_MAX:
        raise CircuitRefused(f"a circuit has at most {CONTESTS_MAX} contests")
    return facts.ContestAdded(by, key, weight)


def withdraw_contest(state: Circuit, by: Actor, key: ContestKey, reason: str) -> facts.ContestWithdrawn:
    """Let a contest no longer count; once the standings are official, a correction of them may follow."""
    known = state.contest(key)
    if known is None or known.withdrawn:
        raise CircuitRefused(f"the contest {key.name} does not count for the circuit")
    return facts.ContestWithdrawn(by, key, reason)


def name_final(state: Circuit, by: Actor, key: ContestKey | None) -> facts.FinalNamed:
    """Name the final: a tournament or a season; None takes it back.

    Raise `CircuitRefused` if it counts for the circuit, or if people are invited to another final.
    """
    if key is not None and key.kind == "circuit":
        raise CircuitRefused("the final is a tournament or a season of a league, not a circuit")
    if key is not None and (key.kind == "season") != bool(key.season):
        raise CircuitRefused(f"a season of a league needs a number from 1 on, other contests have none: {key.season}")
    if any(each.key == key for each in state.active_contests):
        raise CircuitRefused("the final does not count for the circuit that leads to it")
    if state.invited_to_final and key != state.final:
        raise CircuitRefused(f"{len(state.invited_to_final)} people are already invited to the final")
    return facts.FinalNamed(by, key)


def settle(
    state: Circuit, by: Actor, contests: Sequence[ContestStandings], lines: Sequence[CircuitLine], reason: str = ""
) -> facts.StandingsSettled:
    """Make the standings official, which ends the circuit; the same again, with a reason, corrects them.

    Raise `CircuitRefused` without a contest, while one is not over, for a plan that counts more results than there are
    contests, or if a correction would change nothing.
    """
    if not contests:
        raise CircuitRefused("the circuit has no contest")
    if state.is_settled and settled_lines(lines) == state.settled:
        raise CircuitRefused("the official standings are up to date")
    for contest in contests:
        if not contest.is_over:
            raise CircuitRefused(
                f"the contest {contest.name or contest.key.name!r} is not over; end it, or withdraw it from the circuit"
            )
    if not state.is_settled:
        check_counts(state.plan, len(contests))
    return facts.StandingsSettled(by, settled_lines(lines), reason)


def check_counts(plan: CircuitPlan, contests: int) -> None:
    """Raise `CircuitRefused` if the plan counts or needs more results than the circuit has contests."""
    if plan.best > contests:
        raise CircuitRefused(
            f"the best {plan.best} results count, but the circuit has only {contests} contests; change the plan, or add"
            " contests"
        )
    if plan.results_min > contests:
        raise CircuitRefused(
            f"a rank needs {plan.results_min} results, but the circuit has only {contests} contests; change the plan,"
            " or add contests"
        )


def settled_lines(lines: Sequence[CircuitLine]) -> tuple[SettledLine, ...]:
    """Return the rows of official standings."""
    return tuple(SettledLine(line.actor, line.rank, line.points) for line in lines)
