"""A bot for beginners: plays sensible moves without look-ahead, not always the best."""

from typing import Any

from domain.kernel.chance import SeededChance, hkdf_expand
from domain.kernel.rules import Seat
from domain.kernel.title import AnyRules
from workers.bots.evaluation import Evaluations
from workers.bots.greedy import IMAGINE_INFO, OUTCOME_INFO, LookAhead
from workers.bots.kinds import BUDGET, IsLate, never


class Gentle:
    """The bot's choice function, for titles with an evaluation."""

    def __init__(self, evaluations: Evaluations) -> None:
        self._evaluations = evaluations

    def __call__(
        self,
        rules: AnyRules,
        view: Any,
        legal: tuple[Any, ...],
        seed: bytes,
        budget: int = BUDGET,
        is_late: IsLate = never,  # noqa: ARG002  # it is fast enough
    ) -> Any:
        """Choose one of the best three actions of the better half, by seed."""
        if len(legal) == 1:
            return legal[0]
        state = rules.imagine(view, SeededChance(hkdf_expand(seed, IMAGINE_INFO)))
        look_ahead = LookAhead(rules, self._evaluations[rules.TITLE], Seat(view.seat), hkdf_expand(seed, OUTCOME_INFO))
        worths = look_ahead.worths_of(state, legal, 0, budget)
        # Sorting is stable, so among equal values the earlier action wins and the bot finishes instead of dithering.
        better_half = sorted(worths, key=lambda worth: -worth[0])[: (len(worths) + 1) // 2]
        return better_half[seed[0] % min(len(better_half), 3)][1]
