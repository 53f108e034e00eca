"""Search bots are deterministic, stop in time, win, and evaluate from views only."""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from domain.kernel.chance import SeededChance
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.matches.play.in_memory import play_to_end, seeded_origins, table_of_bots
from domain.matches.seats.bots import SEARCHING
from domain.titles import TITLES
from domain.titles.el_grande.components import SCORING_ROUNDS
from ops.cli import main
from tests.seeding import example_count, one_in
from workers.bots import BOTS
from workers.bots.evaluation import Judgement, load_evaluations
from workers.bots.kinds import never
from workers.bots.race import Tried
from workers.bots.rollouts import Rollouts
from workers.bots.search import LEVELS, Search

EVALUATIONS: Final = load_evaluations(TITLES)
SEED: Final = bytes(32)
FEW: Final = 200
"""Tries, in tests that are not about strength."""
VARIANTS: Final = [
    (title, seats, dict(options))
    for title, options in (
        ("el_grande", ()),
        ("el_grande", (("veterans", "all"), ("new_regency", "yes"), ("shift_of_power", "yes"))),
        ("la_granja", ()),
        ("la_granja", (("edition", "original"), ("extra_deliveries", "at_once"))),
    )
    for seats in range(
        TITLES[title].rules.options(dict(options)).seats_min, TITLES[title].rules.options(dict(options)).seats_max + 1
    )
]


def positions(title: str, seats: int, options: dict[str, str], number: int) -> Iterator[tuple[Any, Seat]]:
    """Yield the positions of a random match, each with a seat to act."""
    rules, luck, chance = TITLES[title].rules, random.Random(number), SeededChance(number.to_bytes(32, "big"))
    state: Any = None
    for effect in rules.start(rules.options(options), seats, chance):
        state = rules.evolve(state, effect)
    while to_act := rules.seats_to_act(state):
        seat = luck.choice(to_act)
        legal = rules.legal_actions(state, seat)
        if seat != SERVICE_SEAT:
            yield state, seat
        for effect in rules.decide(state, seat, luck.choice(legal), chance):
            state = rules.evolve(state, effect)


@pytest.mark.parametrize(("title", "seats", "options"), one_in(2, VARIANTS, "searched variants"))
def test_states_and_positions_imagined_from_their_views_are_evaluated_alike(
    title: str, seats: int, options: dict[str, str]
) -> None:
    """Evaluations use only information in the view, so no bot gains from hidden information."""
    rules, weights = TITLES[title].rules, EVALUATIONS[title]
    for number in range(2):
        for step, (state, _) in enumerate(positions(title, seats, options, number)):
            for seat in map(Seat, range(seats)):
                imagined = rules.imagine(rules.view(state, seat), SeededChance(step.to_bytes(32, "big")))
                parts = weights.parts_of(state, seat)
                assert weights.parts_of(imagined, seat) == parts, f"match {number}, step {step}, seat {seat}"
                assert sum(parts) == weights.worth(state, seat) == weights.worth(imagined, seat)


@pytest.mark.parametrize("title", sorted(TITLES))
def test_learnt_weights_match_the_parts(title: str) -> None:
    weights = EVALUATIONS[title]

    assert len(weights.names) == len(weights.parts_of(next(positions(title, 2, {}, 1))[0], Seat(0)))
    if weights.judgement is not None:
        assert (weights.judgement.title, weights.judgement.names) == (title, weights.names)
        assert weights.judgement.provenance["rules"] == str(TITLES[title].rules.RULES_VERSION)


def test_learnt_weights_are_thousandths_and_missing_ones_count_fully() -> None:
    learnt = Judgement("toy", ("a", "b"), {"2/1": (2_000, 500)}, {})

    assert learnt.judge((10, -3), seats=2, stage=1) == 18
    assert learnt.judge((10, -3), seats=3, stage=1) == learnt.judge((10, -3), seats=2, stage=0) == 7


@pytest.mark.parametrize(("title", "seats", "options"), one_in(2, VARIANTS, "searched variants"))
def test_search_plays_only_legal_actions(title: str, seats: int, options: dict[str, str]) -> None:
    rules, choose = TITLES[title].rules, BOTS["search-quick"].choose
    for step, (state, seat) in enumerate(positions(title, seats, options, 3)):
        if step % 12 == 0:
            legal = rules.legal_actions(state, seat)
            assert choose(rules, rules.view(state, seat), legal, SEED, 40) in legal


@pytest.mark.parametrize("title", sorted(TITLES))
def test_the_same_view_seed_and_budget_make_the_same_choice(title: str) -> None:
    rules, choose = TITLES[title].rules, BOTS["search-strong"].choose
    for step, (state, seat) in enumerate(positions(title, 2, {}, 5)):
        if step % 40 == 0:
            view, legal = rules.view(state, seat), rules.legal_actions(state, seat)
            assert choose(rules, view, legal, SEED, FEW) == choose(rules, view, legal, SEED, FEW)


@pytest.mark.parametrize("title", sorted(TITLES))
def test_compared_actions_start_with_the_choice(title: str) -> None:
    rules, search = TITLES[title].rules, Search(EVALUATIONS, LEVELS["search-quick"])
    state, seat = next(each for each in positions(title, 2, {}, 1) if len(rules.legal_actions(*each)) > 5)
    view, legal = rules.view(state, seat), rules.legal_actions(state, seat)

    compared = search.compare(rules, view, legal, SEED, FEW)

    assert compared[0].action == search(rules, view, legal, SEED, FEW)
    assert len({each.action for each in compared}) == len(compared) <= LEVELS["search-quick"].width
    assert {each.action for each in compared} <= set(legal)


def last_turns(rounds: int) -> Iterator[tuple[Any, Seat]]:
    """Yield positions of El Grande in which only this seat acts in the rest of a round without a general scoring."""
    for number in range(rounds):
        for state, seat in positions("el_grande", 3, {}, number):
            is_last = state.step == "turn" and state.turn == len(state.order) - 1 and not state.vetoes
            if is_last and state.round_index + 1 not in SCORING_ROUNDS and not state.drafting:
                yield state, seat


def test_nested_rollouts_beat_choices_at_first_sight() -> None:
    """Nested rollouts take the best candidate, including the best at first sight.

    Without other seats to act that is never worse, except that a few action cards involve other seats.
    """
    rules, weights = TITLES["el_grande"].rules, EVALUATIONS["el_grande"]
    gains = []
    for state, seat in last_turns(example_count(4, 30)):
        plain, nested = (Rollouts(rules, weights, seat, 1, choices) for choices in (1, 3))
        gains += [
            nested.worth_after(state, action, SEED) - plain.worth_after(state, action, SEED)
            for action in rules.legal_actions(state, seat)[:6]
        ]
        assert nested.tries >= plain.tries

    assert sum(gain < 0 for gain in gains) * 20 < sum(gain > 0 for gain in gains)
    assert sum(gains) > 0


def test_a_rollout_is_nested_until_its_share_of_tries_is_spent() -> None:
    """After its share of tries, a nested rollout equals a rollout by the small greedy from the start."""
    rules, weights = TITLES["el_grande"].rules, EVALUATIONS["el_grande"]
    tries = {"plain": 0, "never": 0, "some": 0, "always": 0}
    for state, seat in (each for each in positions("el_grande", 4, {}, 2) if each[0].step == "turn"):
        rollouts = {
            "plain": Rollouts(rules, weights, seat, 1),
            "never": Rollouts(rules, weights, seat, 1, choices=3, nested_tries=0),
            "some": Rollouts(rules, weights, seat, 1, choices=3, nested_tries=FEW),
            "always": Rollouts(rules, weights, seat, 1, choices=3),
        }
        action = rules.legal_actions(state, seat)[0]
        values = {name: each.worth_after(state, action, SEED) for name, each in rollouts.items()}
        assert values["never"] == values["plain"]
        assert values["some"] == values["always"] or rollouts["always"].tries > FEW
        tries = {name: tries[name] + each.tries for name, each in rollouts.items()}

    assert tries["plain"] == tries["never"] < tries["some"] < tries["always"]


def test_actions_are_compared_in_common_positions() -> None:
    long, short, untried = Tried("a", (100, 200, 900)), Tried("b", (150, 100)), Tried("c", ())

    assert (long.mean, short.mean, untried.mean) == (400, 125, 0)
    assert (long.lead_over(short), short.lead_over(long), long.lead_over(untried)) == (25, -25, 0)


class Impatient:
    """Returns True after a number of calls."""

    def __init__(self, patience: int) -> None:
        self.call_count = 0
        self._patience = patience

    def __call__(self) -> bool:
        self.call_count += 1
        return self.call_count > self._patience


@pytest.mark.parametrize("title", sorted(TITLES))
@pytest.mark.parametrize("patience", [0, 1, 7, 40])
def test_a_late_search_returns_the_best_so_far(title: str, patience: int) -> None:
    rules, choose = TITLES[title].rules, BOTS["search-strong"].choose
    state, seat = next(each for each in positions(title, 2, {}, 1) if len(TITLES[title].rules.legal_actions(*each)) > 3)
    is_late = Impatient(patience)

    action = choose(rules, rules.view(state, seat), legal := rules.legal_actions(state, seat), SEED, 100_000, is_late)

    assert action in legal
    assert patience < is_late.call_count <= patience + 4


def test_levels_match_the_time_limits_of_the_service() -> None:
    """`domain.matches.seats.bots` has the time limit of each level."""
    assert {name: BOTS[name].milliseconds for name in LEVELS} == dict(SEARCHING)
    assert sorted(SEARCHING.values()) == list(SEARCHING.values())
    for tries in ([level.tries for level in LEVELS.values()], [level.tries_with_playoff for level in LEVELS.values()]):
        assert tries == sorted(set(tries))
    assert list(LEVELS) == list(SEARCHING)


@pytest.mark.parametrize(("title", "stages"), [("el_grande", 1), ("la_granja", 2)])
def test_search_depth_is_limited_by_level_and_title(title: str, stages: int) -> None:
    rules, steady = TITLES[title].rules, LEVELS["search-steady"]
    outline = EVALUATIONS[title].outline
    assert outline is not None
    unlimited = msgspec.structs.replace(EVALUATIONS[title], outline=msgspec.structs.replace(outline, stages_max=3))
    limited = Search({title: unlimited}, msgspec.structs.replace(steady, stages=stages))
    state, seat = next(each for each in positions(title, 2, {}, 1) if len(rules.legal_actions(*each)) > 5)
    view, legal = rules.view(state, seat), rules.legal_actions(state, seat)

    results, expected = (
        search.compare(rules, view, legal, SEED, FEW) for search in (Search(EVALUATIONS, steady), limited)
    )

    assert [(each.action, each.worths) for each in results] == [(each.action, each.worths) for each in expected]


def test_choices_have_no_time_limit_by_default() -> None:
    assert not never()


@pytest.mark.walk
def test_quick_search_ends_ahead_of_greedy() -> None:
    """Deals of the short game, each from both seats, compared by total points, because a few matches prove little.

    For the strength see the ladder in `docs/develop/bots.md`.
    """
    search, greedy = BOTS["search-quick"], BOTS["greedy"]
    margins = []
    for number in range(example_count(2, 6)):
        for bots in ((search, greedy), (greedy, search)):
            table = table_of_bots(
                TITLES["el_grande"], [bot.actor for bot in bots], {"short": "yes"}, seeded_origins(bytes((number,)))
            )
            scores = play_to_end(table, {bot.actor: bot.choose for bot in bots}).match.state.scores
            margins.append(scores[bots.index(search)] - scores[bots.index(greedy)])

    assert sum(margins) > 0, margins


BURN: Final = "while True: pass"


@pytest.mark.walk
def test_a_seeded_match_of_searching_bots_has_the_same_bytes_under_load(tmp_path: Path) -> None:
    """Under CPU load the log is the same, because time does not affect choices."""
    arguments = [
        "play",
        "--title",
        "el_grande",
        "--bots",
        "search-quick,greedy",
        "--option",
        "short=yes",
        "--seed",
        "07",
    ]
    assert main([*arguments, "--out", str(tmp_path / "calm.jsonl")]) == 0
    processes = [subprocess.Popen([sys.executable, "-c", BURN]) for _ in range(2)]
    try:
        assert main([*arguments, "--out", str(tmp_path / "busy.jsonl")]) == 0
    finally:
        for process in processes:
            process.kill()
            process.wait()

    assert (tmp_path / "calm.jsonl").read_bytes() == (tmp_path / "busy.jsonl").read_bytes()
