"""The solo game: rules of the neutral player (LG-11)."""

from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.rules import Seat
from domain.titles.la_granja.agenda import AnyTask, DieDiscard, NeutralPlacement
from domain.titles.la_granja.components_market import Cell, Market
from domain.titles.la_granja.effects import DiscardReshuffled, Effect, StallPlaced, StallRemoved, plan_tasks
from domain.titles.la_granja.effects_solo import CardTurnedUp, DieDiscarded, NeutralSeated
from domain.titles.la_granja.holdings import draw_pile, siesta_space
from domain.titles.la_granja.phases.market import spaces_to_sweep
from domain.titles.la_granja.state import NEUTRAL, NOBODY, State
from domain.titles.la_granja.tables import Box, box_of, deck_of, market_of_state

PLAYER: Final = Seat(0)
"""The only seat of a solo match."""

FIRST: Final = 1
SECOND: Final = 2
"""Places of the neutral player in the turn order."""


def is_solo(state: State) -> bool:
    """Return whether the match has one seat and so a neutral player."""
    return len(state.farms) == 1


def seat_player(box: Box, market: Market, chance: Chance) -> tuple[Effect, ...]:
    """Draw the player's turn order tile and place the start stalls of both (LG-11.1)."""
    (own_marker,) = chance.draw("start-player", box.solo.turn_order_markers, 1)
    (neutral_marker,) = (number for number in box.solo.turn_order_markers if number != own_marker)
    return (
        NeutralSeated(SECOND if own_marker < neutral_marker else FIRST),
        StallPlaced(PLAYER, market.starts[own_marker]),
        StallPlaced(NEUTRAL, market.starts[neutral_marker]),
    )


def seat_neutral(state: State) -> tuple[Effect, ...]:
    """Set the start player of the next round: the player from siesta space 3 on (LG-11.10, LG-13.22).

    `()` outside the solo game.
    """
    if not is_solo(state):
        return ()
    begins = siesta_space(state, PLAYER) >= box_of(state).solo.start_player_from_siesta
    return (NeutralSeated(SECOND if begins else FIRST),)


def roof_tile_count(state: State) -> int:
    """Return the number of roof tiles per round: one per player (LG-1.4), 2 in the solo game (LG-11.2)."""
    return box_of(state).solo.roof_tiles_per_round if is_solo(state) else len(state.farms)


def with_discard(state: State, tasks: list[AnyTask]) -> list[AnyTask]:
    """Add the discard of a die in the solo game: first if the neutral player is first, else last (LG-11.3, LG-11.4)."""
    if not state.neutral:
        return tasks
    discard = DieDiscard(PLAYER)
    return [discard, *tasks] if state.neutral == FIRST else [*tasks, discard]


def with_placement_before(state: State, tasks: list[AnyTask]) -> list[AnyTask]:
    """Put the neutral placement before the player's phase III if the neutral player is first (LG-11.7)."""
    return [NeutralPlacement(PLAYER), *tasks] if state.neutral == FIRST else tasks


def with_placement_after(state: State, tasks: list[AnyTask]) -> list[AnyTask]:
    """Put the neutral placement after the player's phase III if the neutral player is second (LG-11.7)."""
    return [*tasks, NeutralPlacement(PLAYER)] if state.neutral == SECOND else tasks


def run_discard(state: State, task: DieDiscard) -> tuple[Effect, ...]:
    """Discard the lowest die in rounds 1 to 3, the highest in rounds 4 to 6 (LG-11.5)."""
    pips = min(state.dice) if state.round in box_of(state).solo.discard_rounds_low else max(state.dice)
    return plan_tasks(task.seat), DieDiscarded(pips)


def run_placement(state: State, task: NeutralPlacement, chance: Chance) -> tuple[Effect, ...]:
    """Turn up a card and place a neutral stall of its barrow's value (LG-11.7, LG-0.10).

    Nothing is placed if both piles are empty.
    """
    pile = draw_pile(state)
    if not pile:
        return (DiscardReshuffled(),) if state.discard else (plan_tasks(task.seat),)
    # The card is public, but the draw is readable by the player only: its pool would disclose the player's hand to
    # spectators.
    (card,) = chance.draw(f"card/{state.cards_drawn + 1}", pile, 1, (PLAYER,))
    reshuffled = (DiscardReshuffled(),) if len(pile) == 1 and state.discard else ()
    placing = _place_marker(state, deck_of(state)[card].barrow.vp)
    return plan_tasks(task.seat), *reshuffled, CardTurnedUp(card), *placing


def _place_marker(state: State, value: int) -> tuple[Effect, ...]:
    """Place a neutral stall, replacing a player's stall if needed, and remove lower neighbours; no VP (LG-11.9)."""
    cell = neutral_cell(state, value)
    if cell is None:
        return ()
    cells = (cell,) if state.stalls[cell] != NOBODY else ()
    removed = tuple(
        StallRemoved(NEUTRAL, removed_cell, PLAYER) for removed_cell in (*cells, *spaces_to_sweep(state, NEUTRAL, cell))
    )
    return *removed[: len(cells)], StallPlaced(NEUTRAL, cell), *removed[len(cells) :]


def neutral_cell(state: State, value: int) -> int | None:
    """Return the space chosen by LG-11.8 among free ones, else among the player's (LG-11.9); None if neither exists."""
    market, stalls = market_of_state(state), state.stalls
    cells = market.by_value.get(value, ())
    free = [cell for cell in cells if stalls[cell] == NOBODY]
    candidates = free or [cell for cell in cells if stalls[cell] == PLAYER]

    def preference(cell: int) -> tuple[int, ...]:
        """Return the sort key of LG-11.8.

        Most markers removed, fewest threats, farthest from other neutral markers, lowest q, lowest r.
        """
        space = market.cells[cell]
        around = market.neighbours[cell]
        threats = sum(
            stalls[neighbour] == NOBODY and market.cells[neighbour].value > space.value for neighbour in around
        )
        others = [market.cells[index] for index, owner in enumerate(stalls) if owner == NEUTRAL and index != cell]
        nearest = min((distance(space, other) for other in others), default=0)
        return -len(spaces_to_sweep(state, NEUTRAL, cell)), threats, -nearest, space.q, space.r

    return min(candidates, key=preference, default=None)


def distance(start: Cell, end: Cell) -> int:
    """Return the distance of two hexes in steps."""
    q_steps, r_steps = start.q - end.q, start.r - end.r
    return max(abs(q_steps), abs(r_steps), abs(q_steps + r_steps))
