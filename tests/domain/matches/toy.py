"""A tiny complete title: hidden hands, simultaneous secret choices, open steps, and a step by HOUSE.

Five rounds: everyone plays a card face down. The highest card takes a point for every pearl on the table; ties take
nothing. The winner may add pearls to the table or pass, and everyone draws a card. After round 5 the house seat scores
a point for every two pearls left in front of a seat.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.kernel.chance import Chance
from domain.kernel.hidden import Hidden
from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.kernel.rules import SERVICE_SEAT, Codec, Options, Seat, UnknownOption
from domain.kernel.values import Value, replace, tagger

TITLE: Final = "toy"
RULES_VERSION: Final = 0
DECK: Final = tuple(range(1, 41))
HAND: Final = 3


class Tagged(Value, frozen=True, tag_field="type", tag=tagger(TITLE)):
    """The base of the toy's actions and effects."""


class Play(Tagged, frozen=True):
    card: int


class Pass(Tagged, frozen=True):
    """Leave the table unchanged."""


class AddPearl(Tagged, frozen=True):
    """Add one of the seat's pearls to the table."""


class CountUp(Tagged, frozen=True):
    """Score the remaining pearls; an action of HOUSE."""


Action = Play | Pass | AddPearl | CountUp


class Dealt(Tagged, frozen=True):
    seat: int
    count: int
    cards: Hidden[tuple[int, ...]]


class PearlsRolled(Tagged, frozen=True):
    pips: tuple[int, ...]


class Chosen(Tagged, frozen=True):
    seat: int
    card: Hidden[int]


class Revealed(Tagged, frozen=True):
    cards: tuple[int, ...]
    winner: int


class PearlAdded(Tagged, frozen=True):
    seat: int


class Passed(Tagged, frozen=True):
    seat: int


class Counted(Tagged, frozen=True):
    points: tuple[int, ...]


Effect = Dealt | PearlsRolled | Chosen | Revealed | PearlAdded | Passed | Counted


class State(Value, frozen=True):
    """`table` is the number of pearls on the table; card 0 is a card unknown to the reader."""

    hands: tuple[tuple[int, ...], ...]
    chosen: tuple[int | None, ...]
    pearls: tuple[int, ...]
    points: tuple[int, ...]
    played: tuple[int, ...] = ()
    table: int = 1
    round: int = 1
    drawn_count: int = 0
    winner: int | None = None
    is_counted: bool = False


class View(Value, frozen=True):
    seat: int | None
    hand: tuple[int, ...]
    hand_counts: tuple[int, ...]
    own_choice: int | None
    has_chosen: tuple[bool, ...]
    pearls: tuple[int, ...]
    points: tuple[int, ...]
    played: tuple[int, ...]
    table: int
    round: int
    winner: int | None
    is_counted: bool


CODEC: Final = Codec(action=Action, effect=Effect, view=View, state=State, secret_actions=frozenset({Play}))


def options(chosen: Mapping[str, str]) -> Options:
    for key, value in chosen.items():
        if key != "rounds" or not value.isdigit() or not 1 <= int(value) <= 9:
            raise UnknownOption(f"the toy has no option {key}={value}")
    return Options({"rounds": "5"} | dict(chosen), 2, 4)


def data_digest(options: Options) -> str:
    return hashlib.sha256(repr(DECK).encode()).hexdigest()


def pool(hands: tuple[tuple[int, ...], ...], played: tuple[int, ...], chosen: tuple[int | None, ...]) -> list[int]:
    known = {card for hand in hands for card in hand} | set(played) | {card for card in chosen if card}
    return [card for card in DECK if card not in known]


def start(options: Options, seats: int, chance: Chance) -> tuple[Effect, ...]:
    effects: list[Effect] = [PearlsRolled(chance.roll("pearls", seats, 6))]
    hands: list[tuple[int, ...]] = []
    for seat in range(seats):
        cards = chance.draw(f"card/{seat}", pool(tuple(hands), (), ()), HAND, (seat,))
        hands.append(cards)
        effects.append(Dealt(seat, HAND, Hidden(cards, (seat,))))
    return tuple(effects)


def seats_to_act(state: State) -> tuple[Seat, ...]:
    if state.is_counted:
        return ()
    if state.round > 5:
        return (SERVICE_SEAT,)
    if state.winner is not None:
        return (Seat(state.winner),)
    return tuple(Seat(seat) for seat, card in enumerate(state.chosen) if card is None)


def legal_actions(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in seats_to_act(state):
        return ()
    if seat == SERVICE_SEAT:
        return (CountUp(),)
    if state.winner is not None:
        return (Pass(), AddPearl()) if state.pearls[seat] else (Pass(),)
    return tuple(Play(card) for card in state.hands[seat])


def decide(state: State, seat: Seat, action: Action, chance: Chance) -> tuple[Effect, ...]:
    match action:
        case Play(card):
            chosen = (*state.chosen[:seat], card, *state.chosen[seat + 1 :])
            mine = Chosen(seat, Hidden(card, (seat,)))
            if None in chosen:
                return (mine,)
            cards = tuple(card for card in chosen if card is not None)
            return (mine, Revealed(cards, cards.index(max(cards))))
        case AddPearl():
            return (PearlAdded(seat),)
        case CountUp():
            return (Counted(tuple(pearls // 2 for pearls in state.pearls)),)
        case Pass():
            effects: list[Effect] = [Passed(seat)]
            hands, remaining = state.hands, pool(state.hands, state.played, ())
            for other in range(len(hands)):
                cards = chance.draw(f"card/{state.drawn_count + len(hands) + other}", remaining, 1, (other,))
                remaining = [card for card in remaining if card not in cards]
                effects.append(Dealt(other, 1, Hidden(cards, (other,))))
            return tuple(effects)


def apply_dealt(state: State, effect: Dealt) -> State:
    cards = effect.cards.known_or((0,) * effect.count)
    hands = tuple((*hand, *cards) if seat == effect.seat else hand for seat, hand in enumerate(state.hands))
    return replace(state, hands=hands, drawn_count=state.drawn_count + 1)


def apply_chosen(state: State, effect: Chosen) -> State:
    card, seat = effect.card.known_or(0), effect.seat
    hand = list(state.hands[seat])
    hand.remove(card)
    hands = (*state.hands[:seat], tuple(hand), *state.hands[seat + 1 :])
    return replace(state, hands=hands, chosen=(*state.chosen[:seat], card, *state.chosen[seat + 1 :]))


def apply_revealed(state: State, effect: Revealed) -> State:
    points = tuple(old + (state.table if seat == effect.winner else 0) for seat, old in enumerate(state.points))
    nobody = (None,) * len(points)
    return replace(
        state, chosen=nobody, points=points, table=1, played=state.played + effect.cards, winner=effect.winner
    )


def pearl_added(state: State, effect: PearlAdded) -> State:
    pearls = tuple(old - (seat == effect.seat) for seat, old in enumerate(state.pearls))
    return replace(state, pearls=pearls, table=state.table + 1)


def apply_passed(state: State, effect: Passed) -> State:
    return replace(state, winner=None, round=state.round + 1)


def apply_counted(state: State, effect: Counted) -> State:
    points = tuple(old + more for old, more in zip(state.points, effect.points, strict=True))
    return replace(state, points=points, is_counted=True)


EVOLVE: Final[Mapping[type[Any], Callable[[State, Any], State]]] = {
    Dealt: apply_dealt,
    Chosen: apply_chosen,
    Revealed: apply_revealed,
    PearlAdded: pearl_added,
    Passed: apply_passed,
    Counted: apply_counted,
}


def evolve(state: State | None, effect: Effect) -> State:
    if isinstance(effect, PearlsRolled):
        seats = len(effect.pips)
        return State(((),) * seats, (None,) * seats, effect.pips, (0,) * seats)
    assert state is not None
    return EVOLVE[type(effect)](state, effect)


def view(state: State, seat: Seat | None) -> View:
    return View(
        seat=seat,
        hand=() if seat is None or seat == SERVICE_SEAT else state.hands[seat],
        hand_counts=tuple(len(hand) for hand in state.hands),
        own_choice=None if seat is None or seat == SERVICE_SEAT else state.chosen[seat],
        has_chosen=tuple(card is not None for card in state.chosen),
        pearls=state.pearls,
        points=state.points,
        played=state.played,
        table=state.table,
        round=state.round,
        winner=state.winner,
        is_counted=state.is_counted,
    )


def imagine(view: View, chance: Chance) -> State:
    """Return a state with hands and choices drawn from the cards that the view does not show."""
    known = (view.hand,), view.played, (view.own_choice,)
    unseen = list(chance.draw("unseen", pool(*known), len(pool(*known))))
    hands, choices = [], list[int | None]()
    for seat, (count, has_chosen) in enumerate(zip(view.hand_counts, view.has_chosen, strict=True)):
        is_own = seat == view.seat
        hands.append(view.hand if is_own else tuple(unseen.pop() for _ in range(count)))
        choices.append(view.own_choice if is_own else unseen.pop() if has_chosen else None)
    return State(
        hands=tuple(hands),
        chosen=tuple(choices),
        pearls=view.pearls,
        points=view.points,
        played=view.played,
        table=view.table,
        round=view.round,
        drawn_count=len(hands) * view.round,
        winner=view.winner,
        is_counted=view.is_counted,
    )


def why_not(_state: State, _seat: Seat, _part: str) -> Refusal | None:
    """Return None: the toy has no picture, so no part of it can be selected."""
    return None


def describe(view: View, action: Action) -> Message:
    return Message(type(action).__name__)


def narrate(view: View, effects: tuple[Effect, ...]) -> tuple[Message, ...]:
    return tuple(Message(type(effect).__name__) for effect in effects)


def phase(state: State) -> str:
    return f"{state.round}/{'pearls' if state.winner is not None else 'cards'}"


def open_scores(state: State) -> tuple[int, ...]:
    return scores(state)


def scores(state: State) -> tuple[int, ...]:
    return state.points


def ranking(state: State) -> tuple[int, ...] | None:
    if not state.is_counted:
        return None
    return tuple(1 + sum(other > mine for other in state.points) for mine in state.points)
