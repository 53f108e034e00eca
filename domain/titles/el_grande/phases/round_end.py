"""Phases 4 and 5: the end of a round and the general scoring (EG-8, EG-9, EG-16.6, EG-16.11)."""

from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.hidden import Hidden
from domain.titles.el_grande.action_cards.scorings import open_castillo, score_areas
from domain.titles.el_grande.actions import Action, SetDisc
from domain.titles.el_grande.components import CASTILLO, PLACES, REGIONS, SCORING_ROUNDS, STRIP
from domain.titles.el_grande.effects import (
    CaballerosMoved,
    DummyRegionsShuffled,
    Effect,
    FirstPlayerSet,
    GrandeMoved,
    RoundEnded,
    SecretChosen,
    SecretsRevealed,
    StepBegun,
    VetoDiscarded,
)
from domain.titles.el_grande.state import NO_CHOICE, UNCLEAR, DraftLine, State, Step, round_number

DISCS: Final = (SetDisc(), *(SetDisc(region) for region in REGIONS))


def end_round(state: State, _chance: Chance) -> tuple[Effect, ...]:
    """Give the marker to the player of the lowest power card, and discard expired Vetoes and cards.

    A general scoring follows after rounds 3, 6 and 9, otherwise the next round (EG-8, EG-16.7, EG-19.4d).
    """
    first = min(range(state.setting.seats), key=state.results.__getitem__)
    expired = tuple(VetoDiscarded(veto.seat, veto.card) for veto in state.vetoes if veto.until <= state.round_index)
    following: Step = "scoring" if round_number(state) in SCORING_ROUNDS else "next_round"
    return FirstPlayerSet(first), *expired, RoundEnded(), StepBegun(following)


def owners(state: State) -> tuple[int, ...]:
    """Return the seats that set a disc: the owners of pieces in the Castillo (EG-9.2, EG-18.7).

    There are none if the king is next to the Castillo, which then stays closed (EG-18.8).
    """
    if state.king == CASTILLO:
        return ()
    row = state.pieces[CASTILLO]
    return tuple(seat for seat in range(state.setting.seats) if row[seat] or state.grandes[seat] == CASTILLO)


def scoring(state: State, _chance: Chance) -> tuple[Effect, ...]:
    """Begin a general scoring with the discs of all owners at once (EG-9.1)."""
    return (StepBegun("discs", owners(state)),)


def disc_legal(_state: State, _seat: int) -> tuple[Action, ...]:
    """Return all discs: unclear, or any region, the king's included (EG-9.1, EG-9.3)."""
    return DISCS


def disc_perform(_state: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Return the secret choice of a disc."""
    assert isinstance(action, SetDisc)
    return (SecretChosen(seat, Hidden(action.region, (seat,))),)


def disc_advance(state: State, _chance: Chance) -> tuple[Effect, ...]:
    """Score the Castillo, reveal the discs, empty the Castillo, then go to the regions (EG-9.4, EG-9.5)."""
    shown = tuple(
        (seat, None if choice == UNCLEAR else REGIONS[choice])
        for seat, choice in enumerate(state.secrets)
        if choice != NO_CHOICE
    )
    revealed = (SecretsRevealed(tuple(seat for seat, _ in shown), tuple(region for _, region in shown)),)
    return (*open_castillo(state), *(revealed if shown else ()), *empty_castillo(state), StepBegun("regions"))


def empty_castillo(state: State) -> tuple[Effect, ...]:
    """Move the contents of the Castillo out.

    Caballeros go to the region of the disc or to the Court, the dummy's to its supply (EG-9.3, EG-16.11). A Grande
    goes with a clear disc and otherwise stays (EG-18.7). If the king is next to the Castillo, nothing leaves.
    """
    if state.king == CASTILLO:
        return ()
    row, lines, grandes = state.pieces[CASTILLO], [], []
    for seat in owners(state):
        choice = state.secrets[seat]
        is_clear = choice not in {UNCLEAR, state.king}
        if row[seat]:
            lines.append(DraftLine(seat, "castillo", PLACES[choice] if is_clear else "court", row[seat]))
        if is_clear and state.grandes[seat] == CASTILLO:
            grandes.append(GrandeMoved(seat, REGIONS[choice]))
    dummy = state.setting.dummy
    if dummy >= 0 and row[dummy]:
        lines.append(DraftLine(dummy, "castillo", "province", row[dummy]))
    moved = (CaballerosMoved(-1, tuple(lines)),) if lines else ()
    return (*moved, *grandes)


def regions(state: State, _chance: Chance) -> tuple[Effect, ...]:
    """Score every region in the order of the strip (EG-9.6) and reshuffle the dummy's regions; a round follows."""
    shuffled = (DummyRegionsShuffled(),) if state.setting.dummy >= 0 else ()
    return (*score_areas(state, STRIP), *shuffled, StepBegun("next_round"))
