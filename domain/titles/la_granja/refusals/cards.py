"""Reasons for cards in hand, the draw pile and cards laid at the farm (LG-3.1, LG-10)."""

from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja.agenda import AnyTask
from domain.titles.la_granja.helpers import HELPERS
from domain.titles.la_granja.holdings import can_draw
from domain.titles.la_granja.phases.playing import extension_price
from domain.titles.la_granja.refusals.general import is_window
from domain.titles.la_granja.state import PHASE_OF, HelperCard, State
from domain.titles.la_granja.tables import deck_of


def hand(state: State, task: AnyTask, name: str) -> Refusal | None:
    """Explain why a card or this side of it cannot be played now (LG-3.1.1, LG-3.1.4)."""
    side = name.partition("-")[2]
    if isinstance(task, t.CardStep) and not task.plays:
        return Refusal("LG-3.1.1", Message("You have already played your cards for this step."))
    if isinstance(task, t.CardStep | t.CardChoice):
        return unpaid_extension(state, task) if side == "extension" else None
    if is_window(task):
        return Refusal("LG-3.1.1", Message("Cards are played at the beginning of a round."))
    return None


def unpaid_extension(state: State, task: AnyTask) -> Refusal:
    """Explain that the farm has too few kinds of goods for an extension (LG-3.1.4)."""
    price = extension_price(state, task.seat)
    message = Message(
        "This farm extension costs {count} good, and you have none.",
        {"count": price},
        plural="This farm extension costs {count} different goods, and you do not have that many.",
        count=price,
    )
    return Refusal("LG-3.1.4", message)


def pile(state: State, task: AnyTask, _name: str) -> Refusal | None:
    """Explain why no card can be drawn now (LG-3.1.8, LG-3.1.9, LG-0.10)."""
    if isinstance(task, t.CardChoice) and task.may_draw:
        assert not can_draw(state), "drawing is legal where there is a card"
        return Refusal("LG-0.10", Message("There are no cards left to draw."))
    if isinstance(task, t.CardStep):
        return Refusal("LG-3.1.8", Message("You draw up to your hand limit when you finish this step."))
    if not is_window(task):
        return None
    return Refusal("LG-3.1.9", Message("You can draw a card only when an effect allows it."))


def laid_card(state: State, task: AnyTask, name: str) -> Refusal | None:
    """Explain why a helper, barrow or extension of the seat's farm cannot be used or, for a new card, discarded.

    None in any other task that is no window.
    """
    farm = state.farms[task.seat]
    if isinstance(task, t.Replacement):
        return Refusal("LG-3.1.6", Message("Discard a card of the same kind as the new one."))
    if not is_window(task):
        return None
    helper_card = next((each for each in farm.helpers if str(each.card) == name), None)
    if helper_card is not None:
        return helper(state, helper_card)
    if any(str(barrow.card) == name for barrow in farm.barrows):
        return Refusal("LG-6.3.1", Message("A market barrow is filled by deliveries."))
    return Refusal("LG-3.1.7", Message("This card works automatically."))


def helper(state: State, helper_card: HelperCard) -> Refusal:
    """Explain why a helper cannot be used in a window (LG-10.1, LG-10.2, LG-10.5).

    It is exhausted, not started by its owner, of another phase, or without effect.
    """
    printed = deck_of(state)[helper_card.card].helper
    if helper_card.exhausted:
        return Refusal("LG-10.2", Message("You have already used this helper this round."))
    if HELPERS[printed.kind].offers is None:
        return Refusal("LG-10.5", Message("This helper works automatically, or you are asked when you can use it."))
    if "any" not in printed.phases and PHASE_OF[state.step] not in printed.phases:
        return Refusal("LG-10.1", Message("This helper works in another phase."))
    return Refusal("LG-2.1", Message("This helper would have no effect now."))
