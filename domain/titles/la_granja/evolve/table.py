"""Transitions of rounds: steps, agenda, turn order, dice, siesta track and donkey tiles."""

from domain.kernel.bounds import check_bounds
from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.evolve.farm import with_farm
from domain.titles.la_granja.state import NO_DONKEY, NOBODY, UNKNOWN, Building, Farm, State

BUILDINGS = 6
SIESTA_SPACES = 5
SEATS_MAX = 4
CELLS_MAX = 26
"""Spaces of the largest market board of all editions."""


def match_begun(effect: e.MatchBegun) -> State:
    """Return the first state: farms with markers only, a blank board and no tasks."""
    cells = check_bounds("the spaces of the market", effect.cells, CELLS_MAX)
    seats = tuple(Seat(seat) for seat in range(check_bounds("the seats", effect.seats, SEATS_MAX)))
    return State(
        edition=effect.edition,
        deck=effect.deck,
        board=effect.board,
        round=1,
        step="setup",
        order=seats,
        farms=(Farm(markers=effect.markers),) * len(seats),
        agenda=(),
        buildings=tuple(Building(number) for number in range(1, BUILDINGS + 1)),
        stalls=(NOBODY,) * cells,
        siesta=(seats, *((),) * (SIESTA_SPACES - 1)),
        extra_deliveries=effect.extra_deliveries,
    )


def keep_state(state: State, _: object) -> State:
    """Return the state unchanged, for effects that only inform."""
    return state


def turn_order_set(state: State, effect: e.TurnOrderSet) -> State:
    """Set the turn order."""
    return replace(state, order=effect.order)


def step_begun(state: State, effect: e.StepBegun) -> State:
    """Set round and step, and replace the agenda."""
    return replace(state, round=effect.round, step=effect.step, agenda=effect.tasks)


def planned(state: State, effect: e.Planned) -> State:
    """Remove the seat's last `done` tasks and push the new ones.

    The seat's tasks may lie anywhere in the stack, because all seats have tasks in step `donkeys`.
    """
    agenda, remaining = state.agenda, effect.done
    if remaining and agenda[-1].seat == effect.seat:
        agenda, remaining = agenda[:-1], remaining - 1
    while remaining:
        index = max(each for each, task in enumerate(agenda) if task.seat == effect.seat)
        agenda, remaining = (*agenda[:index], *agenda[index + 1 :]), remaining - 1
    return replace(state, agenda=agenda + effect.tasks)


def roofs_revealed(state: State, effect: e.RoofsRevealed) -> State:
    """Replace the open roof tiles."""
    return replace(state, roofs=effect.tiles)


def space_reserved(state: State, effect: e.SpaceReserved) -> State:
    """Mark the revenue space for the seat."""
    return replace(state, reserved=effect.space, reserver=effect.seat)


def dice_rolled(state: State, effect: e.DiceRolled) -> State:
    """Set the revenue dice."""
    return replace(state, dice=effect.pips)


def revenue_cleared(state: State, _: e.RevenueCleared) -> State:
    """Remove all dice and the Village Elder's reservation."""
    farms = tuple(replace(farm, dice=()) for farm in state.farms)
    return replace(state, farms=farms, dice=(), reserved=0, reserver=NOBODY)


def die_taken(state: State, effect: e.DieTaken) -> State:
    """Move a die of this number to the seat."""
    farm, index = state.farms[effect.seat], state.dice.index(effect.pips)
    changed = with_farm(state, effect.seat, replace(farm, dice=(*farm.dice, effect.pips)))
    return replace(changed, dice=(*state.dice[:index], *state.dice[index + 1 :]))


def die_changed(state: State, effect: e.DieChanged) -> State:
    """Change the seat's last die."""
    farm = state.farms[effect.seat]
    return with_farm(state, effect.seat, replace(farm, dice=(*farm.dice[:-1], effect.to)))


def siesta_advanced(state: State, effect: e.SiestaAdvanced) -> State:
    """Move the seat's siesta marker to the top of the space's stack."""
    spaces = [tuple(seat for seat in stack if seat != effect.seat) for stack in state.siesta]
    spaces[effect.space] = (effect.seat, *spaces[effect.space])
    return replace(state, siesta=tuple(spaces))


def siesta_returned(state: State, _: e.SiestaReturned) -> State:
    """Put all siesta markers on space 0, stacked in turn order."""
    return replace(state, siesta=(state.order, *((),) * (len(state.siesta) - 1)))


def donkey_chosen(state: State, effect: e.DonkeyChosen) -> State:
    """Set the seat's donkey tile, `UNKNOWN` in a redacted state."""
    farm = state.farms[effect.seat]
    return with_farm(state, effect.seat, replace(farm, donkey=effect.tile.known_or(UNKNOWN)))


def donkeys_revealed(state: State, effect: e.DonkeysRevealed) -> State:
    """Set the donkey tiles of all seats."""
    farms = tuple(replace(farm, donkey=tile) for farm, tile in zip(state.farms, effect.tiles, strict=True))
    return replace(state, farms=farms)


def donkey_used(state: State, effect: e.DonkeyUsed) -> State:
    """Move the donkey tile to the seat's used tiles."""
    farm = state.farms[effect.seat]
    new_farm = replace(farm, donkey=NO_DONKEY, donkeys_used=(*farm.donkeys_used, effect.tile))
    return with_farm(state, effect.seat, new_farm)


def donkey_recovered(state: State, effect: e.DonkeyRecovered) -> State:
    """Remove the donkey tile from the seat's used tiles."""
    farm = state.farms[effect.seat]
    used_tiles = tuple(tile for tile in farm.donkeys_used if tile != effect.tile)
    return with_farm(state, effect.seat, replace(farm, donkeys_used=used_tiles))


def donkeys_returned(state: State, _: e.DonkeysReturned) -> State:
    """Empty the used donkey tiles of all seats."""
    return replace(state, farms=tuple(replace(farm, donkeys_used=()) for farm in state.farms))
