"""A bot that plays every promising action on over some stages in many imagined positions and takes the best.

In titles with a playoff the best few meet again in nested rollouts (`workers.bots.rollouts`). Only integers decide, and
the budget counts tried actions, not time: the same view, seed and budget give the same action on every machine.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.kernel.chance import SeededChance, hkdf_expand
from domain.kernel.rules import Seat
from domain.kernel.title import AnyRules
from workers.bots.evaluation import Evaluations, Weights
from workers.bots.greedy import DEPTH_MAX, IMAGINE_INFO, OUTCOME_INFO, LookAhead
from workers.bots.kinds import IsLate, never
from workers.bots.race import Race, Tried
from workers.bots.rounds import Play, Question, play_alone

FIRST_LOOK: Final = 6
"""Divisor of the budget for the first look-ahead, which selects the promising actions."""
RACE: Final = 4
"""Divisor of the budget for the race if a playoff follows; the rest is for the playoff."""


class Level(msgspec.Struct, frozen=True):
    """The effort of a search."""

    version: int
    """Rises whenever choices change, because it is part of the log."""
    tries: int
    """Approximate limit of tried actions per choice in titles without a playoff; a started round is finished."""
    tries_with_playoff: int
    width: int
    """Number of promising actions."""
    stages: int
    """Stages to play on, including the current one, limited by the outline."""
    finalists: int
    """Actions in the playoff."""
    choices: int
    """Candidates per step of nested rollouts."""
    processes: int = 1
    """Processes that share the rollouts, if available; the choice does not depend on it."""


LEVELS: Final[Mapping[str, Level]] = {
    "search-quick": Level(5, 2_000, tries_with_playoff=2_000, width=8, stages=1, finalists=3, choices=3),
    "search-steady": Level(6, 6_000, tries_with_playoff=10_000, width=10, stages=2, finalists=6, choices=4),
    "search-strong": Level(
        6, 16_000, tries_with_playoff=24_000, width=12, stages=2, finalists=8, choices=5, processes=2
    ),
}
"""Levels by bot name; their time limits while a player waits are in `domain.matches.seats.bots`."""


class Search:
    """The bot's choice function at a level, for titles with an evaluation and an outline."""

    def __init__(self, evaluations: Evaluations, level: Level, play: Play = play_alone) -> None:
        """Create a search; `play` runs the rollouts."""
        self._evaluations = evaluations
        self._level = level
        self._play = play

    @property
    def processes(self) -> int:
        """Return the number of processes the level uses."""
        return self._level.processes

    def with_play(self, play: Play) -> "Search":
        """Return the same search with another way to run rollouts."""
        return Search(self._evaluations, self._level, play)

    def __call__(
        self,
        rules: AnyRules,
        view: object,
        legal: tuple[Any, ...],
        seed: bytes,
        budget: int = 0,
        is_late: IsLate = never,
    ) -> Any:
        """Return the best action; ties go to the more promising one. A budget of 0 means the level's."""
        return legal[0] if len(legal) == 1 else self.compare(rules, view, legal, seed, budget, is_late)[0].action

    def compare(
        self,
        rules: AnyRules,
        view: object,
        legal: tuple[Any, ...],
        seed: bytes,
        budget: int = 0,
        is_late: IsLate = never,
    ) -> tuple[Tried, ...]:
        """Return the evaluated actions, best first: the finalists with their playoff results, then the rest.

        A single promising action is returned alone, without results. Titles without a playoff, and a late search,
        have one race.
        """
        weights, level = self._evaluations[rules.TITLE], self._level
        has_playoff = weights.known_outline.has_playoff
        tries = budget or (level.tries_with_playoff if has_playoff else level.tries)
        promising = self._promising(rules, weights, view, legal, seed, tries // FIRST_LOOK)
        if len(promising) == 1:
            return (Tried(promising[0], ()),)
        question = Question(rules, weights, view, promising, seed, level.stages)
        if not has_playoff:
            return self._race(question, tries, is_late)
        race_results = self._race(question, tries // RACE, is_late, level.finalists)
        if is_late():
            return race_results
        finalists = [each.action for each in race_results[: level.finalists]]
        remaining_tries = tries - tries // RACE
        playoff = question._replace(
            actions=finalists, choices=level.choices, nested_tries=remaining_tries // len(finalists)
        )
        return (*self._race(playoff, remaining_tries, is_late), *race_results[level.finalists :])

    def _race(self, question: Question, tries: int, is_late: IsLate, finalist_count: int = 1) -> tuple[Tried, ...]:
        with self._play(question) as rounds:
            return Race(rounds, question.actions).run(tries, is_late, finalist_count)

    def _promising(
        self, rules: AnyRules, weights: Weights, view: Any, legal: tuple[Any, ...], seed: bytes, budget: int
    ) -> list[Any]:
        """Return the actions with the highest value in one imagined position, best first, at most the level's width."""
        state = rules.imagine(view, SeededChance(hkdf_expand(seed, IMAGINE_INFO)))
        look_ahead = LookAhead(rules, weights, Seat(view.seat), hkdf_expand(seed, OUTCOME_INFO))
        worths = look_ahead.worths_of(state, legal, DEPTH_MAX, budget)
        worths.sort(key=lambda each: -each[0])
        return [action for _, action in worths[: self._level.width]]
