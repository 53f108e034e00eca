"""Choices of other seats caused by a special action: in turn (Withdrawal) or all at once in secret (EG-12.6, EG-13)."""

from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.hidden import Hidden
from domain.titles.el_grande.action_cards import SPECIALS
from domain.titles.el_grande.action_cards.kinds import Choices
from domain.titles.el_grande.actions import Action, ChooseRegion, SendBack
from domain.titles.el_grande.components import COURT, PLACES, REGIONS
from domain.titles.el_grande.effects import CaballerosMoved, Effect, SecretChosen, SecretsRevealed, StepBegun
from domain.titles.el_grande.phases import special
from domain.titles.el_grande.state import NO_CHOICE, DraftLine, State, active, clockwise, in_regions

CHOOSE_REGION: Final = tuple(ChooseRegion(region) for region in REGIONS)


def sources(state: State, seat: int) -> tuple[tuple[int, int], ...]:
    """Return the places that a seat may send caballeros back from, with counts (EG-12.6, EG-6.1)."""
    court = state.pieces[COURT][seat]
    return (*(((COURT, court),) if court else ()), *in_regions(state, seat))


def send_back_legal(state: State, seat: int) -> tuple[Action, ...]:
    """Return the counts to send back from each region or Court, up to the number remaining (EG-12.6)."""
    remaining = state.remaining
    return tuple(
        SendBack(PLACES[place], number)
        for place, count in sources(state, seat)
        for number in range(1, min(remaining, count) + 1)
    )


def send_back_perform(state: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Send caballeros to the Province and reduce the number remaining."""
    assert isinstance(action, SendBack)
    moved = CaballerosMoved(seat, (DraftLine(seat, action.source, "province", action.count),))
    return moved, StepBegun("send_back", subject=seat, remaining=state.remaining - action.count)


def send_back_advance(state: State, _chance: Chance) -> tuple[Effect, ...]:
    """Ask the seat while it has a choice; otherwise send automatically and go to the next opponent (EG-12.6)."""
    seat, remaining = state.subject, state.remaining
    available = sources(state, seat)
    if remaining and len(available) > 1 and sum(count for _, count in available) > remaining:
        return (StepBegun("send_back", (seat,), subject=seat, remaining=remaining),)
    forced = (
        tuple(DraftLine(seat, PLACES[place], "province", min(remaining, count)) for place, count in available)
        if remaining
        else ()
    )
    moved = (CaballerosMoved(seat, forced),) if forced else ()
    active_seat = active(state)
    order = clockwise(state, active_seat)
    later = order[order.index(seat) + 1 :]
    if not later:
        return (*moved, *special.return_to_turn(state, active_seat))
    _, params = special.chosen_kind(state, active_seat)
    return (*moved, StepBegun("send_back", subject=later[0], remaining=params.count))


def choices(state: State) -> Choices:
    """Return (seat, regions) for each seat with a secret choice for the announced special action."""
    seat = active(state)
    kind, params = special.chosen_kind(state, seat)
    choices_of = SPECIALS[kind].choices
    assert choices_of is not None
    return choices_of(state, seat, params)


def secret_legal(state: State, seat: int) -> tuple[Action, ...]:
    """Return the regions that the seat may choose (EG-13.2)."""
    regions = dict(choices(state))[seat]
    return tuple(CHOOSE_REGION[region] for region in regions)


def secret_perform(_state: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Return the secret choice of a region."""
    assert isinstance(action, ChooseRegion)
    return (SecretChosen(seat, Hidden(action.region, (seat,))),)


def secret_advance(state: State, _chance: Chance) -> tuple[Effect, ...]:
    """Ask the seats that have more than one region, or reveal all choices once made, and apply them.

    A single region is chosen automatically (EG-13.1, EG-13.4, EG-13.5).
    """
    open_choices = choices(state)
    choosing_seats = tuple(seat for seat, regions in open_choices if len(regions) > 1)
    if choosing_seats and not state.asked:
        return (StepBegun("secret", choosing_seats),)
    revealed = {
        seat: regions[0] if state.secrets[seat] == NO_CHOICE else state.secrets[seat] for seat, regions in open_choices
    }
    active_seat = active(state)
    kind, params = special.chosen_kind(state, active_seat)
    reveal = SPECIALS[kind].reveal
    assert reveal is not None
    return (
        SecretsRevealed(tuple(revealed), tuple(REGIONS[region] for region in revealed.values())),
        *reveal(state, active_seat, params, revealed),
        *special.return_to_turn(state, active_seat),
    )
