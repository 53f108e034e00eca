"""Rare cases of La Granja's rules: how to reach each of them, and how to recognise it in a log.

The bots play at random, but prefer actions that lead to the case and avoid others.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from domain.kernel.rules import Seat
from domain.matches.facts import ActionTaken, MatchStarted, action_of
from domain.matches.log.entries import Entry
from domain.matches.play.in_memory import Choose, InMemoryMatch, play_to_end, seeded_origins, table_of_bots
from domain.matches.titles import read_fact
from domain.titles import TITLES, la_granja
from domain.titles.el_grande.actions import CorrectDraft, DropDraft, PlayPowerCard, TakeActionCard, TakeBackCard
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import DieResolution, HelperOffer
from domain.titles.la_granja.components import ROOF_TILES
from domain.titles.la_granja.spaces import open_options
from domain.titles.la_granja.state import COMMODITY, State
from domain.titles.la_granja.turns import task_of
from domain.titles.la_granja.view import View
from tests.golden.coverage import DROPPED_AND_USED, EARLIER_GREY, things_of
from workers.bots import BOTS

MATCHES_MAX: Final = 1_000
RANDOM: Final = BOTS["random"]
DOUBLING: Final = frozenset(tile.id for tile in ROOF_TILES.values() if tile.effect == "double_roof_vp")

Liking = Callable[[View, Any], int]
"""A preference for an action: above 0 for, below 0 against it."""


class Step(NamedTuple):
    """An action of a log, with the states before and after it."""

    before: State
    seat: Seat
    action: Any
    effects: tuple[Any, ...]
    after: State


class Corner(NamedTuple):
    """A rare case: its condition, the helpers it needs, further preferences, and the options of the match."""

    happens: Callable[[Step], bool]
    helpers: tuple[int, ...] = ()
    likes: Liking = lambda _view, _action: 0
    options: Mapping[str, str] = {}


def steps_of(entries: Iterable[Entry]) -> Iterator[Step]:
    """Yield the actions of a match."""
    state: Any = None
    for entry in entries:
        fact = read_fact(TITLES[la_granja.TITLE], entry)
        if not isinstance(fact, MatchStarted | ActionTaken):
            continue
        before = state
        for effect in fact.effects:
            state = la_granja.evolve(state, effect)
        if isinstance(fact, ActionTaken):
            yield Step(before, Seat(fact.seat), action_of(fact), fact.effects, state)


def lies(state: State, seat: Seat, card: int) -> bool:
    """Return whether the helper is on the seat's farm and not exhausted."""
    return any(lying.card == card and not lying.exhausted for lying in state.farms[seat].helpers)


def resolves_chosen_die(step: Step) -> bool:
    return any(isinstance(each, e.DieResolved) and each.source == "chosen" for each in step.effects)


def is_offered(step: Step, card: int) -> bool:
    return any(isinstance(task, HelperOffer) and task.helper == card for task in step.after.agenda)


def asks_for_the_order(step: Step) -> bool:
    """Return whether the Drover is used before the Merchant, who is still offered (LG-10.7)."""
    return step.action == a.UseHelper(21) and is_offered(step, 6)


def plays_a_card_in_step_iii_1(step: Step) -> bool:
    """Return whether a commodity is spent to play a card, with drawing impossible (LG-2.1.1)."""
    return step.before.step == "donkeys" and step.action == a.SpendCommodity("play_or_draw_card")


def keeps_on_a_helper_field(step: Step) -> bool:
    """Return whether the Barter Trader puts a crop back on the Grove Warden's field (LG-0.7)."""
    kept = any(isinstance(each, e.GoodGained) and (each.place, each.number) == ("field", 49) for each in step.effects)
    return kept and step.action == a.UseHelper(63)


def has_nothing_to_offer(step: Step) -> bool:
    """Return whether a chosen die is resolved and the Merchant's space would bring nothing (LG-10.5)."""
    could = lies(step.before, step.seat, 6) and step.before.farms[step.seat].vp > 0
    return could and resolves_chosen_die(step) and not open_options(step.after, step.seat, step.before.round)


def delivers_what_is_bought(step: Step) -> bool:
    """Return whether an extra delivery is made that was bought before (LG-12.4)."""
    task = task_of(step.before, step.seat)
    return type(task).__name__ == "BoughtDeliveries" and isinstance(
        step.action, a.DeliverToBuilding | a.DeliverToBarrow
    )


def keeps_no_commodity(step: Step) -> bool:
    """Return whether a commodity is delivered with the Barter Trader on the farm (LG-13.30)."""
    is_commodity = isinstance(step.action, a.DeliverToBuilding) and step.action.good == COMMODITY
    return is_commodity and lies(step.before, step.seat, 63) and not is_offered(step, 63)


def moves_without_a_hat(step: Step) -> bool:
    """Return whether the Herald could be paid and the donkey tile shows no hat (LG-13.31)."""
    shown = next((each.tiles for each in step.effects if isinstance(each, e.DonkeysRevealed)), ())
    return any(
        tile == 4 and step.before.farms[seat].silver and lies(step.before, Seat(seat), 24)
        for seat, tile in enumerate(shown)
    )


def covers_the_sixth_space(step: Step) -> bool:
    """Return whether the sixth roof space is covered with an unused doubling tile (LG-13.32)."""
    farm = step.after.farms[step.seat] if step.seat >= 0 else None
    is_bought = any(isinstance(each, e.RoofBought) for each in step.effects)
    return (
        is_bought
        and farm is not None
        and len(farm.roofs) == 6
        and any(roof.tile in DOUBLING and not roof.used for roof in farm.roofs)
    )


def declines_space_4(step: Step) -> bool:
    """Return whether space 4 is declined with the Tax Collector (LG-13.33)."""
    task = task_of(step.before, step.seat)
    is_4 = isinstance(task, DieResolution) and task.pips == 4 and not task.taken
    return is_4 and isinstance(step.action, a.Decline) and lies(step.before, step.seat, 16)


def goes_on_without_the_porter(step: Step) -> bool:
    """Return whether the second option is taken after the first replaced the Porter (LG-13.34)."""
    task = task_of(step.before, step.seat)
    is_second = isinstance(task, DieResolution) and bool(task.taken) and isinstance(step.action, a.TakeOption)
    return is_second and all(lying.card != 3 for lying in step.before.farms[step.seat].helpers)


def any_of(*actions: Any, how_much: int = 1) -> Liking:
    """Return a preference for these actions and types of actions."""
    kinds = tuple(action for action in actions if isinstance(action, type))
    return lambda _, action: how_much if isinstance(action, kinds) or action in actions else 0


def to_play_in_step_iii_1(view: View, action: Any) -> int:
    """Keep commodities until all players choose a donkey tile."""
    if action == a.SpendCommodity("play_or_draw_card") and view.step == "donkeys":
        return 1
    return -isinstance(action, a.SpendCommodity)


def to_sell_out(view: View, action: Any) -> int:
    """With the Merchant, take both 5s of round 5 for siesta steps, with nothing left to upgrade."""
    assert view.seat is not None, "a bot is asked"
    has_merchant = any(lying.card == 6 for lying in view.farms[view.seat].helpers)
    if action == a.TakeDie(5) and view.round == 5:
        return 2 if has_merchant else -2
    if action == a.UseHelper(6) or (isinstance(action, a.PlayCard) and action.side == "field"):
        return -1
    if isinstance(action, a.SellResource) or action == a.TakeOption("siesta_2"):
        return 2
    return 1 if action == a.TakeOption("draw_card") else -int(isinstance(action, a.BuyResource | a.TakeGood))


def to_deliver_commodities(_: View, action: Any) -> int:
    """Keep commodities for the Merchant House."""
    if isinstance(action, a.DeliverToBuilding) and action.good == COMMODITY:
        return 2
    return -int(isinstance(action, a.SpendCommodity)) - 2 * int(action == a.UseHelper(63))


def to_cover_roofs(view: View, action: Any) -> int:
    """Buy a tile every round; with the Warehouse Builder, buy the doubling tile and keep it."""
    assert view.seat is not None, "a bot is asked"
    own = view.farms[view.seat]
    has_builder = 43 in own.hand or any(lying.card == 43 for lying in own.helpers)
    if isinstance(action, a.BuyRoof):
        return (3 if has_builder else -1) if action.tile in DOUBLING else 2
    if isinstance(action, a.UseRoof) and action.tile in DOUBLING:
        return -2
    if view.step == "roofs":
        return int(isinstance(action, a.SellResource)) + int(action == a.SpendCommodity("silver_4"))
    if isinstance(action, a.BuyResource | a.UpgradeResource | a.SpendCommodity):
        return -1
    return action in (a.TakeOption("silver_4"), a.TakeDie(4), a.TakeOption("draw_card"))


def to_replace_the_porter(view: View, action: Any) -> int:
    """Take space 2 with the Porter, play a helper there, and discard the Porter for it."""
    if view.step not in ("first_dice", "second_dice"):
        return -int(action == a.UseHelper(3))
    if isinstance(action, a.PlayCard):
        return 2 * (action.side == "helper") - 1
    return any_of(a.TakeDie(2), a.UseHelper(3), a.TakeOption("play_card"), a.ReplaceCard(3), a.TakeOption("crop_any"))(
        view, action
    )


CORNERS: Final[Mapping[str, Corner]] = {
    "helpers-in-order": Corner(asks_for_the_order, (6, 21), any_of(a.TakeDie(1), a.UseHelper(21))),
    "step-iii-1": Corner(plays_a_card_in_step_iii_1, (), to_play_in_step_iii_1),
    "grove-and-barter": Corner(keeps_on_a_helper_field, (49, 63), any_of(a.UseHelper(63))),
    "merchant-for-nothing": Corner(has_nothing_to_offer, (6,), to_sell_out),
    "bought-at-once": Corner(
        delivers_what_is_bought, (), any_of(a.BuyDeliveries), {"edition": "original", "extra_deliveries": "at_once"}
    ),
    "barter-and-commodity": Corner(keeps_no_commodity, (63,), to_deliver_commodities),
    "herald-without-hats": Corner(moves_without_a_hat, (24,), any_of(a.ChooseDonkey(4))),
    "sixth-space": Corner(covers_the_sixth_space, (43,), to_cover_roofs),
    "declined-space-4": Corner(declines_space_4, (16,), any_of(a.TakeDie(4))),
    "porter-replaced": Corner(goes_on_without_the_porter, (3,), to_replace_the_porter),
}
"""The rare cases by the name of their log."""


def corners_in(entries: Iterable[Entry]) -> set[str]:
    """Return the rare cases that occur in a match."""
    steps = tuple(steps_of(entries))
    return {name for name, corner in CORNERS.items() if any(step.seat >= 0 and corner.happens(step) for step in steps)}


def likely(corner: Corner, view: View, action: Any) -> int:
    """Return the preference for an action: the required helpers are played as helpers and kept."""
    if isinstance(action, a.PlayCard) and action.card in corner.helpers:
        return 4 if action.side == "helper" else -4
    liked = corner.likes(view, action)
    is_lost = isinstance(action, a.DiscardCard | a.ReplaceCard) and action.card in corner.helpers
    return liked or (-4 if is_lost else 0)


def find_corner_match(name: str) -> InMemoryMatch:
    """Return the first of the seeded matches in which the rare case occurs."""
    corner = CORNERS[name]

    def choose(rules: Any, view: Any, legal: tuple[Any, ...], seed: bytes) -> Any:
        liked = {action: likely(corner, view, action) for action in legal}
        best = max(liked.values())
        wanted = [action for action in legal if (liked[action] == best if best > 0 else liked[action] == 0)]
        return RANDOM.choose(rules, view, tuple(wanted or legal), seed)

    for number in range(MATCHES_MAX):
        luck = seeded_origins(f"{name}/{number}".encode())
        play = table_of_bots(TITLES[la_granja.TITLE], (RANDOM.actor,) * 4, corner.options, luck)
        play_to_end(play, {RANDOM.actor: choose})
        if name in corners_in(play.entries):
            return play
    raise AssertionError(f"none of {MATCHES_MAX} matches comes to {name}")


TRIES: Final = 400


def choose_for_empowerment(rules: Any, view: Any, legal: tuple[Any, ...], seed: bytes) -> Any:
    """Add grey cards to power cards, take Empowerment, and take back grey cards of earlier rounds."""
    own = view.players[view.seat]
    back = [each for each in legal if isinstance(each, TakeBackCard) and each.card not in {*range(14), own.grey}]
    greys = [each for each in legal if isinstance(each, PlayPowerCard) and each.grey is not None]
    taken = [each for each in legal if isinstance(each, TakeActionCard) and each.card.startswith("s4-empowerment")]
    return RANDOM.choose(rules, view, tuple(back or greys or taken or legal), seed)


def choose_with_corrections(rules: Any, view: Any, legal: tuple[Any, ...], seed: bytes) -> Any:
    """Start special actions if possible, and correct a third of the steps of a draft."""
    corrections = [each for each in legal if isinstance(each, CorrectDraft | DropDraft)]
    wanted = corrections if corrections and seed[0] % 3 == 0 else legal[1:] or legal
    return RANDOM.choose(rules, view, tuple(wanted), seed)


def first_with(thing: str, seats: int, chosen: dict[str, str], choose: Choose) -> InMemoryMatch:
    """Return the first of the seeded matches in which the thing occurs."""
    for number in range(TRIES):
        luck = seeded_origins(f"{thing}/{number}".encode())
        play = table_of_bots(TITLES["el_grande"], (RANDOM.actor,) * seats, chosen, luck)
        play_to_end(play, {RANDOM.actor: choose})
        if thing in things_of("el_grande", play.entries):
            return play
    raise AssertionError(f"{thing}: not in {TRIES} matches")


def play_empowerment(_: str) -> InMemoryMatch:
    """Play until Empowerment takes back a grey card of an earlier round (EG-20.7)."""
    return first_with(
        EARLIER_GREY, 3, {"cards": "2023", "shift_of_power": "yes", "short": "yes"}, choose_for_empowerment
    )


def play_corrections(_: str) -> InMemoryMatch:
    """Play until drafts are corrected, dropped, and their special actions used (EG-12.2)."""
    return first_with(
        DROPPED_AND_USED, 3, {"cards": "2023", "shift_of_power": "yes", "short": "yes"}, choose_with_corrections
    )
