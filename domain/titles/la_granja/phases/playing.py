"""Playing, paying for, drawing and discarding farm cards in any step (LG-3.1)."""

from domain.kernel.chance import Chance
from domain.kernel.hidden import Hidden
from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles.la_granja.actions import (
    Action,
    DiscardCard,
    DrawCard,
    Pass,
    PassOver,
    PayGood,
    PlayCard,
    ReplaceCard,
)
from domain.titles.la_granja.adjustments import Number, adjust
from domain.titles.la_granja.agenda import (
    AnyTask,
    CardChoice,
    CardDiscard,
    CardDraw,
    CardKeeping,
    ExtensionPayment,
    HandCheck,
    Layout,
    Replacement,
)
from domain.titles.la_granja.effects import (
    CardDiscarded,
    CardPlayed,
    CardsDrawn,
    CardsKept,
    DiscardReshuffled,
    Effect,
    GoodPaid,
    plan_tasks,
)
from domain.titles.la_granja.holdings import PLACE_OF, can_draw, crops_on_fields, draw_pile, hand_limit
from domain.titles.la_granja.state import FARM_GOODS, Farm, State
from domain.titles.la_granja.tables import Box, box_of, deck_of


def playable_cards(state: State, seat: Seat) -> tuple[PlayCard, ...]:
    """Return every card in hand with every side that can be played; extensions only if affordable (LG-3.1.4)."""
    farm = state.farms[seat]
    can_extend = len(payable_kinds(farm, 0)) >= extension_price(state, seat)
    sides = ("field", "barrow", "extension", "helper") if can_extend else ("field", "barrow", "helper")
    return tuple(PlayCard(card, side) for card in farm.hand for side in sides)


def extension_price(state: State, seat: Seat) -> int:
    """Return the number of kinds the next extension costs: its ordinal, adjusted by helpers (LG-3.1.4)."""
    return adjust(state, seat, Number.EXTENSION_PRICE, len(state.farms[seat].extensions) + 1)


def payable_kinds(farm: Farm, first: int) -> tuple[str, ...]:
    """Return the kinds of farm goods the farm has, from index `first` of the list in LG-0.4."""
    on_fields = [crop for crop, _ in crops_on_fields(farm)]
    return tuple(kind for kind in FARM_GOODS[first:] if getattr(farm, kind) or kind in on_fields)


def needs_replacement(box: Box, side: str, barrows: int, helpers: int) -> bool:
    """Return whether a card of this side must first replace another, because its slots are full (LG-3.1.6)."""
    board = box.player_board
    return (side == "barrow" and barrows >= board.barrow_slots) or (side == "helper" and helpers >= board.helper_slots)


def play_card(state: State, seat: Seat, action: PlayCard, *after: AnyTask, done: int = 1) -> tuple[Effect, ...]:
    """Play a card: lay it at once, or plan the payment of an extension or the discard of a card before it.

    A barrow or helper needs a discard if the farm has no room for another. `after` follows, and `done` tasks end.
    """
    card, side, farm = action.card, action.side, state.farms[seat]
    if side == "extension":
        price = extension_price(state, seat)
        return (plan_tasks(seat, ExtensionPayment(seat, card, price, 0), Layout(seat, card, side), *after, done=done),)
    if needs_replacement(box_of(state), side, len(farm.barrows), len(farm.helpers)):
        return (plan_tasks(seat, Replacement(seat, card, side), Layout(seat, card, side), *after, done=done),)
    return plan_tasks(seat, *after, done=done), _lay_card(state, seat, card, side)


def _lay_card(state: State, seat: Seat, card: int, side: str) -> Effect:
    """Return the effect that lays a card at the farm, with its crop or its number of symbols."""
    printed = deck_of(state)[card]
    if side == "field":
        return CardPlayed(seat, card, side, crop=printed.crop)
    if side == "barrow":
        return CardPlayed(seat, card, side, symbols=len(printed.barrow.goods))
    # A helper that provides a field has the crop it grows as a param.
    return CardPlayed(seat, card, side, crop=printed.helper.params.get("crop", ""))


def run_layout(state: State, task: Layout) -> tuple[Effect, ...]:
    """Lay the card at the farm after payment or replacement (LG-3.1.7)."""
    return plan_tasks(task.seat), _lay_card(state, task.seat, task.card, task.side)


def legal_replacement(state: State, task: Replacement) -> tuple[Action, ...]:
    """Return the barrows or helpers of which one must be discarded (LG-3.1.6)."""
    farm = state.farms[task.seat]
    cards = farm.barrows if task.side == "barrow" else farm.helpers
    return tuple(ReplaceCard(card.card) for card in cards)


def perform_replacement(_: State, task: Replacement, action: ReplaceCard) -> tuple[Effect, ...]:
    """Discard the chosen barrow or helper."""
    return plan_tasks(task.seat), CardDiscarded(task.seat, action.card, task.side)


def legal_payment(state: State, task: ExtensionPayment) -> tuple[Action, ...]:
    """Return the payments of the first available kind, and `PassOver` while enough other kinds remain.

    A crop is paid from each kind of place that holds it.
    """
    farm = state.farms[task.seat]
    kinds = payable_kinds(farm, task.kind)
    kind = kinds[0]
    actions = list[Action]()
    if len(kinds) > task.owed:
        actions.append(PassOver(kind))
    actions += [PayGood(crop, place) for crop, place in crops_on_fields(farm) if crop == kind]
    if getattr(farm, kind):
        actions.append(PayGood(kind, PLACE_OF[kind]))
    return tuple(actions)


def perform_payment(_: State, task: ExtensionPayment, action: PayGood | PassOver) -> tuple[Effect, ...]:
    """Pay or skip the kind and continue with the kinds after it, until nothing is owed."""
    seat, following = task.seat, FARM_GOODS.index(action.good) + 1
    if isinstance(action, PassOver):
        return (plan_tasks(seat, replace(task, kind=following)),)
    paid = GoodPaid(seat, action.good, 1, action.place, "extension")
    if task.owed == 1:
        return plan_tasks(seat), paid
    return plan_tasks(seat, replace(task, kind=following, owed=task.owed - 1)), paid


def legal_card(state: State, task: CardChoice) -> tuple[Action, ...]:
    """Return the cards that can be played and, if the task allows it, `DrawCard` (LG-2.3 c, LG-3.1.9)."""
    drawing = (DrawCard(),) if task.may_draw and can_draw(state) else ()
    return drawing + playable_cards(state, task.seat)


def perform_card(state: State, task: CardChoice, action: DrawCard | PlayCard) -> tuple[Effect, ...]:
    """Play the card or draw one."""
    if isinstance(action, DrawCard):
        return (plan_tasks(task.seat, *draw_tasks(state, task.seat)),)
    return play_card(state, task.seat, action)


def draw_tasks(state: State, seat: Seat) -> tuple[AnyTask, ...]:
    """Return the tasks that draw 1 card; outside step I.1 the Bookkeeper draws more and keeps one."""
    count = 1 if state.step == "cards" else adjust(state, seat, Number.CARDS_DRAWN, 1)
    if count == 1:
        return (CardDraw(seat, 1),)
    return CardDraw(seat, count, aside=True), CardKeeping(seat, adjust(state, seat, Number.CARDS_KEPT, 1))


def legal_keeping(state: State, task: CardKeeping) -> tuple[Action, ...]:
    """Return a discard action for each card set aside, or `Pass` if all can be kept."""
    aside = state.farms[task.seat].aside
    return tuple(DiscardCard(card) for card in aside) if len(aside) > task.keep else (Pass(),)


def perform_keeping(state: State, task: CardKeeping, action: DiscardCard | Pass) -> tuple[Effect, ...]:
    """Discard one of the cards set aside; keep the others once few enough are left, all of them on `Pass`."""
    seat = task.seat
    if isinstance(action, Pass):
        return plan_tasks(seat), CardsKept(seat)
    discarded = CardDiscarded(seat, action.card, "aside")
    is_done = len(state.farms[seat].aside) - 1 <= task.keep
    return (plan_tasks(seat), discarded, CardsKept(seat)) if is_done else (discarded,)


def run_hand_check(state: State, task: HandCheck) -> tuple[Effect, ...]:
    """Draw up to the hand limit, or start discarding down to it by choice (LG-3.1.8)."""
    seat = task.seat
    missing = hand_limit(state, seat) - len(state.farms[seat].hand)
    if missing > 0:
        return (plan_tasks(seat, CardDraw(seat, missing)),)
    if missing < 0:
        return (plan_tasks(seat, CardDiscard(seat, -missing)),)
    return (plan_tasks(seat),)


def legal_discard(state: State, task: CardDiscard) -> tuple[Action, ...]:
    """Return a discard action for each card in hand."""
    return tuple(DiscardCard(card) for card in state.farms[task.seat].hand)


def perform_discard(_: State, task: CardDiscard, action: DiscardCard) -> tuple[Effect, ...]:
    """Discard the card and continue until the count is reached."""
    seat = task.seat
    remaining = (CardDiscard(seat, task.count - 1),) if task.count > 1 else ()
    return plan_tasks(seat, *remaining), CardDiscarded(seat, action.card, "hand")


def run_draw(state: State, task: CardDraw, chance: Chance) -> tuple[Effect, ...]:
    """Draw cards at random, visible to the seat only; reshuffle the discard pile after the last card (LG-0.10).

    With both piles empty the rest is not drawn.
    """
    seat, pile = task.seat, draw_pile(state)
    if not pile:
        return (DiscardReshuffled(),) if state.discard else (plan_tasks(seat),)
    count = min(task.count, len(pile))
    cards = chance.draw(f"card/{state.cards_drawn + 1}", pile, count, (seat,))
    remaining = (replace(task, count=task.count - count),) if task.count > count else ()
    hidden = Hidden(tuple(sorted(cards)), (seat,))
    effects: tuple[Effect, ...] = (plan_tasks(seat, *remaining), CardsDrawn(seat, count, hidden, task.aside))
    if count == len(pile) and state.discard:
        return (*effects, DiscardReshuffled())
    return effects
