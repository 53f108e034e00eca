"""The state transition: apply an effect to a state without checks, chance or rules."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.titles.la_granja import effects as e
from domain.titles.la_granja import effects_solo as solo_effects
from domain.titles.la_granja.effects import Effect
from domain.titles.la_granja.evolve import board, cards, farm, solo, table
from domain.titles.la_granja.state import State

EVOLVE: Final[Mapping[type, Callable[[State, Any], State]]] = {
    e.TurnOrderSet: table.turn_order_set,
    e.BuildingBlocked: board.building_blocked,
    e.BuildingOpened: board.building_opened,
    e.StepBegun: table.step_begun,
    e.Planned: table.planned,
    e.GoodGained: farm.good_gained,
    e.GoodPaid: farm.good_paid,
    e.GainGivenUp: table.keep_state,
    e.MarkerTakenBack: board.marker_taken_back,
    e.ResourceSold: farm.resource_sold,
    e.PigUnhoused: farm.pig_unhoused,
    e.ResourceUpgraded: farm.resource_upgraded,
    e.CardsDrawn: cards.cards_drawn,
    e.CardsKept: cards.cards_kept,
    e.DiscardReshuffled: cards.discard_reshuffled,
    e.CardPlayed: cards.card_played,
    e.CardDiscarded: cards.card_discarded,
    e.RoofsRevealed: table.roofs_revealed,
    e.RoofBought: farm.roof_bought,
    e.RoofUsed: farm.roof_used,
    e.RoofTurned: farm.roof_turned,
    e.SpaceReserved: table.space_reserved,
    e.DiceRolled: table.dice_rolled,
    e.RevenueCleared: table.revenue_cleared,
    e.DieTaken: table.die_taken,
    e.DieChanged: table.die_changed,
    e.DieResolved: table.keep_state,
    e.SiestaAdvanced: table.siesta_advanced,
    e.SiestaReturned: table.siesta_returned,
    e.DonkeyChosen: table.donkey_chosen,
    e.DonkeysRevealed: table.donkeys_revealed,
    e.DonkeyUsed: table.donkey_used,
    e.DonkeysReturned: table.donkeys_returned,
    e.Delivered: board.delivered,
    e.BuildingCompleted: board.building_completed,
    e.CraftMarkerGained: board.craft_marker_gained,
    e.CraftMarkersFlipped: board.craft_markers_flipped,
    e.BarrowCompleted: board.barrow_completed,
    e.StallPlaced: board.stall_placed,
    e.StallRemoved: board.stall_removed,
    e.StallSettled: table.keep_state,
    e.StallMoved: board.stall_moved,
    e.DonkeyRecovered: table.donkey_recovered,
    e.MomentReached: table.keep_state,
    e.HelperUsed: cards.helper_used,
    e.HelperMarked: cards.helper_marked,
    e.HelpersRefreshed: cards.helpers_refreshed,
    e.SilverExchanged: farm.silver_exchanged,
    solo_effects.NeutralSeated: solo.neutral_seated,
    solo_effects.DieDiscarded: solo.die_discarded,
    solo_effects.CardTurnedUp: solo.card_turned_up,
}
"""Transition of every effect except `MatchBegun`, which creates the first state."""


def evolve(state: State | None, effect: Effect) -> State:
    """Return the state after the effect; `state` is None only for `MatchBegun`."""
    if state is None:
        assert isinstance(effect, e.MatchBegun), "a match begins with MatchBegun"
        return table.match_begun(effect)
    return EVOLVE[type(effect)](state, effect)
