"""A random state that is consistent with a view: hidden values are drawn from their possible values (EG-21)."""

from collections.abc import Callable
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.values import replace
from domain.titles.el_grande.cards import GREY_NUMBER, GREY_NUMBERS, UNKNOWN
from domain.titles.el_grande.components import (
    BOARDS,
    CABALLEROS,
    CASTILLO,
    KING_INDEX,
    NOWHERE,
    PLACE_INDEX,
    POWERS,
    REGION_COUNT,
)
from domain.titles.el_grande.phases.windows import choices
from domain.titles.el_grande.state import NO_CHOICE, UNCLEAR, State
from domain.titles.el_grande.view import HandCard, PlayerView, View

GREYS_HELD: Final = 3


def imagine(view: View, chance: Chance) -> State:
    """Return a state consistent with the view; draw hands, secret choices and cards taken back at random."""
    hands = _draw_hands(view, chance)
    draft = view.draft
    state = State(
        setting=view.setting,
        pieces=_pieces(view),
        grandes=tuple(NOWHERE if each.grande is None else PLACE_INDEX[each.grande] for each in view.players),
        king=KING_INDEX[view.king],
        boards=_boards(view),
        scores=tuple(each.score for each in view.players),
        hands=hands,
        shown=tuple(tuple(map(_number, each.shown)) for each in view.players),
        recoveries=tuple(each.recoveries for each in view.players),
        passed=tuple(NO_CHOICE if each.passed is None else GREY_NUMBER[each.passed] for each in view.players),
        first=view.first,
        round_index=view.round_index,
        powers=_by_colour(view, lambda each: each.power, 0 if view.dummy is None else view.dummy.power),
        greys=_by_colour(view, lambda each: UNKNOWN if each.grey is None else GREY_NUMBER[each.grey], 0),
        results=_by_colour(view, lambda each: each.result, 0 if view.dummy is None else view.dummy.power),
        order=view.order,
        turn=view.turn,
        offer=tuple(card.id for card in view.offer),
        turned=view.turned,
        vetoes=view.vetoes,
        dummy_regions=() if view.dummy is None else tuple(PLACE_INDEX[region] for region in view.dummy.regions),
        dummy_powers=() if view.dummy is None else view.dummy.powers,
        step=view.step,
        to_act=view.to_act,
        asked=view.asked,
        subject=view.subject,
        remaining=view.remaining,
        card="" if view.card is None else view.card.id,
        placed=view.placed,
        special_used=view.special_used,
        infiltrating=view.infiltrating,
        drafting=draft is not None,
        picked=None if draft is None or draft.source is None else (draft.colour, PLACE_INDEX[draft.source]),
        draft=() if draft is None else draft.lines,
        corrections=view.corrections,
        announced=view.announced,
        chosen_card=UNKNOWN if view.chosen_card is None else _number(view.chosen_card),
        secrets=(NO_CHOICE,) * len(view.players),
    )
    state = replace(state, secrets=_draw_secrets(view, state, chance))
    return _draw_announced_recovery(view, state, chance)


def _number(card: HandCard) -> int:
    return card if isinstance(card, int) else GREY_NUMBER[card]


def _by_colour(view: View, value_of: Callable[[PlayerView], int], dummy: int) -> tuple[int, ...]:
    seats = tuple(value_of(each) for each in view.players)
    return seats if view.dummy is None else (*seats, dummy)


def _pieces(view: View) -> tuple[tuple[int, ...], ...]:
    """Return the caballeros by place; the Castillo holds every caballero that is nowhere else (EG-21.4)."""
    courts = tuple(each.court for each in view.players)
    provinces = tuple(each.province for each in view.players)
    if view.dummy is not None:
        courts, provinces = (*courts, 0), (*provinces, view.dummy.supply)
    rows = [area.counts for area in view.areas[:REGION_COUNT] if area.counts is not None]
    columns = zip(*rows, courts, provinces, strict=True)
    castillo = view.areas[CASTILLO].counts or tuple(CABALLEROS - sum(column) for column in columns)
    return (*rows, castillo, courts, provinces)


def _boards(view: View) -> tuple[int, ...]:
    areas_by_board = {area.scoreboard: PLACE_INDEX[area.id] for area in view.areas if area.scoreboard is not None}
    return tuple(areas_by_board.get(board, NOWHERE) for board in BOARDS)


def _draw_hands(view: View, chance: Chance) -> tuple[tuple[int, ...], ...]:
    """Draw the hands by seat: power cards not shown, cards taken back, and grey cards not shown by anyone.

    Hands in the view are taken from it; a grey card that the reader passed is in the neighbour's hand unless shown.
    """
    own_player = None if view.seat is None else view.players[view.seat]
    unseen_greys = set(GREY_NUMBERS) - {_number(card) for each in view.players for card in each.shown}
    known_greys: dict[int, int] = {}
    if own_player is not None and own_player.hand is not None:
        unseen_greys -= set(map(_number, own_player.hand))
        if own_player.passed is not None and GREY_NUMBER[own_player.passed] in unseen_greys:
            known_greys[(own_player.seat + 1) % len(view.players)] = GREY_NUMBER[own_player.passed]
            unseen_greys.discard(GREY_NUMBER[own_player.passed])
    hands = []
    for each in view.players:
        if each.hand is not None:
            hands.append(tuple(map(_number, each.hand)))
            continue
        shown = tuple(map(_number, each.shown))
        greys = [known_greys[each.seat]] if each.seat in known_greys else []
        if view.setting.shift_of_power:
            count = GREYS_HELD - len({card for card in shown if card in GREY_NUMBERS}) - len(greys)
            drawn_greys = chance.draw(f"imagine/grey/{each.seat}", sorted(unseen_greys), count)
            unseen_greys -= set(drawn_greys)
            greys += drawn_greys
        recovered = _draw_recovered(each.seat, shown, each.recoveries, chance)
        hand = tuple(sorted((*(set(POWERS) - set(shown)), *recovered, *greys)))
        assert len(hand) == each.hand_count
        hands.append(hand)
    return tuple(hands)


def _draw_recovered(seat: int, shown: tuple[int, ...], recoveries: tuple[int, ...], chance: Chance) -> tuple[int, ...]:
    """Draw the cards, power or grey, that a seat took back and has not played since (EG-20.7).

    A card played twice was taken back in between, at the first such occasion. Each other occasion returned a card that
    had been shown by then.
    """
    moments, last = list(recoveries), dict[int, int]()
    for index, card in enumerate(shown):
        if card in last:
            moments.remove(next(moment for moment in moments if last[card] < moment <= index))
        last[card] = index
    recovered: list[int] = []
    for number, moment in enumerate(moments):
        pool = [card for card, index in sorted(last.items()) if index < moment and card not in recovered]
        recovered += chance.draw(f"imagine/back/{seat}/{number}", pool, 1)
    return tuple(recovered)


def _draw_secrets(view: View, state: State, chance: Chance) -> tuple[int, ...]:
    """Return the reader's own secret choice, and draw the choices of others from their legal options.

    `NO_CHOICE` for a seat that has not chosen.
    """
    secrets = []
    for each in view.players:
        label = f"imagine/secret/{each.seat}"
        if each.choice is not None:
            choice = each.choice
            secrets.append(
                UNCLEAR if choice == "unclear" else GREY_NUMBER.get(choice, PLACE_INDEX.get(choice, UNCLEAR))
            )
        elif not each.has_chosen:
            secrets.append(NO_CHOICE)
        elif view.step == "pass_grey":
            greys = [card for card in state.hands[each.seat] if card in GREY_NUMBERS]
            secrets.append(chance.draw(label, greys, 1)[0])
        elif view.step == "discs":
            secrets.append(chance.draw(label, (*range(REGION_COUNT), UNCLEAR), 1)[0])
        else:
            secrets.append(chance.draw(label, dict(choices(state))[each.seat], 1)[0])
    return tuple(secrets)


def _draw_announced_recovery(view: View, state: State, chance: Chance) -> State:
    """Draw the card that another seat's announced Empowerment takes back, among its shown cards not in hand."""
    is_open = view.announced is None or view.announced.kind != "recover_power_card" or view.chosen_card is not None
    if is_open or view.active is None:
        return state
    hand = state.hands[view.active]
    pool = [card for card in sorted(set(state.shown[view.active])) if card not in hand]
    return replace(state, chosen_card=chance.draw("imagine/recovered", pool, 1)[0])
