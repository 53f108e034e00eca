"""Find puzzles in bot matches: a quick analysis selects positions, a deep one decides, a deeper one confirms."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from domain.analyses.report import DEEP, DEEPEST, SCREEN, STANDARD, VERSION, Budget, interval_of
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.title import Titles
from domain.matches.aggregate import bot_seed, legal_actions, seats_to_act, view
from domain.matches.facts import SERVICE
from domain.matches.log.entries import Entry
from domain.matches.play.in_memory import MatchLog, seeded_origins, table_of_bots
from domain.puzzles.puzzle_file import PlayedMatch, Puzzle, Reason
from workers.analyses.engine import Evaluation, list_reasons
from workers.analyses.matches import Moment, encode, evaluate_moment, is_decision, line_from, moments, seed_of
from workers.bots import Bots
from workers.bots.evaluation import Evaluations, Weights
from workers.bots.rollouts import Rollouts

CHOICES: Final = (3, 24)
"""Bounds of the number of legal actions in a puzzle."""
GAP: Final = 500
"""Least advantage of the best choice over the second, as a chance to win."""
DEEP_POSITIONS_MAX: Final = 16
"""Positions per match that are analysed deeply, by the largest gaps of the quick analysis.

The match and its quick analysis take most of the time, and about half of the deep analyses yield a puzzle. More
positions of a single match would be too similar.
"""
REASONS: Final = 2
EASY, MIDDLE, HARD = 1_200, 1_500, 1_800
LINE_UPS: Final = ("greedy", "search-quick")
ENGINE: Final = "analysis"
"""Key of the analysis's version among the versions of bots."""


class WantedPuzzles(msgspec.Struct, frozen=True):
    """The parameters of a search. Searches with equal parameters find the same puzzles."""

    title: str
    matches: int
    seed: str
    bots: tuple[str, ...]
    """The bots that play the matches."""
    versions: Mapping[str, int]


def current_parameters(bots: Bots, title: str, matches: int, seed: str) -> WantedPuzzles:
    """Create the parameters with the current versions."""
    versions = {name: bots[name].version for name in LINE_UPS} | {ENGINE: VERSION}
    return WantedPuzzles(title, matches, seed, LINE_UPS, versions)


class FoundPuzzle(msgspec.Struct, frozen=True):
    """A puzzle, and whether an analysis with the standard budget finds its solution."""

    puzzle: Puzzle
    standard: bool


class SearchedMatch(msgspec.Struct, frozen=True):
    """A searched match; `looked` is the number of deeply analysed positions."""

    number: int
    match: PlayedMatch
    looked: int
    puzzles: tuple[FoundPuzzle, ...]


def search_match(
    titles: Titles, bots: Bots, evaluations: Evaluations, plan: WantedPuzzles, number: int
) -> SearchedMatch:
    """Play the match with this number and search it for puzzles."""
    match, log = play(titles, bots, plan.title, f"{plan.seed}/{number}".encode(), number)
    weights = evaluations[plan.title]
    puzzles, position_count = list[FoundPuzzle](), 0
    for moment in screen_positions(titles, weights, log.entries):
        position_count += 1
        puzzle = puzzle_at(weights, moment, match.head)
        if puzzle is not None:
            puzzles.append(FoundPuzzle(rate_puzzle(bots, puzzle, moment), is_found(weights, puzzle, moment, STANDARD)))
    return SearchedMatch(number, match, position_count, tuple(puzzles))


def play(titles: Titles, bots: Bots, title: str, seed: bytes, number: int) -> tuple[PlayedMatch, MatchLog]:
    """Play a match of two to four bots; return it with the indices of its actions, which replay it."""
    seats = 2 + number % 3
    names = [LINE_UPS[(seat + number) % len(LINE_UPS)] for seat in range(seats)]
    actors, choices = [bots[name].actor for name in names], list[int]()
    table = table_of_bots(titles[title], actors, {}, seeded_origins(seed))
    while not table.match.is_over:
        seat = seats_to_act(table.match)[0]
        legal = legal_actions(table.match, seat)
        action = legal[0]
        if seat != SERVICE_SEAT:
            choose = bots[names[seat]].choose
            action = choose(table.match.definition.rules, view(table.match, seat), legal, bot_seed(table.match, seat))
        choices.append(legal.index(action))
        table.act(seat, SERVICE if seat == SERVICE_SEAT else actors[seat], action)
    match = table.match
    match_record = PlayedMatch(title, seed.hex(), tuple(actors), tuple(choices), match.head, match.format)
    return match_record, table.log


def screen_positions(titles: Titles, weights: Weights, entries: Sequence[Entry]) -> list[Moment]:
    """Return positions with `CHOICES` actions and the largest gaps in a quick analysis, largest first.

    At most `DEEP_POSITIONS_MAX`; gaps below `GAP` are left out.
    """
    gaps: list[tuple[int, int, Moment]] = []
    for moment in moments(titles, entries, 1, len(entries)):
        if not is_decision(moment) or not CHOICES[0] <= len(legal_of(moment)) <= CHOICES[1]:
            continue
        gap = gap_of(evaluate_moment(weights, moment, SCREEN))
        if gap >= GAP:
            gaps.append((-gap, moment.entry, moment))
    return [moment for _, _, moment in sorted(gaps, key=lambda each: each[:2])[:DEEP_POSITIONS_MAX]]


def legal_of(moment: Moment) -> tuple[Any, ...]:
    """Return the legal actions at a moment."""
    legal: tuple[Any, ...] = moment.before.definition.rules.legal_actions(moment.before.state, Seat(moment.fact.seat))
    return legal


def gap_of(evaluation: Evaluation) -> int:
    """Return the best action's advantage over every other analysed action."""
    best = evaluation.best
    return min((best.chance - each.chance for each in evaluation.actions[1:]), default=0)


def is_clear(evaluation: Evaluation) -> bool:
    """Return whether one action is clearly better than all others, and beyond the error of the comparison."""
    best, rival = evaluation.best, evaluation.actions[1]
    interval = interval_of(evaluation.error_against(rival.action), min(best.count, rival.count))
    return gap_of(evaluation) >= GAP and best.chance - rival.chance > interval


def second_of(evaluation: Evaluation) -> Any:
    """Return the best action's rival with the greatest chance."""
    return max(evaluation.actions[1:], key=lambda each: (each.chance, each.margin))


def postponing_actions(weights: Weights, moment: Moment, best: object) -> tuple[Any, ...]:
    """Return the actions after which the best one can still follow; they may be mere reorderings of the solution."""
    rules, state, seat = moment.before.definition.rules, moment.before.state, Seat(moment.fact.seat)
    rollouts, seed = Rollouts(rules, weights, seat, stages=1), seed_of(moment.before, moment.entry)
    return tuple(each for each in legal_of(moment) if each != best and rollouts.may_follow(state, each, seed, best))


def puzzle_at(weights: Weights, moment: Moment, head: str) -> Puzzle | None:
    """Return the puzzle of a position, with a rating of 0, or None.

    Both analyses must agree on the solution, and its advantage must be explainable. The second one also covers every
    action that only postpones the best one.
    """
    first = evaluate_moment(weights, moment, DEEP)
    if not is_clear(first):
        return None
    second_evaluation = evaluate_moment(
        weights, moment, DEEPEST, postponing_actions(weights, moment, first.best.action)
    )
    if not is_clear(second_evaluation) or second_evaluation.best.action != first.best.action:
        return None
    best, second, match = second_evaluation.best, second_of(second_evaluation), moment.before
    rules = match.definition.rules
    reasons = list_reasons(
        rules,
        weights,
        rules.view(match.state, Seat(moment.fact.seat)),
        seed_of(match, moment.entry),
        (best.action, second.action),
        DEEPEST,
    )
    if not reasons:
        return None
    name = hashlib.sha256(f"{head}/{moment.entry}".encode()).hexdigest()[:12]
    return Puzzle(
        id=name,
        match=head,
        entry=moment.entry - 1,
        seat=moment.fact.seat,
        best=encode(best.action),
        chance=best.chance,
        second_chance=second.chance,
        margin=best.margin,
        second_margin=second.margin,
        error=second_evaluation.error_against(second.action),
        rating=0,
        line=line_from(weights, moment, best.action),
        reasons=tuple(Reason(part, points) for part, points in reasons[:REASONS]),
    )


def rate_puzzle(bots: Bots, puzzle: Puzzle, moment: Moment) -> Puzzle:
    """Return the puzzle rated by the weakest bot that finds the solution; many actions and a small gap raise it."""
    match, seat = moment.before, Seat(moment.fact.seat)
    rules, legal = match.definition.rules, legal_of(moment)
    seat_view, seed = rules.view(match.state, seat), bot_seed(match, seat)
    found_by = [encode(bots[name].choose(rules, seat_view, legal, seed)) == puzzle.best for name in LINE_UPS]
    base_rating = EASY if found_by[0] else MIDDLE if found_by[1] else HARD
    return msgspec.structs.replace(
        puzzle, rating=base_rating + 10 * len(legal) - (puzzle.chance - puzzle.second_chance) // 20
    )


def is_found(weights: Weights, puzzle: Puzzle, moment: Moment, budget: Budget) -> bool:
    """Return whether an analysis with this budget finds the solution."""
    return encode(evaluate_moment(weights, moment, budget).best.action) == puzzle.best


def moments_of(titles: Titles, log: MatchLog, puzzles: Sequence[Puzzle]) -> Iterator[tuple[Puzzle, Moment]]:
    """Yield (puzzle, position) for one match's puzzles, in the order of the match."""
    puzzles_by_entry: Mapping[int, Puzzle] = {puzzle.entry + 1: puzzle for puzzle in puzzles}
    for moment in moments(titles, log.entries, 1, len(log.entries)):
        if moment.entry in puzzles_by_entry:
            yield puzzles_by_entry[moment.entry], moment
