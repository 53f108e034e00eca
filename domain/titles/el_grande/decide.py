"""Decisions: dispatch a legal action to the phase of the current step, then run the automatic steps."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.rules import Options, Seat
from domain.kernel.settle import settle
from domain.titles.el_grande.actions import Action
from domain.titles.el_grande.effects import Effect, GreyCardSetAside, SecretChosen, StepBegun
from domain.titles.el_grande.evolve import evolve
from domain.titles.el_grande.phases import power_cards, round_end, setup, special, turns, windows
from domain.titles.el_grande.state import State, Step

Legal = Callable[[State, int], tuple[Action, ...]]
Perform = Callable[[State, int, Action], tuple[Effect, ...]]
Advance = Callable[[State, Chance], tuple[Effect, ...]]

DECISIONS: Final[Mapping[Step, tuple[Legal, Perform]]] = {
    "pass_grey": (setup.legal, setup.perform),
    "power": (power_cards.legal, power_cards.perform),
    "call": (turns.call_legal, turns.call_perform),
    "make_up": (turns.make_up_legal, turns.make_up_perform),
    "grey": (turns.grey_legal, turns.grey_perform),
    "take": (turns.take_legal, turns.take_perform),
    "turn": (turns.turn_legal, turns.turn_perform),
    "veto": (special.veto_legal, special.veto_perform),
    "send_back": (windows.send_back_legal, windows.send_back_perform),
    "secret": (windows.secret_legal, windows.secret_perform),
    "discs": (round_end.disc_legal, round_end.disc_perform),
}
"""The steps in which seats decide (EG-25)."""

AUTOMATIC_STEPS: Final[Mapping[Step, Advance]] = {
    "next_round": power_cards.next_round,
    "pass_grey": setup.advance,
    "order": power_cards.order,
    "next_turn": turns.next_turn,
    "turn": turns.turn_advance,
    "carry_out": special.carry_out,
    "send_back": windows.send_back_advance,
    "secret": windows.secret_advance,
    "end_round": round_end.end_round,
    "scoring": round_end.scoring,
    "discs": round_end.disc_advance,
    "regions": round_end.regions,
}
"""The steps that run automatically when no seat has to act."""


def seats_to_act(state: State) -> tuple[Seat, ...]:
    """Return the seats that owe a decision, sorted."""
    return state.to_act  # type: ignore[return-value]  # plain ints in the state, Seat to the outside


def legal_actions(state: State, seat: Seat) -> tuple[Action, ...]:
    """Return every legal action of the seat, none unless it must act.

    The first one closes, declines or commits to the least.
    """
    if seat not in state.to_act:
        return ()
    return DECISIONS[state.step][0](state, seat)


def decide(state: State, seat: Seat, action: Action, chance: Chance) -> tuple[Effect, ...]:
    """Return the effects of a legal action and of the automatic steps that follow it.

    Legality is not checked. If the action leaves a seat to act, no automatic step follows and `settle_all` is not
    needed.
    """
    caused = DECISIONS[state.step][1](state, seat, action)
    last = caused[-1]
    if isinstance(last, StepBegun):
        if last.seats:
            return caused
    elif len(state.to_act) > 1 or not isinstance(last, SecretChosen | GreyCardSetAside):
        return caused
    return settle_all(state, caused, chance)


def start(options: Options, seats: int, chance: Chance) -> tuple[Effect, ...]:
    """Return the effects of the setup, up to the first decision (EG-1)."""
    return settle_all(None, setup.opening(options, seats, chance), chance)


def settle_all(state: State | None, caused: tuple[Effect, ...], chance: Chance) -> tuple[Effect, ...]:
    """Return `caused` followed by the effects of every automatic step after it."""

    def advance(position: State | None) -> tuple[Effect, ...]:
        assert position is not None
        if position.to_act or position.step == "over":
            return ()
        return AUTOMATIC_STEPS[position.step](position, chance)

    return settle(state, caused, evolve=evolve, react=_no_reaction, advance=advance)


def _no_reaction(_state: State | None, _effect: Effect) -> tuple[Effect, ...]:
    return ()
