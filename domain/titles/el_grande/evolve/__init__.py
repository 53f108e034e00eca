"""Apply effects to states. Effects are facts: `evolve` never rejects, draws or computes a rule."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.titles.el_grande import effects as done
from domain.titles.el_grande.effects import Effect
from domain.titles.el_grande.evolve import board, cards, table
from domain.titles.el_grande.state import State, initial

EVOLVE: Final[Mapping[type[Effect], Callable[[State, Any], State]]] = {
    done.KingStood: board.king_stood,
    done.HomeTaken: board.home_taken,
    done.FirstPlayerSet: table.first_player_set,
    done.GreyCardsDealt: cards.grey_cards_dealt,
    done.GreyCardSetAside: cards.grey_card_set_aside,
    done.GreyCardPassed: cards.grey_card_passed,
    done.StepBegun: table.step_begun,
    done.RoundBegun: table.round_begun,
    done.DummyRegionDrawn: board.dummy_region_drawn,
    done.DummyRegionsShuffled: board.dummy_regions_shuffled,
    done.DummyPowerTurned: cards.dummy_power_turned,
    done.ActionCardTurned: cards.action_card_turned,
    done.PowerCardPlayed: cards.power_card_played,
    done.TurnOrderSet: table.turn_order_set,
    done.TurnBegun: table.turn_begun,
    done.ActionCardTaken: cards.action_card_taken,
    done.CaballerosMoved: board.caballeros_moved,
    done.SourceChosen: table.source_chosen,
    done.LineDrafted: table.line_drafted,
    done.DraftCorrected: table.draft_corrected,
    done.DraftDropped: table.draft_dropped,
    done.SpecialAnnounced: table.special_announced,
    done.SpecialVetoed: cards.special_vetoed,
    done.SpecialEnded: table.special_ended,
    done.GreyUsed: table.grey_used,
    done.SecretChosen: table.secret_chosen,
    done.SecretsRevealed: table.secrets_revealed,
    done.KingMoved: board.king_moved,
    done.GrandeMoved: board.grande_moved,
    done.ScoreboardPlaced: board.scoreboard_placed,
    done.CardTakenBack: cards.card_taken_back,
    done.VetoLaid: cards.veto_laid,
    done.VetoDiscarded: cards.veto_discarded,
    done.InfiltrationAllowed: table.infiltration_allowed,
    done.CastilloOpened: board.castillo_opened,
    done.AreaScored: board.area_scored,
    done.TurnEnded: table.turn_ended,
    done.RoundEnded: table.round_ended,
}
"""Effect types to their functions; `BoardLaid` is missing because no state precedes it."""


def evolve(state: State | None, effect: Effect) -> State:
    """Return the state after the effect; a state of None requires `BoardLaid`."""
    if state is None:
        assert isinstance(effect, done.BoardLaid)
        return initial(effect.setting)
    return EVOLVE[type(effect)](state, effect)
