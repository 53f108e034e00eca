"""Two helpers of one owner that answer the same event: all that comes of either order, and all that comes of play."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from operator import attrgetter
from typing import Any, Final, NamedTuple

from domain.kernel.chance import SeededChance
from domain.kernel.rules import HOUSE
from domain.kernel.values import replace
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.cards import CARDS, Card
from domain.titles.la_granja.components import BUILDINGS
from domain.titles.la_granja.decide import settle_all
from domain.titles.la_granja.effects import Effect
from domain.titles.la_granja.helpers import HELPERS, reactions
from domain.titles.la_granja.state import State
from tests.domain.titles.la_granja.table import A, B, cell_at, has, holds, laid, loaded, step, stocked, table

MARKERS: Final = 25
NUMBER: Final = attrgetter("card")
EDITIONS: Final = ("deluxe", "original")


class Moment(NamedTuple):
    """An event of the seat A, with what must have happened before it and the step it happens in."""

    name: str
    event: Effect
    before: tuple[Any, ...] = ()
    step: str = "first_dice"
    rounds: tuple[int, ...] = (3,)


def moments() -> Iterator[Moment]:
    """Everything that helpers answer."""
    upgradeable = has(A, olive=1, pig=1)
    row = BUILDINGS[2].row
    nearly = (*upgradeable, *stocked(A, 2, row, 0, 2), *has(A, wine=1, vp=2), holds(A, 9), e.SiestaAdvanced(A, 1))
    for pips in range(1, 7):
        yield Moment(f"die {pips} chosen", e.DieResolved(A, pips, "chosen"), nearly, rounds=(1, 2, 3, 4, 5, 6))
        yield Moment(f"die {pips} last", e.DieResolved(A, pips, "last"), nearly)
    for good, card in (("olive", 9), ("wine", 48), ("meat", 33), ("pig", 2)):
        place = "pen" if good == "pig" else "store"
        event = e.Delivered(A, good, place, 0, card, CARDS[card].barrow.goods.index(good), 2)
        yield Moment(f"delivered {good}", event, (*laid(A, "barrow", card), *has(A, **{good: 1})))
    rivals = [e.StallPlaced(B, cell_at(2, -1, 0))]
    for removed in (0, 1):
        settled = e.StallSettled(A, cell_at(2, 0, -1), removed)
        yield Moment(f"settled {removed}", settled, (*rivals, e.StallPlaced(A, settled.cell)))
    cell = cell_at(2, 0, 0)
    yield Moment("robbed", e.StallRemoved(B, cell, A), (e.StallPlaced(A, cell),))
    yield Moment("barrow", e.BarrowCompleted(A, 1), (*laid(A, "barrow", 1), *loaded(A, 1, "olive", "grape")))
    yield Moment("building", e.BuildingCompleted(A, 2), tuple(stocked(A, 2, row, 0, 1, 2)))
    yield Moment("field", e.CardPlayed(A, 9, "field", "grain"), (holds(A, 9),))
    yield Moment("roof", e.RoofBought(A, "D11", 0), (e.RoofsRevealed(("D11",)),), "roofs")
    for resource, good in (("olive", "food"), ("grape", "wine")):
        yield Moment(
            f"upgrade {resource}", e.ResourceUpgraded(A, resource, "store", good, 0), tuple(has(A, **{resource: 1}))
        )
    for moment, name in (("grown", "growth"), ("advancing", "siesta"), ("delivered", "free_deliveries")):
        fields = laid(A, "field", 9) if moment == "grown" else has(A, silver=2)
        yield Moment(moment, e.MomentReached(A, moment, 1), tuple(fields), name)
    for name in ("roll", "market_scoring", "siesta_scoring"):
        stalls = [e.StallPlaced(A, each) for each in range(3)]
        yield Moment(name, step(name, round=3), (*stalls, e.SiestaAdvanced(A, 3)), name)


def position(moment: Moment, lying: Sequence[int], round: int, edition: str = "deluxe", spare: int = MARKERS) -> State:
    """The position right after the event, with so many markers left at most."""
    before = [*laid(A, "helper", *lying), *moment.before]
    reached = table(*before, step(moment.step, round=round), edition=edition).state
    filler = reached.farms[A].markers - spare
    if filler > 0:
        reached = la_granja.evolve(reached, e.GoodGained(A, "meat", filler, "store", "test"))
    return la_granja.evolve(reached, moment.event)


def follow(state: State, caused: Sequence[Effect]) -> State:
    """The position in which somebody is asked."""
    for effect in settle_all(state, tuple(caused), SeededChance(bytes(32))):
        state = la_granja.evolve(state, effect)
    return state


def ends(state: State, seen: set[State]) -> Iterator[State]:
    """Every position in which all that was begun is finished; `seen` are those that were asked on the way."""
    waiting = [state]
    found = set[State]()
    while waiting:
        asked = waiting.pop()
        if asked in found or asked in seen:
            continue
        (seat,) = la_granja.seats_to_act(asked)
        if seat == HOUSE:
            found.add(asked)
            yield asked
            continue
        seen.add(asked)
        for action in la_granja.legal_actions(asked, seat):
            after = asked
            for effect in la_granja.decide(asked, seat, action, SeededChance(bytes(32))):
                after = la_granja.evolve(after, effect)
            waiting.append(after)


def answer(state: State, event: Effect, card: Card) -> Sequence[Effect]:
    """What this helper alone adds to the event, if it still lies there and is not exhausted."""
    react = HELPERS[card.helper.kind].reacts.get(type(event))
    lies = any(each.card == card.number and not each.exhausted for each in state.farms[A].helpers)
    works = {"any", la_granja.phase(state).split("/")[1]} & set(card.helper.phases)
    return react(state, A, card, event) if react and lies and works else ()


def in_this_order(state: State, event: Effect, first: int, second: int) -> set[State]:
    """All that can come of it when one helper has done everything before the other begins."""
    halfway = ends(follow(state, answer(state, event, CARDS[first])), set())
    return {end for each in halfway for end in ends(follow(each, answer(each, event, CARDS[second])), set())}


def as_played(state: State, event: Effect) -> tuple[set[State], set[State]]:
    """All that can come of it as the rules play it, and the positions in which somebody was asked."""
    seen = set[State]()
    return set(ends(follow(state, reactions(state, event)), seen)), seen


def outcomes(found: set[State]) -> set[State]:
    """The positions, with the helpers of each farm in the order of their numbers."""
    return {
        replace(
            state, farms=tuple(replace(farm, helpers=tuple(sorted(farm.helpers, key=NUMBER))) for farm in state.farms)
        )
        for state in found
    }


def answering(moment: Moment) -> tuple[int, ...]:
    """The helpers that have something to say to the event."""
    return tuple(
        number
        for number, card in CARDS.items()
        if answer(position(moment, (number,), moment.rounds[0]), moment.event, card)
    )


def pairs() -> Iterator[tuple[Moment, int, int]]:
    """Every two helpers that answer the same event."""
    for moment in moments():
        for first, second in combinations(answering(moment), 2):
            yield moment, first, second


def asks_for_the_order(asked: set[State], first: int, second: int) -> bool:
    """Whether the owner is asked which of the two comes first."""
    both = {a.UseHelper(first), a.UseHelper(second)}
    return any(both <= set(la_granja.legal_actions(state, A)) for state in asked)
