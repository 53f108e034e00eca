"""Effects on the course of play: steps, rounds, turns, drafts, announcements, secret choices."""

from typing import Final

from domain.kernel.hidden import Hidden
from domain.kernel.values import replace
from domain.titles.el_grande import effects as done
from domain.titles.el_grande.cards import UNKNOWN
from domain.titles.el_grande.components import NOWHERE, PLACE_INDEX, Region
from domain.titles.el_grande.evolve.cards import number_of, set_at
from domain.titles.el_grande.state import HIDDEN_CHOICE, NO_CHOICE, UNCLEAR, State

CLOSED: Final = "closed"


def first_player_set(state: State, effect: done.FirstPlayerSet) -> State:
    """Give a seat the first-player marker."""
    return replace(state, first=effect.seat)


def step_begun(state: State, effect: done.StepBegun) -> State:
    """Set the step, the seats that must act, the seat it concerns, and the number remaining."""
    seats = effect.seats
    return replace(
        state,
        step=effect.step,
        to_act=seats,
        asked=seats,
        subject=effect.subject,
        remaining=effect.remaining,
    )


def round_begun(state: State, effect: done.RoundBegun) -> State:
    """Set the index of the round."""
    return replace(state, round_index=effect.index)


def turn_order_set(state: State, effect: done.TurnOrderSet) -> State:
    """Set the turn order; no turn has begun yet."""
    return replace(state, order=effect.order, turn=NOWHERE)


def turn_begun(state: State, effect: done.TurnBegun) -> State:
    """Set the index of the turn."""
    return replace(state, turn=effect.turn)


def source_chosen(state: State, effect: done.SourceChosen) -> State:
    """Store the picked-up caballeros; a reader who may not see them keeps a state without a draft."""
    source = effect.source.known_or(None)
    if source is None:
        return state
    colour, place = source
    return replace(state, drafting=True, picked=(colour, PLACE_INDEX[place]))


def line_drafted(state: State, effect: done.LineDrafted) -> State:
    """Add a line to a draft that the reader may see."""
    line = effect.line.known_or(None)
    if line is None:
        return state
    return replace(state, drafting=True, picked=None, draft=(*state.draft, line))


def draft_corrected(state: State, _: done.DraftCorrected) -> State:
    """Put down the picked-up caballeros, or else remove the last line if the draft is visible."""
    count = state.corrections + 1
    if state.picked is not None:
        return replace(state, picked=None, corrections=count)
    return replace(state, draft=state.draft[:-1], corrections=count)


def draft_dropped(state: State, _: done.DraftDropped) -> State:
    """Remove the draft and count the correction."""
    return replace(state, drafting=False, picked=None, draft=(), corrections=state.corrections + 1)


def special_announced(state: State, effect: done.SpecialAnnounced) -> State:
    """Store the announcement and end the draft."""
    return replace(
        state,
        drafting=False,
        picked=None,
        draft=(),
        announced=effect.announcement,
        chosen_card=UNKNOWN if effect.taken_back is None else number_of(effect.taken_back),
    )


def special_ended(state: State, _: done.SpecialEnded) -> State:
    """Mark the special action as used."""
    return replace(state, special_used=True, announced=None, chosen_card=UNKNOWN)


def grey_used(state: State, _: done.GreyUsed) -> State:
    """Remove the announcement of the grey effect."""
    return replace(state, announced=None)


def choice_of(region: Hidden[Region | None]) -> int:
    """Return a secret choice as an index of the state, `UNCLEAR` or `HIDDEN_CHOICE`."""
    value = region.known_or(CLOSED)
    if value == CLOSED:
        return HIDDEN_CHOICE
    return UNCLEAR if value is None else PLACE_INDEX[value]


def secret_chosen(state: State, effect: done.SecretChosen) -> State:
    """Store a secret choice, and stop waiting for the seat."""
    seat = effect.seat
    to_act = tuple(each for each in state.to_act if each != seat)
    return replace(state, secrets=set_at(state.secrets, seat, choice_of(effect.region)), to_act=to_act)


def secrets_revealed(state: State, _: done.SecretsRevealed) -> State:
    """Remove all secret choices."""
    return replace(state, secrets=(NO_CHOICE,) * state.setting.seats, asked=())


def infiltration_allowed(state: State, _: done.InfiltrationAllowed) -> State:
    """Open the king's region to this turn's placement."""
    return replace(state, infiltrating=True)


def turn_ended(state: State, _: done.TurnEnded) -> State:
    """Reset the fields that belong to a turn."""
    return replace(state, card="", placed=0, special_used=False, infiltrating=False, corrections=0)


def round_ended(state: State, _: done.RoundEnded) -> State:
    """Reset offer, order, turn and the cards played, which belong to a round."""
    zeros = (0,) * state.setting.colours
    return replace(state, offer=(), order=(), turn=NOWHERE, subject=NOWHERE, powers=zeros, greys=zeros, results=zeros)
