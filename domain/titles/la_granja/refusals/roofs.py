"""Reasons for roof tiles on sale and at the seat's farm (LG-3.4, LG-9)."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja import words_terms as terms
from domain.titles.la_granja.adjustments import Number, adjust
from domain.titles.la_granja.agenda import AnyTask
from domain.titles.la_granja.phases.roofs import price_of
from domain.titles.la_granja.refusals.general import is_window
from domain.titles.la_granja.state import PHASE_OF, State
from domain.titles.la_granja.tables import box_of
from domain.titles.la_granja.turns import is_alone

TILE_REASONS: Final[Mapping[str, Refusal]] = {
    "free_upgrade": Refusal("LG-2.6", Message("You have nothing to upgrade.")),
    "delivery": Refusal("LG-6.1.1", Message("You have nothing that can be delivered.")),
    "paid_delivery": Refusal("LG-9.9", Message("You have no silver or nothing that can be delivered.")),
    "play_or_draw_card": Refusal("LG-0.10", Message("There is no card to play or draw.")),
    "flip_roof": Refusal("LG-9.4", Message("You have no other used roof tile.")),
    "siesta": Refusal("LG-5.2.2", Message("Your siesta marker is on the last space.")),
    "die_shift": Refusal("LG-9.5", Message("You can use this tile only on a die you have just taken.")),
    "take_income": Refusal("LG-9.6", Message("You have no income.")),
    "place_market_marker": Refusal("LG-9.7", Message("No market space is free.")),
    "double_roof_vp": Refusal("LG-9.8", Message("You are offered this tile when you place a roof tile.")),
}
"""Reasons why a tile of each kind would have no effect."""
SHARED_KINDS: Final = frozenset({"delivery", "paid_delivery", "play_or_draw_card", "place_market_marker"})
"""Kinds of tiles that use things shared by all players, and so are closed during simultaneous choices."""


def roof(state: State, task: AnyTask, tile: str) -> Refusal | None:
    """Explain why a tile on sale or of the seat's farm cannot be chosen; None for other tiles."""
    if tile in state.roofs:
        return on_sale(state, task, tile)
    own = next((each for each in state.farms[task.seat].roofs if each.tile == tile), None)
    if own is None:
        return None
    if isinstance(task, t.RoofChoice):
        return Refusal("LG-9.4", Message("Choose another used tile to turn face up."))
    if not is_window(task):
        return None
    if own.used:
        return Refusal("LG-9.1", Message("You have already used this roof tile."))
    return unusable_tile(state, tile)


def on_sale(state: State, task: AnyTask, tile: str) -> Refusal | None:
    """Explain why a tile cannot be bought: step, one per round, roof space or price (LG-3.4.1, LG-3.4.2, LG-3.4.4)."""
    seat = task.seat
    if not isinstance(task, t.RoofStep):
        return Refusal("LG-3.4.1", Message("Roof tiles are bought at the end of phase I.")) if is_window(task) else None
    if task.bought:
        return Refusal("LG-3.4.1", Message("You have already bought a roof tile this round."))
    if len(state.farms[seat].roofs) >= adjust(state, seat, Number.ROOF_SPACES, box_of(state).player_board.roof_spaces):
        return Refusal("LG-3.4.4", Message("You have no free roof space."))
    args: terms.Args = {"price": price_of(state, seat, tile)}
    return Refusal("LG-3.4.2", Message("You do not have enough silver for this roof tile; the price is {price}.", args))


def unusable_tile(state: State, tile: str) -> Refusal:
    """Explain why an unused tile cannot be used: another phase, or without effect (LG-9.1, LG-9.2)."""
    effect = box_of(state).effect_of(tile)
    if "any" not in effect.phases and PHASE_OF[state.step] not in effect.phases:
        return Refusal("LG-9.2", Message("You can use this roof tile only in another phase."))
    if effect.kind in SHARED_KINDS and not is_alone(state):
        return Refusal("LG-2.1.1", Message("This is not possible while everyone is choosing a donkey tile."))
    return TILE_REASONS[effect.kind]
