"""Special actions and grey effects: choose, draft, announce, veto, carry out (EG-12, EG-19.4, EG-20.5)."""

from typing import Any, Final

from domain.kernel.chance import Chance
from domain.kernel.hidden import Hidden
from domain.titles.el_grande.action_cards import SPECIALS, chosen_option
from domain.titles.el_grande.action_cards.pieces import escort_lines
from domain.titles.el_grande.actions import (
    Action,
    AllowSpecial,
    ChooseSource,
    CloseDraft,
    CorrectDraft,
    DropDraft,
    MoveGrande,
    MoveKing,
    NameArea,
    PlaceScoreboard,
    SendCaballeros,
    TakeBackCard,
    UseSpecial,
    UseVeto,
)
from domain.titles.el_grande.cards import GREYS, ChooseOne, MoveTheKing
from domain.titles.el_grande.components import PLACES
from domain.titles.el_grande.decks import card_of
from domain.titles.el_grande.effects import (
    DraftCorrected,
    DraftDropped,
    Effect,
    GreyUsed,
    LineDrafted,
    SourceChosen,
    SpecialAnnounced,
    SpecialEnded,
    SpecialVetoed,
    StepBegun,
)
from domain.titles.el_grande.state import CORRECTIONS_MAX, Announcement, DraftLine, State, active, clockwise

USE_SPECIAL: Final = UseSpecial()
CLOSE_DRAFT: Final = CloseDraft()
CORRECT_DRAFT: Final = CorrectDraft()
DROP_DRAFT: Final = DropDraft()
VETO_ANSWERS: Final = (AllowSpecial(), UseVeto())


def printed_kind(state: State, seat: int) -> tuple[str, Any]:
    """Return (kind, parameters) of the action card in play, or of the grey card before one is taken."""
    if state.card:
        card = card_of(state, state.card)
        return card.kind, card.params
    grey = GREYS[state.greys[seat]]
    return grey.kind, grey.params


def chosen_kind(state: State, seat: int) -> tuple[str, Any]:
    """Return (kind, parameters) as `printed_kind`, narrowed to the chosen alternative if any (EG-19.5)."""
    kind, params = printed_kind(state, seat)
    if not isinstance(params, ChooseOne):
        return kind, params
    if state.announced is not None:
        return next(
            ((each.kind, each.params) for each in params.options if each.kind == state.announced.kind), (kind, params)
        )
    return chosen_option(state, params) if state.drafting else (kind, params)


def offers(state: State, seat: int) -> tuple[Action, ...]:
    """Return the choices that start the effect, or `UseSpecial` if it can change nothing (EG-12.20)."""
    kind, params = printed_kind(state, seat)
    return SPECIALS[kind].offers(state, seat, params) or (USE_SPECIAL,)


def draft_legal(state: State, seat: int) -> tuple[Action, ...]:
    """Return the actions in a draft: announce (if complete) or drop it first, then continue, then correct (EG-12.2).

    Once the corrections are used up, a draft is only continued and announced, or dropped while incomplete.
    """
    kind, params = chosen_kind(state, seat)
    rule = SPECIALS[kind]
    is_whole = rule.closable(state, seat, params)
    actions = (CLOSE_DRAFT if is_whole else DROP_DRAFT, *rule.offers(state, seat, params))
    if state.corrections >= CORRECTIONS_MAX:
        return actions
    has_earlier_steps = len(state.draft) + (state.picked is not None) > 1
    return (*actions, *((CORRECT_DRAFT,) if has_earlier_steps else ()), *((DROP_DRAFT,) if is_whole else ()))


def choose(state: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Return the effects of a choice: draft or undo a line, or announce with the last choice.

    A dropped draft leaves the effect available until no correction is left (EG-12.2, EG-5.8).
    """
    if isinstance(action, ChooseSource):
        kind, _ = chosen_kind(state, seat)
        line = SPECIALS[kind].line
        if line is None:
            return (SourceChosen(seat, Hidden((action.colour, action.source), (seat,))),)
        return (LineDrafted(seat, Hidden(line(action), (seat,))),)
    if isinstance(action, SendCaballeros):
        colour, source = line_origin(state, seat, action)
        return (LineDrafted(seat, Hidden(DraftLine(colour, source, action.target, action.count), (seat,))),)
    if isinstance(action, CorrectDraft):
        return (DraftCorrected(seat),)
    if isinstance(action, DropDraft):
        is_last = state.corrections >= CORRECTIONS_MAX
        return (DraftDropped(seat), *(return_to_turn(state, seat) if is_last else ()))
    return announce(state, seat, action)


def line_origin(state: State, seat: int, action: SendCaballeros) -> tuple[int, Any]:
    """Return the (colour, source) that a line moves: the picked-up caballeros, or else the card's own source."""
    if state.picked is not None:
        return state.picked[0], PLACES[state.picked[1]]
    if action.target == "court":
        return seat, "province"
    is_evacuation = state.draft and state.draft[0].source != "court"
    return seat, state.draft[0].source if is_evacuation else "court"


def announce(state: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Return the announcement of the special action and the step that carries it out.

    An opponent with a Veto decides first (EG-19.4), except on grey cards; a card taken back is hidden from others.
    """
    kind, params = chosen_kind(state, seat)
    details = announcement(state, kind, params, action)
    recovered: Hidden[int | str] | None = Hidden(action.card, (seat,)) if isinstance(action, TakeBackCard) else None
    announced = SpecialAnnounced(seat, state.card or GREYS[state.greys[seat]].id, details, recovered)
    holders = veto_holders(state, seat) if state.card else ()
    if holders:
        return announced, StepBegun("veto", (holders[0],), subject=seat)
    return announced, StepBegun("carry_out")


def announcement(state: State, kind: str, params: object, action: Action) -> Announcement:
    """Return the public part of the choices: lines, place and scoreboard by the last choice (EG-19.4f)."""
    if isinstance(action, CloseDraft):
        return Announcement(kind, lines=state.draft)
    if isinstance(action, MoveKing):
        assert isinstance(params, MoveTheKing)
        return Announcement(kind, lines=escort_lines(state, params, action.place), place=action.place)
    if isinstance(action, MoveGrande):
        return Announcement(kind, place=action.region)
    if isinstance(action, NameArea):
        return Announcement(kind, place=action.area)
    if isinstance(action, PlaceScoreboard):
        return Announcement(kind, place=action.area, board=action.board)
    assert isinstance(action, UseSpecial | TakeBackCard)
    return Announcement(kind)


def veto_holders(state: State, seat: int) -> tuple[int, ...]:
    """Return the opponents with an open Veto, clockwise from the acting player (EG-19.4e)."""
    if not state.vetoes:
        return ()
    holders = {veto.seat for veto in state.vetoes}
    return tuple(each for each in clockwise(state, seat) if each in holders)


def veto_legal(_state: State, _seat: int) -> tuple[Action, ...]:
    """Return the two answers to an announcement."""
    return VETO_ANSWERS


def veto_perform(state: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Cancel the special action, or ask the next Veto holder, or carry the action out (EG-19.4b, EG-19.4e)."""
    vetoed_seat = state.subject
    if isinstance(action, UseVeto):
        card = next(veto.card for veto in state.vetoes if veto.seat == seat)
        return SpecialVetoed(vetoed_seat, seat, card), SpecialEnded(vetoed_seat), StepBegun("turn")
    holders = veto_holders(state, vetoed_seat)
    later = holders[holders.index(seat) + 1 :]
    if later:
        return (StepBegun("veto", (later[0],), subject=vetoed_seat),)
    return (StepBegun("carry_out"),)


def carry_out(state: State, _chance: Chance) -> tuple[Effect, ...]:
    """Return the effects of the announced action, then the return to the turn unless another step must follow."""
    seat = active(state)
    kind, params = chosen_kind(state, seat)
    assert state.announced is not None
    effects = SPECIALS[kind].carry_out(state, seat, params, state.announced)
    if effects and isinstance(effects[-1], StepBegun):
        return effects
    return (*effects, *return_to_turn(state, seat))


def return_to_turn(state: State, seat: int) -> tuple[Effect, ...]:
    """Return to the turn; after a grey effect, continue with the action card (EG-20.5)."""
    if state.card:
        return SpecialEnded(seat), StepBegun("turn")
    return GreyUsed(seat), StepBegun("take", (seat,))
