"""Order of several helpers of one owner with the same trigger: the owner chooses if it can matter (LG-10.7).

Tests try both orders of every pair of helpers that share a trigger.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from domain.kernel.rules import Seat
from domain.titles.la_granja.agenda import HelperDue, HelperOffer
from domain.titles.la_granja.cards import Card
from domain.titles.la_granja.editions import edition_rules_of
from domain.titles.la_granja.effects import DieResolved, Effect, Planned, plan_tasks
from domain.titles.la_granja.state import State
from domain.titles.la_granja.tables import BOXES, box_of


class Reaction(NamedTuple):
    """Reaction of a helper to an event; `asks` if it is offered, `is_useful` if using it would have an effect."""

    card: Card
    effects: tuple[Effect, ...]
    asks: bool
    is_useful: bool


OPTIONS_BY_BONUS: Final[Mapping[str, tuple[str, ...]]] = {
    "silver": ("play_card",),
    "vp": ("play_card",),
    "crops": ("play_card", "upgrade_2", "upgrade_1_siesta_1", "delivery_1"),
    "siesta_steps": ("delivery_1",),
}
"""Revenue options that can use a bonus, by its kind: pay an extension, upgrade, deliver, or gain from a Wainwright."""


def order_reactions(state: State, seat: Seat, effect: Effect, answers: list[Reaction]) -> tuple[Effect, ...]:
    """Return the reactions of a seat's helpers: automatic helpers first, then offers.

    An automatic helper becomes a `HelperDue`, ordered by the owner, if it can change the value of an offered one. An
    offer without effect is dropped, unless such a helper could change that.
    """
    if len(answers) == 1 and answers[0].is_useful:
        return answers[0].effects
    offers, others = [each for each in answers if each.asks], [each for each in answers if not each.asks]
    due = [each for each in others if any(_can_matter(state, effect, each.card, offer.card) for offer in offers)]
    waiting = (plan_tasks(seat, *(HelperDue(seat, each.card.number) for each in due), done=0),) if due else ()
    return (
        *waiting,
        *(added for each in offers if due or each.is_useful for added in each.effects),
        *(added for each in others if each not in due for added in each.effects),
    )


def offer_in(effects: tuple[Effect, ...]) -> HelperOffer | None:
    """Return the `HelperOffer` among the tasks of the effects, or None."""
    tasks = (task for effect in effects if isinstance(effect, Planned) for task in effect.tasks)
    return next((task for task in tasks if isinstance(task, HelperOffer)), None)


def _can_matter(state: State, effect: Effect, bonus: Card, offered: Card) -> bool:
    """Return whether a bonus can change the value of an offered helper.

    Among helpers with the same trigger only the bonus of a revenue space can, together with Merchant or Night Owl, and
    only if the next space or its price can use it.
    """
    if not isinstance(effect, DieResolved):
        return False
    is_paid = "vp_cost" in offered.helper.params
    if "vp" in bonus.helper.params and is_paid:
        return True
    if "crops" in bonus.helper.params and edition_rules_of(state).marks_helpers:
        # The mark on the exhausted helper and the crop can compete for the last marker (LG-12.6, LG-0.9).
        return True
    space = state.round if is_paid else effect.pips
    return not _usable_options(state.deck, bonus.number).isdisjoint(box_of(state).revenue_spaces[space].options)


@cache
def _usable_options(deck: str, bonus: int) -> frozenset[str]:
    """Return the revenue options that can use the bonus of this card: crops, siesta steps, silver or VP."""
    box = BOXES[deck]
    params = box.cards[bonus].helper.params
    deliverable = {good for card in box.cards.values() for good in card.barrow.goods}
    deliverable.update(good for building in box.buildings.values() for good in building.row)
    uses = set[str]()
    for name, options in OPTIONS_BY_BONUS.items():
        uses.update(options if name in params else ())
    if any(good in params and good in deliverable for good in ("silver", "vp")):
        uses.add("delivery_1")
    return frozenset(uses)
