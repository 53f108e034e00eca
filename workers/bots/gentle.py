"""Plays so that a beginner can win: sensibly, without a look ahead, and not always the best."""

from typing import Any

from domain.kernel.chance import SeededChance, hkdf_expand
from domain.kernel.rules import Seat
from domain.kernel.title import AnyRules
from workers.bots.evaluation import Evaluations
from workers.bots.greedy import IMAGINE_INFO, OUTCOME_INFO, LookAhead
from workers.bots.kinds import BUDGET, IsLate, never


class Gentle:
    """The bot's choice; it knows the titles of which it has an evaluation."""

    def __init__(self, evaluations: Evaluations) -> None:
        self._evaluations = evaluations

    def __call__(
        self,
        rules: AnyRules,
        view: Any,
        legal: tuple[Any, ...],
        seed: bytes,
        budget: int = BUDGET,
        is_late: IsLate = never,  # noqa: ARG002  # it is quick enough
    ) -> Any:
        """One of the better half of the legal actions, as they look at once; which one, the seed says."""
        if len(legal) == 1:
            return legal[0]
        state = rules.imagine(view, SeededChance(hkdf_expand(seed, IMAGINE_INFO)))
        look = LookAhead(rules, self._evaluations[rules.TITLE], Seat(view.seat), hkdf_expand(seed, OUTCOME_INFO))
        worths = look.worths_of(state, legal, 0, budget)
        # Python sorts stably: of equals the first stands first, so that it closes rather than dithers.
        better = sorted(worths, key=lambda worth: -worth[0])[: (len(worths) + 1) // 2]
        return better[seed[0] % min(len(better), 3)][1]
