"""The order of the steps of a match and the tasks that each begins with."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.titles.la_granja.adjustments import owners_of
from domain.titles.la_granja.agenda import (
    AnyTask,
    CardStep,
    DeliveryTurn,
    DiceRoll,
    DieChoice,
    DonkeyAdvance,
    DonkeyChoice,
    DonkeyEnd,
    GrowthStep,
    Income,
    RoofStep,
    SaleOwed,
)
from domain.titles.la_granja.effects import (
    CraftMarkersFlipped,
    DonkeysReturned,
    DonkeysRevealed,
    Effect,
    GoodGained,
    HelpersRefreshed,
    RevenueCleared,
    RoofsRevealed,
    SiestaReturned,
    StepBegun,
    TurnOrderSet,
)
from domain.titles.la_granja.holdings import siesta_space
from domain.titles.la_granja.phases import solo
from domain.titles.la_granja.phases.market import stall_count
from domain.titles.la_granja.phases.revenue import resolution_tasks
from domain.titles.la_granja.phases.siesta import order_by_siesta
from domain.titles.la_granja.state import STEPS, State
from domain.titles.la_granja.tables import box_of


def begin_next_step(state: State, chance: Chance) -> tuple[Effect, ...]:
    """Return the effects that begin the next step, round or final sale, when the agenda is empty.

    Empty after the final sale (LG-8.1).
    """
    if state.step == "over":
        return ()
    if state.step == "setup":
        return STEP_STARTERS["cards"](state, chance)
    if state.step == "siesta_scoring" and state.round == box_of(state).rounds:
        return (StepBegun(state.round, "sale", (SaleOwed(SERVICE_SEAT),)),)
    if state.step == "turning":
        return _begin_cards_of(state, state.round + 1)
    return STEP_STARTERS[STEPS[STEPS.index(state.step) + 1]](state, chance)


def _begin_step(state: State, step: str, tasks: Sequence[AnyTask], round: int = 0) -> StepBegun:
    """Return the effect that begins a step; `tasks` are in order of play and are reversed for the stack."""
    return StepBegun(round or state.round, step, tuple(reversed(tasks)))


def _begin_cards_of(state: State, round: int) -> tuple[Effect, ...]:
    """Begin step I.1 with 1 card to play, 2 in round 1 (LG-3.1.1)."""
    play_count = 2 if round == 1 else 1
    return (_begin_step(state, "cards", [CardStep(seat, plays=play_count) for seat in state.order], round),)


def begin_cards(state: State, _: Chance) -> tuple[Effect, ...]:
    """Begin step I.1."""
    return _begin_cards_of(state, state.round)


def begin_income(state: State, _: Chance) -> tuple[Effect, ...]:
    """Begin step I.2."""
    return (_begin_step(state, "income", [Income(seat) for seat in state.order]),)


def begin_growth(state: State, _: Chance) -> tuple[Effect, ...]:
    """Begin step I.3."""
    return (_begin_step(state, "growth", [GrowthStep(seat) for seat in state.order]),)


def begin_roofs(state: State, _: Chance) -> tuple[Effect, ...]:
    """Begin step I.4 in turn order, in round 1 reversed (LG-3.4.1); owners of the Early Riser are first."""
    order = state.order[::-1] if state.round == 1 else state.order
    early_seats = owners_of(state, "roof_first")
    order = (*early_seats, *(seat for seat in order if seat not in early_seats))
    return (_begin_step(state, "roofs", [RoofStep(seat) for seat in order]),)


def begin_roll(state: State, _: Chance) -> tuple[Effect, ...]:
    """Begin phase II with the roll of the dice."""
    return (_begin_step(state, "roll", [DiceRoll(state.order[0])]),)


def begin_first_dice(state: State, _: Chance) -> tuple[Effect, ...]:
    """Begin the choice of the first dice (LG-4.2)."""
    return (_begin_step(state, "first_dice", solo.with_discard(state, [DieChoice(seat) for seat in state.order])),)


def begin_second_dice(state: State, _: Chance) -> tuple[Effect, ...]:
    """Begin the choice of the second dice (LG-4.2)."""
    return (_begin_step(state, "second_dice", solo.with_discard(state, [DieChoice(seat) for seat in state.order])),)


def begin_last_die(state: State, _: Chance) -> tuple[Effect, ...]:
    """Begin the last die, which every seat resolves in turn order (LG-4.3)."""
    (pips,) = state.dice
    tasks = [task for seat in state.order for task in resolution_tasks(seat, pips, "last")]
    return (_begin_step(state, "last_die", tasks),)


def begin_donkeys(state: State, _: Chance) -> tuple[Effect, ...]:
    """Begin the simultaneous choice of donkey tiles; in round 4 used tiles return first (LG-5.1.2)."""
    returned = (DonkeysReturned(),) if state.round == box_of(state).donkey_reset_round else ()
    tasks = solo.with_placement_before(state, [DonkeyChoice(seat) for seat in state.order])
    return RevenueCleared(), *returned, _begin_step(state, "donkeys", tasks)


def begin_siesta(state: State, _: Chance) -> tuple[Effect, ...]:
    """Reveal the donkey tiles (LG-5.1.1) and begin the advance on the siesta track (LG-5.2.1)."""
    revelation = DonkeysRevealed(tuple(farm.donkey for farm in state.farms))
    return revelation, _begin_step(state, "siesta", [DonkeyAdvance(seat) for seat in state.order])


def begin_free_deliveries(state: State, _: Chance) -> tuple[Effect, ...]:
    """Set the turn order, except in the solo game (LG-11.10), and begin the free deliveries (LG-5.2.3, LG-5.3.1)."""
    order = order_by_siesta(state)
    tasks = [task for seat in order for task in (DeliveryTurn(seat, paid=False), DonkeyEnd(seat))]
    ordered = () if solo.is_solo(state) else (TurnOrderSet(order),)
    return *ordered, _begin_step(state, "free_deliveries", tasks)


def begin_extra_deliveries(state: State, _: Chance) -> tuple[Effect, ...]:
    """Begin the extra deliveries (LG-5.4)."""
    tasks = solo.with_placement_after(state, [DeliveryTurn(seat, paid=True) for seat in state.order])
    return (_begin_step(state, "extra_deliveries", tasks),)


def begin_market_scoring(state: State, _: Chance) -> tuple[Effect, ...]:
    """Refresh the helpers (LG-7.5) and score 1 VP for each marker on the market (LG-7.1)."""
    exhausted = any(helper.exhausted for farm in state.farms for helper in farm.helpers)
    refreshed = (HelpersRefreshed(),) if exhausted else ()
    scored = _gain_points(state, "stalls", lambda seat: stall_count(state, seat))
    return (*refreshed, _begin_step(state, "market_scoring", []), *scored)


def begin_siesta_scoring(state: State, _: Chance) -> tuple[Effect, ...]:
    """Score the VP of the siesta spaces (LG-7.2); in the solo game set who begins the next round."""
    scored = _gain_points(state, "siesta", lambda seat: box_of(state).siesta.vp[siesta_space(state, seat)])
    return (_begin_step(state, "siesta_scoring", []), *scored, *solo.seat_neutral(state))


def _gain_points(state: State, cause: str, points: Callable[[Seat], int]) -> tuple[Effect, ...]:
    points_by_seat = [(seat, points(seat)) for seat in state.order]
    return tuple(GoodGained(seat, "vp", vp, "", cause) for seat, vp in points_by_seat if vp)


def begin_siesta_return(state: State, _: Chance) -> tuple[Effect, ...]:
    """Return the siesta markers to space 0 (LG-7.3)."""
    return _begin_step(state, "siesta_return", []), SiestaReturned()


def begin_turning(state: State, chance: Chance) -> tuple[Effect, ...]:
    """Reveal the roof tiles of the next round and turn craft markers to their lasting side (LG-7.4)."""
    has_unflipped = any(not craft.flipped for farm in state.farms for craft in farm.crafts)
    flipped = (CraftMarkersFlipped(),) if has_unflipped else ()
    tiles = reveal_roofs(state, state.round + 1, chance)
    return _begin_step(state, "turning", []), tiles, *flipped


def reveal_roofs(state: State, round: int, chance: Chance) -> Effect:
    """Reveal random roof tiles of the round, one per player, 2 in the solo game (LG-1.4, LG-11.2)."""
    tiles = chance.draw(
        f"roofs/{round}", box_of(state).roof_tiles_of(round, state.edition), solo.roof_tile_count(state)
    )
    return RoofsRevealed(tuple(sorted(tiles)))


STEP_STARTERS: Final[Mapping[str, Callable[[State, Chance], tuple[Effect, ...]]]] = {
    "cards": begin_cards,
    "income": begin_income,
    "growth": begin_growth,
    "roofs": begin_roofs,
    "roll": begin_roll,
    "first_dice": begin_first_dice,
    "second_dice": begin_second_dice,
    "last_die": begin_last_die,
    "donkeys": begin_donkeys,
    "siesta": begin_siesta,
    "free_deliveries": begin_free_deliveries,
    "extra_deliveries": begin_extra_deliveries,
    "market_scoring": begin_market_scoring,
    "siesta_scoring": begin_siesta_scoring,
    "siesta_return": begin_siesta_return,
    "turning": begin_turning,
}
