"""Table of helper kinds and the functions that offer, use and apply helpers.

Kinds that only change numbers are implemented in `reckoning`.
"""

from collections.abc import Mapping
from typing import Final

from domain.kernel.rules import Seat
from domain.titles.la_granja.actions import Action, UseHelper
from domain.titles.la_granja.adjustments import ADJUSTING_KINDS
from domain.titles.la_granja.agenda import AnyTask, HelperChoice, HelperDue, HelperOffer
from domain.titles.la_granja.cards import CARDS, Card
from domain.titles.la_granja.effects import Effect, HelperUsed, plan_tasks
from domain.titles.la_granja.helpers import cards, deliveries, farming, market, revenue, track, trade
from domain.titles.la_granja.helpers.kinds import Helper
from domain.titles.la_granja.helpers.order import Reaction, offer_in, order_reactions
from domain.titles.la_granja.state import PHASE_OF, State
from domain.titles.la_granja.tables import deck_of

HELPERS: Final[Mapping[str, Helper]] = {
    **dict.fromkeys(sorted(ADJUSTING_KINDS), Helper()),
    **cards.KINDS,
    **deliveries.KINDS,
    **farming.KINDS,
    **market.KINDS,
    **revenue.KINDS,
    **track.KINDS,
    **trade.KINDS,
}
"""Rules of every kind of helper a card can have."""

HELPER_TRIGGERS: Final = frozenset(kind for helper in HELPERS.values() for kind in helper.reacts)
"""Effect types that can trigger a helper."""


def offered_helpers(state: State, seat: Seat, task: AnyTask) -> tuple[Action, ...]:
    """Return `UseHelper` for each helper that the seat can start in this window in the current phase (LG-10.1).

    Exhausted helpers are left out.
    """
    helper_cards = state.farms[seat].helpers
    if not helper_cards:
        return ()
    deck, actions = deck_of(state), list[Action]()
    for each in helper_cards:
        card = deck[each.card]
        offers = HELPERS[card.helper.kind].offers
        if offers and not each.exhausted and _is_in_phase(state, card) and offers(state, seat, card, task):
            actions.append(UseHelper(each.card))
    return tuple(actions)


def _is_in_phase(state: State, card: Card) -> bool:
    phases = card.helper.phases
    return "any" in phases or PHASE_OF[state.step] in phases


def use_helper(state: State, seat: Seat, number: int, task: AnyTask) -> tuple[Effect, ...]:
    """Return the effects of using a helper; a once-per-round helper is exhausted first (LG-10.2)."""
    card = deck_of(state)[number]
    perform = HELPERS[card.helper.kind].performs
    assert perform is not None, f"helper {number} is not one that is used"
    return HelperUsed(seat, number, card.helper.once_per_round), *perform(state, seat, card, task)


def legal_choice(state: State, task: HelperChoice) -> tuple[Action, ...]:
    """Return the choices that the helper in use offers its owner."""
    card = deck_of(state)[task.helper]
    choices = HELPERS[card.helper.kind].choices
    assert choices is not None, f"helper {task.helper} asks nothing"
    return choices(state, task.seat, card, task)


def perform_choice(state: State, task: HelperChoice, action: Action) -> tuple[Effect, ...]:
    """Return the effects of a choice for the helper in use, preceded by the end of the choice."""
    card = deck_of(state)[task.helper]
    chosen = HELPERS[card.helper.kind].chosen
    assert chosen is not None, f"helper {task.helper} asks nothing"
    return plan_tasks(task.seat), *chosen(state, task.seat, card, task, action)


def reactions(state: State, effect: Effect) -> tuple[Effect, ...]:
    """Return the helpers' reactions to an effect in turn order (LG-10.6); exhausted helpers have none (LG-10.2)."""
    answers = list[Effect]()
    for seat in state.order:
        if own := _reactions_of(state, seat, effect):
            answers += order_reactions(state, seat, effect, own)
    return tuple(answers)


def _reactions_of(state: State, seat: Seat, effect: Effect) -> list[Reaction]:
    """Return the reactions of a seat's helpers to an effect; exhausted helpers have none, nor out of their phase."""
    helpers = state.farms[seat].helpers
    answers: list[Reaction] = []
    if not helpers:
        return answers
    kind, deck = type(effect), deck_of(state)
    for helper_card in helpers:
        card = deck[helper_card.card]
        react = HELPERS[card.helper.kind].reacts.get(kind)
        if (
            react
            and not helper_card.exhausted
            and _is_in_phase(state, card)
            and (added := react(state, seat, card, effect))
        ):
            offer = offer_in(added)
            answers.append(Reaction(card, added, offer is not None, offer is None or _is_useful(state, offer)))
    return answers


def _is_useful(state: State, offer: HelperOffer | HelperDue) -> bool:
    """Return whether using the helper would have an effect; kinds without a `useful` check always have one."""
    card = deck_of(state)[offer.helper]
    useful = HELPERS[card.helper.kind].useful
    return useful is None or useful(state, offer.seat, card, offer)


def can_work(state: State, offer: HelperOffer | HelperDue) -> bool:
    """Return whether the helper is still at the farm (LG-10.8) and using it would have an effect."""
    is_in_play = any(helper_card.card == offer.helper for helper_card in state.farms[offer.seat].helpers)
    return is_in_play and _is_useful(state, offer)


def apply_automatic(state: State, due: HelperDue) -> tuple[Effect, ...]:
    """Return the effects of an automatic helper when it is its turn."""
    card = deck_of(state)[due.helper]
    perform = HELPERS[card.helper.kind].performs
    assert perform is not None, f"helper {due.helper} has nothing to bring"
    return perform(state, due.seat, card, due)


def income_of(state: State, seat: Seat) -> tuple[AnyTask, ...]:
    """Return the tasks that helpers add to the income, silver excluded (LG-3.2.1)."""
    deck, tasks = deck_of(state), list[AnyTask]()
    for helper_card in state.farms[seat].helpers:
        card = deck[helper_card.card]
        income = HELPERS[card.helper.kind].income
        if income:
            tasks += income(state, seat, card)
    return tuple(tasks)


assert {card.helper.kind for card in CARDS.values()} <= HELPERS.keys(), "every kind of helper is known"
