"""Bots choose legal actions deterministically, and the greedy bot plays to win."""

from collections import Counter
from dataclasses import replace
from typing import Any, Final

import pytest

from domain.kernel.chance import SeededChance
from domain.kernel.hidden import Hidden
from domain.kernel.rules import Seat
from domain.matches.play.in_memory import play_to_end, seeded_origins, table_of_bots
from domain.matches.seats.bots import can_play
from domain.titles import TITLES, la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja import effects as e
from tests.domain.titles.la_granja.table import (
    A,
    B,
    give_craft_markers,
    give_goods,
    lay_cards,
    lay_table,
    load_barrow,
    step,
)
from tests.scenario import Position
from tests.seeding import example_count
from workers.bots import BOTS, build_bots
from workers.bots.evaluation import load_evaluations

RULES_OF_IT: Final = TITLES["la_granja"].rules
GAME: Final = TITLES["la_granja"]
SEED: Final = bytes(32)


def choice(position: Position, bot: str = "greedy", seed: bytes = SEED, seat: Seat = A, **options: Any) -> Any:
    """Return the bot's choice in the position."""
    view, legal = la_granja.view(position.state, seat), position.legal(seat)
    return BOTS[bot].choose(RULES_OF_IT, view, legal, seed, **options)


def winners(bots: tuple[str, ...], number: int) -> list[str]:
    """Return the winners of a seeded match of these bots."""
    table = table_of_bots(GAME, [BOTS[bot].actor for bot in bots], {}, seeded_origins(number.to_bytes(4, "big")))
    log = play_to_end(table, {BOTS[bot].actor: BOTS[bot].choose for bot in bots})
    ranking = la_granja.ranking(log.match.state)
    assert ranking is not None
    return [bot for bot, rank in zip(bots, ranking, strict=True) if rank == 1]


def test_bots_are_known_by_name_and_version() -> None:
    assert {name: kind.actor for name, kind in BOTS.items()} == {
        "gentle": "bot:gentle@1",
        "greedy": "bot:greedy@2",
        "random": "bot:random@1",
        "search-quick": "bot:search-quick@5",
        "search-steady": "bot:search-steady@6",
        "search-strong": "bot:search-strong@6",
    }


WEIGHTS: Final = load_evaluations(TITLES)


def test_exactly_the_judged_titles_have_weights() -> None:
    assert set(WEIGHTS) == {name for name, title in TITLES.items() if title.is_judged}


@pytest.mark.parametrize("title", sorted(WEIGHTS))
def test_every_part_of_an_evaluation_has_a_word(title: str) -> None:
    assert tuple(TITLES[title].judged_words) == WEIGHTS[title].names


OPENING: Final = lay_table(
    step("cards", t.CardStep(A, plays=2)), give_goods(A, silver=9, vp=3, olive=1, trade_commodity=1)
)


def test_random_takes_every_legal_action_about_as_often_as_any_other() -> None:
    legal = OPENING.legal(A)
    counts = Counter(choice(OPENING, "random", number.to_bytes(32, "big")) for number in range(100 * len(legal)))

    assert set(counts) == set(legal)
    assert min(counts.values()) > 60
    assert max(counts.values()) < 150


@pytest.mark.parametrize("bot", sorted(BOTS))
def test_same_view_seed_and_budget_same_action(bot: str) -> None:
    assert {choice(OPENING, bot, budget=50) for _ in range(3)} == {choice(OPENING, bot, budget=50)}


class Counting:
    """The rules with a counter of decisions."""

    def __init__(self) -> None:
        self.decision_count = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(la_granja, name)

    def decide(self, state: Any, seat: Seat, action: Any, chance: SeededChance) -> Any:
        self.decision_count += 1
        return la_granja.decide(state, seat, action, chance)


@pytest.mark.parametrize("budget", [1, 40, 300])
def test_the_budget_limits_tried_actions(budget: int) -> None:
    """Each legal action may be tried once in any case."""
    position = lay_table(
        step("first_dice", t.DieResolution(A, pips=5)), give_goods(A, silver=20, vp=3, olive=3, grape=2, pig=2)
    )
    rules: Any = Counting()
    legal = position.legal(A)

    BOTS["greedy"].choose(rules, la_granja.view(position.state, A), legal, SEED, budget)

    assert rules.decision_count <= max(budget, len(legal))


def test_a_single_legal_action_is_taken_without_search() -> None:
    position = lay_table(step("first_dice", t.DieChoice(A)), e.DiceRolled((3,)))
    rules: Any = Counting()

    action = BOTS["greedy"].choose(rules, la_granja.view(position.state, A), position.legal(A), SEED)

    assert (action, rules.decision_count) == (a.TakeDie(3), 0)


def test_greedy_completes_a_barrow_when_it_can() -> None:
    position = lay_table(
        step("free_deliveries", t.DeliveryStep(A, left=1)),
        lay_cards(A, "barrow", 1),
        load_barrow(A, 1, "olive"),
        give_goods(A, grape=1, silver=3),
    )

    assert choice(position) == a.DeliverToBarrow("grape", "store", 1)


def test_greedy_places_a_stall_where_it_removes_others() -> None:
    """LG-6.4.2: each marker removed is 1 VP."""
    position = lay_table(step("free_deliveries", t.StallChoice(A, 5)), e.StallPlaced(B, 8), e.StallPlaced(B, 12))

    action = choice(position)
    removed = [effect for effect in position.when(A, action).effects if isinstance(effect, e.StallRemoved)]

    removed_max = max(
        sum(isinstance(effect, e.StallRemoved) for effect in position.when(A, other).effects)
        for other in position.legal(A)
    )
    assert len(removed) == removed_max > 0


def test_greedy_stops_when_nothing_is_to_gain() -> None:
    """With nothing to gain, the bot closes the window instead of dithering."""
    position = lay_table(step("last_die", t.DieWindow(A)), give_goods(A, silver=3))

    assert choice(position) == a.Pass()


def test_greedy_chooses_hats_when_it_has_nothing_to_deliver() -> None:
    position = lay_table(step("donkeys", t.DonkeyChoice(A), t.DonkeyChoice(B)))

    assert choice(position) == a.ChooseDonkey(1)


def test_greedy_values_the_lasting_sides_of_buildings() -> None:
    """LG-6.2.5: they work for the rest of the match."""
    plain, with_crafts = lay_table(), lay_table(give_craft_markers(A, 1, 2, 3, 4, 5, 6))

    worth = WEIGHTS["la_granja"].worth
    assert worth(with_crafts.state, A) > worth(plain.state, A)


def test_a_bot_sees_only_its_view() -> None:
    """Non-interference: other hidden cards, same choice."""
    position = lay_table(
        step("cards", t.CardStep(A)), give_goods(A, silver=5), e.CardsDrawn(A, 2, hidden_cards(A, 3, 7))
    )
    other_hand = e.CardsDrawn(B, 2, hidden_cards(B, 11, 12))
    another_hand = e.CardsDrawn(B, 2, hidden_cards(B, 40, 41))

    first = Position(la_granja, la_granja.evolve(position.state, other_hand))
    second = Position(la_granja, la_granja.evolve(position.state, another_hand))

    for bot in BOTS:
        assert choice(first, bot) == choice(second, bot)


def hidden_cards(seat: Seat, *cards: int) -> Any:
    return Hidden(cards, (seat,))


@pytest.mark.parametrize("quarter", range(example_count(1, 4)))
def test_greedy_beats_random_in_95_of_100(quarter: int) -> None:
    """Seats alternate; shared victories do not count. Each quarter allows for one loss."""
    wins = 0
    for number in range(quarter * 25, quarter * 25 + 25):
        bots = ("greedy", "random") if number % 2 else ("random", "greedy")
        wins += winners(bots, number) == ["greedy"]

    assert wins >= 24


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_bots_finish_a_match_among_themselves(seats: int) -> None:
    assert winners(("greedy",) * seats, seats)


@pytest.mark.parametrize("title", sorted(TITLES))
@pytest.mark.parametrize("bot", sorted(BOTS))
def test_the_service_seats_a_bot_where_the_workers_can_play_it(bot: str, title: str) -> None:
    """`domain.matches.seats.bots` decides before a seat is taken whether the workers can play it."""
    assert can_play(TITLES[title], BOTS[bot].actor) == BOTS[bot].can_play(title)


@pytest.mark.parametrize("bot", sorted(BOTS))
def test_bots_that_need_an_evaluation_cannot_play_without_it(bot: str) -> None:
    unjudged = replace(TITLES["la_granja"], is_judged=False)

    assert can_play(unjudged, BOTS[bot].actor) == build_bots(TITLES, {})[bot].can_play("la_granja")
