"""Play bot matches for the balance: the same matches as `esporles play --seed`, without logs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec

from domain.kernel.chance import SeededChance, hkdf_expand
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.title import AnyRules, AnyTitle
from domain.matches.facts import Actor
from domain.matches.play.in_memory import seeded_origins, table_of_bots
from ops.deck_files import register_files
from ops.dev.balance.ledgers import Ledger, load_ledger
from ops.dev.balance.taking import DEALS_MAX, NeverTaken, Taking
from ops.players import FindPlayers, load_players
from workers.bots import BotKind

PENDING_MAX: int = 16
"""Limit of matches submitted per process whose results are pending."""


class WantedMatches(msgspec.Struct, frozen=True):
    """The parameters of a run: match `number` has the next of `players` seats, filled with the bots in turn."""

    title: str
    matches: int
    players: tuple[int, ...]
    bots: tuple[str, ...]
    options: Mapping[str, str]
    seed: str
    versions: Mapping[str, int]
    """Versions of the bots: results are valid for one version only."""
    files: Mapping[str, Path] = {}
    """Deck and component files, which every process reads."""
    taking: str = ""
    """A component, such as `helper 32`, that the first seat able to take it must take; if empty, bots choose freely."""

    def seed_of(self, number: int, deal: int = 0) -> bytes:
        """Return the seed of a match; `esporles play --seed` takes it in hex.

        Only with `taking` does it depend on `deal`.
        """
        return f"{self.seed}/{number}/{deal}".encode() if self.taking else f"{self.seed}/{number}".encode()

    def seats_of(self, number: int) -> tuple[str, ...]:
        """Return the bots of a match; they change seats between matches, so that seats do not bias results."""
        count, turn = self.players[number % len(self.players)], number // len(self.players)
        return tuple(self.bots[(seat + turn) % len(self.bots)] for seat in range(count))


class SeatResult(msgspec.Struct, frozen=True):
    """The result of a match for one seat."""

    score: int
    place: int
    bot: str
    sources: dict[str, int]
    taken: dict[str, int]
    """Number of times each component was taken, by `kind id`."""
    used: dict[str, int]
    """Number of times each component was used again."""


class MatchResult(msgspec.Struct, frozen=True):
    """The result of a match, by seat."""

    number: int
    seats: tuple[SeatResult, ...]


def play(plan: WantedMatches, number: int, find_players: FindPlayers = load_players) -> MatchResult:
    """Play one match and count points and components by seat.

    Raises `AssertionError` if the points of all sources differ from a score, `NeverTaken` if no deal allows `taking`.
    """
    players, bots = find_players(), plan.seats_of(number)
    title, tally = players.titles[plan.title], MatchTally(load_ledger(plan.title), len(bots))
    state = _play_out(title, plan, number, [players.bots[bot] for bot in bots], tally)
    scores, ranking = title.rules.scores(state), title.rules.ranking(state)
    assert ranking is not None, f"match {number} has not ended"
    for seat, score in enumerate(scores):
        source_points = sum(tally.sources[seat].values())
        assert source_points == score, (
            f"match {number}: seat {seat} has {score} points, but its sources add up to {source_points}"
        )
    return MatchResult(
        number,
        tuple(
            SeatResult(score, rank, bot, dict(sources), dict(taken_counts), dict(used_counts))
            for score, rank, bot, sources, taken_counts, used_counts in zip(
                scores, ranking, bots, tally.sources, tally.taken, tally.used, strict=True
            )
        ),
    )


class MatchTally:
    """Counts by seat, read from effects through a title's ledger."""

    def __init__(self, ledger: Ledger, seats: int) -> None:
        self._ledger = ledger
        self.sources = [Counter[str]() for _ in range(seats)]
        self.taken = [Counter[str]() for _ in range(seats)]
        self.used = [Counter[str]() for _ in range(seats)]

    def read(self, state: object, effect: object) -> None:
        """Count the points and uses in an effect, given the state before it; uses of El Grande's dummy are left out."""
        for seat, source, points in self._ledger.points(state, effect):
            self.sources[seat][source] += points
        for use in self._ledger.uses(state, effect):
            if use.seat >= len(self.taken):
                continue  # El Grande's dummy takes cards without a seat.
            (self.used if use.is_again else self.taken)[use.seat][use.component] += 1


class Choosers:
    """Chooses the actions of a match.

    The service takes its only action, the first seat able to take a wanted component does so, and bots choose the rest.
    """

    def __init__(self, rules: AnyRules, bots: Sequence[BotKind], key: bytes, first_choice: Taking | None) -> None:
        self._rules, self._bots, self._key, self._first_choice = rules, bots, key, first_choice
        self._choices = Counter[Seat]()

    def action(self, state: object, seat: Seat, tally: MatchTally) -> Any:
        """Choose the action of a seat: the service's only one, an action that takes the wanted component, or a bot's.

        The component is no longer wanted once the tally has it; the caller adds to the tally.
        """
        legal = self._rules.legal_actions(state, seat)
        if seat == SERVICE_SEAT:
            return legal[0]
        first_choice = self._first_choice
        if first_choice is not None and not any(first_choice.component in components for components in tally.taken):
            action = first_choice.action(state, seat, legal, self._key)
            if action is not None:
                return action
        seed = hkdf_expand(self._key, f"bot/{seat}/{self._choices[seat]}".encode())
        self._choices[seat] += 1
        return self._bots[seat].choose(self._rules, self._rules.view(state, seat), legal, seed)


def _play_out(title: AnyTitle, plan: WantedMatches, number: int, bots: Sequence[BotKind], tally: MatchTally) -> Any:
    """Play to the last state and return it, with the chance and bot seeds of the match that `play` would log.

    `tally` counts all effects.
    """
    rules, first_choice = title.rules, taking_of(title, plan)
    key = key_of(title, plan, number, [bot.actor for bot in bots], first_choice)
    choosers = Choosers(rules, bots, key, first_choice)
    state: Any = None
    effects = rules.start(rules.options(plan.options), len(bots), SeededChance(key))
    while True:
        for effect in effects:
            tally.read(state, effect)
            state = rules.evolve(state, effect)
        to_act = rules.seats_to_act(state)
        if not to_act:
            return state
        seat = to_act[0]
        effects = rules.decide(state, seat, choosers.action(state, seat, tally), SeededChance(key))


def taking_of(title: AnyTitle, plan: WantedMatches) -> Taking | None:
    """Return the component to take, or None."""
    return Taking(title.rules, load_ledger(plan.title), plan.taking) if plan.taking else None


def key_of(
    title: AnyTitle, plan: WantedMatches, number: int, actors: Sequence[Actor], first_choice: Taking | None
) -> bytes:
    """Return the secret key of a match.

    With `first_choice`, of the first deal in which the component can be taken at once. Raises `NeverTaken` if none of
    `DEALS_MAX` deals qualifies.
    """
    for deal in range(1 if first_choice is None else DEALS_MAX):
        key = table_of_bots(title, actors, plan.options, seeded_origins(plan.seed_of(number, deal))).match.key
        assert key is not None, "a table of bots starts by itself"
        if first_choice is None or first_choice.can_be_taken(plan.options, len(actors), key):
            return key
    raise NeverTaken(f"no player can take {plan.taking!r} as a first choice in {DEALS_MAX} deals")


def _prepare(plan: WantedMatches, find_players: FindPlayers) -> None:
    """Load the files that a process needs before its first match."""
    register_files(find_players().titles, plan.title, plan.files)


def play_here(
    plan: WantedMatches, numbers: Sequence[int], processes: int, find_players: FindPlayers
) -> Iterator[MatchResult]:
    """Yield these matches in order of completion, played in local processes; for one process in this one.

    Raises `AssertionError` or `NeverTaken` as `play`.
    """
    if processes == 1:
        yield from (play(plan, number, find_players) for number in numbers)
        return
    pending = iter(numbers)
    with ProcessPoolExecutor(processes, get_context("spawn"), _prepare, (plan, find_players)) as pool:
        in_progress = {
            pool.submit(play, plan, number, find_players) for number in islice(pending, PENDING_MAX * processes)
        }
        while in_progress:
            ready, in_progress = wait(in_progress, return_when=FIRST_COMPLETED)
            in_progress |= {pool.submit(play, plan, number, find_players) for number in islice(pending, len(ready))}
            yield from (each.result() for each in ready)
