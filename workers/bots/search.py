"""Searches: plays every promising action on over some stages, each time in another position that agrees with the
view, and takes what did best on the whole. Where the title has use for it the best few meet once more, in nested
roll-outs (`workers.bots.rollouts`): a race for every choice of everybody on the way.

Whole numbers alone decide, and the budget counts actions tried out, not time: same view, seed and budget, same action
on every machine.
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
from workers.bots.rounds import Play, Question, alone

FIRST_LOOK: Final = 6
"""One part of so many of the budget goes into looking ahead once, to see which actions are promising."""
RACE: Final = 4
"""One part of so many of it goes into the race, where there is a playoff; the rest into that."""


class Level(msgspec.Struct, frozen=True):
    """How long a search goes on."""

    version: int
    """It goes up whenever choices change, because the log names it."""
    tries: int
    """How many actions it tries out for one choice at most, about: a round of roll-outs that has begun is ended. In
    titles without a playoff; `tries_with_playoff` in those that have one."""
    tries_with_playoff: int
    width: int
    """How many actions are promising."""
    stages: int
    """Over how many stages it is played on, that of the position included, if the title's outline allows as many."""
    finalists: int
    """How many actions meet in the playoff, in titles that have one."""
    choices: int
    """How many of each step its nested roll-outs play on."""
    processes: int = 1
    """Over how many processes the roll-outs are divided where there are so many; the choice does not depend on it."""


LEVELS: Final[Mapping[str, Level]] = {
    "search-quick": Level(5, 2_000, tries_with_playoff=2_000, width=8, stages=1, finalists=3, choices=3),
    "search-steady": Level(6, 6_000, tries_with_playoff=10_000, width=10, stages=2, finalists=6, choices=4),
    "search-strong": Level(
        6, 16_000, tries_with_playoff=24_000, width=12, stages=2, finalists=8, choices=5, processes=2
    ),
}
"""By the bot's name; `domain.matches.seats.bots` holds the time limit of each where a player waits."""


class Search:
    """The bot's choice at a level; it knows the titles of which it has an evaluation with an outline."""

    def __init__(self, evaluations: Evaluations, level: Level, play: Play = alone) -> None:
        """`play`: by whom roll-outs are played."""
        self._evaluations = evaluations
        self._level = level
        self._play = play

    @property
    def processes(self) -> int:
        return self._level.processes

    def played_by(self, play: Play) -> "Search":
        """The same search with its roll-outs played by others."""
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
        """The action that did best; of equals the one that looked best at first. A budget of 0 is that of the level."""
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
        """The actions that were looked at, the best first: those of the playoff, with what they brought there, and then
        the rest of the race."""
        weights, level = self._evaluations[rules.TITLE], self._level
        has_playoff = weights.known_outline.has_playoff
        tries = budget or (level.tries_with_playoff if has_playoff else level.tries)
        promising = self._promising(rules, weights, view, legal, seed, tries // FIRST_LOOK)
        if len(promising) == 1:
            return (Tried(promising[0], ()),)
        question = Question(rules, weights, view, promising, seed, level.stages)
        if not has_playoff:
            return self._race(question, tries, is_late)
        raced = self._race(question, tries // RACE, is_late, level.finalists)
        if is_late():
            return raced
        finalists = [each.action for each in raced[: level.finalists]]
        rest = tries - tries // RACE
        playoff = question._replace(actions=finalists, choices=level.choices, nested_tries=rest // len(finalists))
        return (*self._race(playoff, rest, is_late), *raced[level.finalists :])

    def _race(self, question: Question, tries: int, is_late: IsLate, until: int = 1) -> tuple[Tried, ...]:
        with self._play(question) as rounds:
            return Race(rounds, question.actions).run(tries, is_late, until)

    def _promising(
        self, rules: AnyRules, weights: Weights, view: Any, legal: tuple[Any, ...], seed: bytes, budget: int
    ) -> list[Any]:
        """The actions that look best in one imagined position, the best first."""
        state = rules.imagine(view, SeededChance(hkdf_expand(seed, IMAGINE_INFO)))
        look = LookAhead(rules, weights, Seat(view.seat), hkdf_expand(seed, OUTCOME_INFO))
        worths = look.worths_of(state, legal, DEPTH_MAX, budget)
        worths.sort(key=lambda each: -each[0])
        return [action for _, action in worths[: self._level.width]]
