"""The places in the final of a circuit: who was invited, who answered, and who is next."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Literal

from domain.circuits.plan import CircuitRefused
from domain.circuits.state import Circuit
from domain.kernel.values import Value
from domain.matches.facts import Actor

FinalAnswer = Literal["invited", "entered", "declined", "withdrawn", "left"]
"""The state of a person in the final: invited without an answer, entered, or not playing there.

`withdrawn`: the invitation was withdrawn, for example for lack of an answer in time. `left`: the person left the final.
"""


class NextInvitations(Value, frozen=True):
    """The people to invite to the final now, by rank, and the people who did not answer in time."""

    people: tuple[Actor, ...] = ()
    silent: tuple[Actor, ...] = ()


def next_invitations(
    state: Circuit, answers: Mapping[Actor, FinalAnswer], unfit: Collection[Actor], at: datetime
) -> NextInvitations:
    """Return whom to invite so that the best `qualify` people who want to play have a place.

    People who declined, left, did not answer in time or are `unfit` are replaced down the official ranking. Raise
    `CircuitRefused` without official standings, without a final, or if the plan has no places in it.
    """
    if not state.is_settled:
        raise CircuitRefused("the standings are not official yet")
    if state.final is None:
        raise CircuitRefused("name the final first")
    if not state.plan.qualify:
        raise CircuitRefused("the plan of the circuit has no places in a final")
    order = [line.actor for line in state.settled if line.rank]
    noted = {each.actor: each for each in state.invited_to_final}
    silent = tuple(
        actor
        for actor, each in noted.items()
        if answers.get(actor) == "invited" and each.until is not None and each.until <= at
    )
    present = {actor for actor, answer in answers.items() if answer in ("invited", "entered")} - {*silent}
    # Someone further down who entered by themselves takes no place of the circuit.
    taken = {actor for actor in present if actor in noted or actor in order[: state.plan.qualify]}
    waiting = [actor for actor in order if actor in noted and actor not in answers and actor not in unfit]
    new = [actor for actor in order if actor not in noted and actor not in answers and actor not in unfit]
    free = max(0, state.plan.qualify - len(taken) - len(waiting))
    chosen = {*waiting, *new[:free]}
    return NextInvitations(tuple(actor for actor in order if actor in chosen), silent)
