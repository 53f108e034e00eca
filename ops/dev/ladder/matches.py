"""Play the matches of a ladder: every deal once for each rotation of the bots over the seats.

All matches of a deal have the same seed, so that no bot profits from a seat or from its draws. Each match is the one
that `esporles play --seed` plays with the deal's seed and the bots in this order.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from domain.kernel.rules import Seat
from domain.kernel.title import AnyRules
from domain.matches.aggregate import bot_seed, legal_actions, view
from domain.matches.facts import SERVICE
from domain.matches.play.in_memory import InMemoryMatch, seeded_origins, table_of_bots
from ops.players import FindPlayers
from ops.processes import WorkerDied, in_processes
from workers.bots import Bots


class WantedLadder(msgspec.Struct, frozen=True):
    """The parameters of a ladder. Ladders with equal parameters consist of the same matches."""

    title: str
    bots: tuple[str, ...]
    """One for each seat, in the order of the first rotation."""
    matches: int
    options: Mapping[str, str]
    seed: str
    versions: Mapping[str, int]
    """Versions of the bots: results are valid for one version only."""

    @property
    def rotations(self) -> tuple[tuple[str, ...], ...]:
        """Return the distinct line-ups of a deal; fewer than the seats if bots repeat periodically."""
        rotated = (self.bots[turn:] + self.bots[:turn] for turn in range(len(self.bots)))
        return tuple(dict.fromkeys(rotated))

    def deal_of(self, number: int) -> int:
        """Return the number of a match's deal."""
        return number // len(self.rotations)

    def line_up(self, number: int) -> tuple[str, ...]:
        """Return the bots of a match by seat."""
        return self.rotations[number % len(self.rotations)]

    def seed_of(self, number: int) -> bytes:
        """Return the seed of a match; `esporles play --seed` takes it in hex."""
        return f"{self.seed}/{self.deal_of(number)}".encode()


class PlayedMatch(msgspec.Struct, frozen=True):
    """A match of a ladder, by seat.

    `times` are microseconds of processor time for each choice between at least two actions.
    """

    number: int
    bots: tuple[str, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    times: tuple[tuple[int, ...], ...]


def play(plan: WantedLadder, find_players: FindPlayers, number: int) -> PlayedMatch:
    """Play one match and return its bots, scores, places and times of choices by seat.

    The same number gives the same match. Times are processor times, because they depend little on the machine's other
    load.
    """
    players, bots = find_players(), plan.line_up(number)
    kinds: Bots = {name: players.bots[name] for name in bots}
    actors, times = [kinds[name].actor for name in bots], [list[int]() for _ in bots]
    table = table_of_bots(players.titles[plan.title], actors, plan.options, seeded_origins(plan.seed_of(number)))
    while not table.match.is_over:
        seat = table.match.definition.rules.seats_to_act(table.match.state)[0]
        if seat < 0:
            table.act(seat, SERVICE, legal_actions(table.match, seat)[0])
        else:
            table.act(seat, actors[seat], choose(table, seat, kinds[bots[seat]].choose, times[seat]))
    result = table.match.result
    assert result is not None, f"match {number} has not ended"
    return PlayedMatch(number, bots, result.scores, result.ranking, tuple(map(tuple, times)))


def choose(table: InMemoryMatch, seat: Seat, bot: Callable[..., Any], times: list[int]) -> Any:
    """Let the bot choose; append its time in microseconds unless it has only one action."""
    rules: AnyRules = table.match.definition.rules
    seat_view, legal, seed = view(table.match, seat), legal_actions(table.match, seat), bot_seed(table.match, seat)
    started = time.process_time_ns()
    action = bot(rules, seat_view, legal, seed)
    if len(legal) > 1:
        times.append((time.process_time_ns() - started) // 1_000)
    return action


def player(plan: WantedLadder, find_players: FindPlayers) -> Callable[[int], PlayedMatch]:
    """Return the function that a process applies to match numbers."""
    return partial(play, plan, find_players)


def play_all(
    plan: WantedLadder, numbers: Sequence[int], *, processes: int, find_players: FindPlayers
) -> Iterator[PlayedMatch | WorkerDied]:
    """Yield these matches in order of completion; a match whose process died gives `WorkerDied`, without its number.

    One process means this one.
    """
    if processes == 1:
        yield from map(player(plan, find_players), numbers)
        return
    for _, match in in_processes(partial(player, plan, find_players), numbers, processes):
        yield match
