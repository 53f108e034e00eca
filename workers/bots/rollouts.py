"""Rollouts: matches played on from an imagined position over some stages, by a small greedy for every seat.

In nested rollouts the seat to act plays several candidates on to the end of the stage, by a small greedy in turn, and
takes the best (nested Monte Carlo search: Cazenave, 2009).
"""

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.settle import position_after
from domain.kernel.title import AnyRules
from workers.bots.evaluation import Weights
from workers.bots.luck import SEED_BYTES, Luck

FOLLOWED_MAX: Final = 8
"""Choices in the middle of something beyond which none is searched."""


ENDS: Final = 2
"""Cost of imagining and evaluating a position, in tries."""
LIKED_MAX: Final = 5
"""Actions of a step that are remembered as liked."""
NOTHING: Final[frozenset[Any]] = frozenset()
TO_THE_END: Final = sys.maxsize
"""Nested to the end, whatever the cost."""


Step = Callable[[Any, Seat, Luck], Any]
"""Position, seat to act, luck -> position after the seat's action."""


class Rollouts:
    """Rollouts for one choice of a seat. `tries` counts the actions tried so far."""

    def __init__(
        self,
        rules: AnyRules,
        weights: Weights,
        seat: Seat,
        stages: int,
        choices: int = 1,
        nested_tries: int = TO_THE_END,
    ) -> None:
        """Create the rollouts of a seat.

        `stages`: stages to play, limited by the outline; with more than one, rivals try as many actions as the seat,
        because an omission costs them in the next stage. `choices`: candidates per step that are played on before one
        is taken; with one, the best at first sight is taken. `nested_tries`: tries after which the small greedy plays
        the rest of a rollout.
        """
        self._rules = rules
        self._weights = weights
        self._outline = weights.known_outline
        self._seat = seat
        self._stages = min(stages, self._outline.stages_max)
        self._rival = self._outline.rival if self._stages == 1 else self._outline.own
        self._choices = choices
        self._nested_tries = nested_tries
        self._nested_until = 0
        self._disliked: tuple[Seat, frozenset[Any]] = SERVICE_SEAT, NOTHING
        self._nested_luck = Luck(b"")
        self.tries = 0

    def worth_after(self, state: object, action: object, luck: bytes) -> int:
        """Return the value of an action to the seat: the weighted mean at the ends of all stages.

        The second stage counts twice, the third three times: early values depend less on luck, late ones less on errors
        of evaluation.
        """
        chance, stage, total = self._begin(luck), self._outline.stage(state), 0
        state = self._after(state, self._seat, action, chance)
        for weight in range(1, self._stages + 1):
            state = self._play_on(state, stage, chance)
            total += weight * self._judge(state, self._seat, stage)
            stage = self._outline.stage(state)
        return total // (self._stages * (self._stages + 1) // 2)

    def _play_on(self, state: object, stage: int, chance: Luck) -> Any:
        """Return the position at the end of the stage, or at the end of the match."""
        return self._play_by(self._step if self._choices == 1 else self._nested_step, state, stage, chance)

    def _play_by(self, step: Step, state: object, stage: int, chance: Luck) -> Any:
        while self._outline.stage(state) == stage and (to_act := self._rules.seats_to_act(state)):
            state = step(state, to_act[0], chance)
        return state

    def _judge(self, state: object, seat: Seat, stage: int) -> int:
        """Return the value to a seat of a position that was reached from this stage.

        If it is in another stage now, it is valued as the start of that stage.
        """
        now = self._outline.stage(state)
        if now == stage:
            return self._weights.worth(state, seat)
        return self._weights.judge(state, seat, len(self._rules.scores(state)), now)

    def end_after(self, state: object, action: object, luck: bytes, follow_up: object = None) -> Any:
        """Return the position at the end of the last stage after the action, and after `follow_up` if that is legal."""
        chance, stage = self._begin(luck), self._outline.stage(state)
        after = self._after(state, self._seat, action, chance)
        if follow_up is not None and self._may(after, follow_up):
            after = self._after(after, self._seat, follow_up, chance)
        return self._play_stages(after, stage, chance)

    def may_follow(self, state: object, action: object, luck: bytes, follow_up: object) -> bool:
        """Return whether `follow_up` is legal for the seat right after the action."""
        return self._may(self._after(state, self._seat, action, self._begin(luck)), follow_up)

    def _may(self, state: object, action: object) -> bool:
        rules, seat = self._rules, self._seat
        return seat in rules.seats_to_act(state) and action in rules.legal_actions(state, seat)

    def end_of(self, state: object, luck: bytes) -> Any:
        """Return the position at the end of the last stage if all seats play on from here."""
        return self._play_stages(state, self._outline.stage(state), self._begin(luck))

    def _begin(self, luck: bytes) -> Luck:
        """Start a rollout: count its cost, forget disliked actions, and return its luck."""
        self._nested_luck = Luck(luck[SEED_BYTES:])
        self._disliked = SERVICE_SEAT, NOTHING
        self.tries += ENDS
        self._nested_until = self.tries + self._nested_tries
        return Luck(luck)

    def _play_stages(self, state: object, stage: int, chance: Luck) -> Any:
        """Return the position after playing on to the end of each of the stages."""
        for _ in range(self._stages):
            state = self._play_on(state, stage, chance)
            stage = self._outline.stage(state)
        return state

    def _step(self, state: object, seat: Seat, chance: Luck) -> Any:
        """Return the position after the action with the highest value among the tried ones.

        Worse actions are remembered and not tried again in the seat's next steps.
        """
        candidates = self._actions_to_try(state, seat)
        if len(candidates) == 1:
            return self._after(state, seat, candidates[0], chance)
        evaluated = self._look(state, seat, candidates, chance)
        last_seat, disliked = self._disliked
        self._disliked = (
            seat,
            (disliked if seat == last_seat else NOTHING).union([each[1] for each in evaluated[LIKED_MAX:]]),
        )
        _, best, after = evaluated[0]
        return self._after(state, seat, best, chance) if after is None else after

    def _look(self, state: object, seat: Seat, candidates: Sequence[Any], chance: Luck) -> list[tuple[int, Any, Any]]:
        """Return value, action and position of each action, best first; the position is None if it was not needed."""
        evaluated: list[tuple[int, Any, Any]] = []
        for action in candidates:
            if self._weights.closes(state, seat, action):
                evaluated.append((self._weights.worth(state, seat), action, None))
            else:
                after = self._after(state, seat, action, chance)
                evaluated.append((self._worth_of(after, seat, chance), action, after))
        evaluated.sort(key=lambda each: -each[0])
        return evaluated

    def _nested_step(self, state: object, seat: Seat, chance: Luck) -> Any:
        """Return the position after the candidate that is best at the end of the stage, played on by a small greedy.

        The candidates are tried with a separate luck, so that no choice depends on draws still to come.
        """
        if self.tries >= self._nested_until:
            return self._step(state, seat, chance)
        candidates = self._outlined_actions(state, seat)
        if len(candidates) == 1:
            return self._after(state, seat, candidates[0], chance)
        stage, best = self._outline.stage(state), None
        for _, action, after in self._look(state, seat, candidates, chance)[: self._choices]:
            self._disliked = SERVICE_SEAT, NOTHING
            imagined = self._after(state, seat, action, self._nested_luck)
            worth = self._judge(self._play_by(self._step, imagined, stage, self._nested_luck), seat, stage)
            if best is None or worth > best[0]:
                best = worth, action, after
        assert best is not None, "a step has actions"
        _, action, after = best
        # Actions disliked within the trial say nothing to the small greedy that may continue from here.
        self._disliked = SERVICE_SEAT, NOTHING
        return self._after(state, seat, action, chance) if after is None else after

    def _outlined_actions(self, state: object, seat: Seat) -> Sequence[Any]:
        """Return the actions that the outline tries; the service has no choice."""
        if seat == SERVICE_SEAT:
            return self._rules.legal_actions(state, seat)[:1]
        return (self._outline.own if seat == self._seat else self._rival)(state, seat)

    def _actions_to_try(self, state: object, seat: Seat) -> Sequence[Any]:
        """Return the actions to try, without those the seat disliked a moment ago, except the first, which stops.

        Deliveries are made one by one, and a bad one stays bad.
        """
        candidates, (last_seat, disliked) = self._outlined_actions(state, seat), self._disliked
        if seat != last_seat or len(candidates) <= LIKED_MAX:
            return candidates
        return [candidates[0], *(action for action in candidates[1:] if action not in disliked)]

    def _worth_of(self, state: object, seat: Seat, chance: Luck) -> int:
        """Return the value of a position, or of its best continuation in the middle of something.

        That is, if the outline follows 1 to `FOLLOWED_MAX` choices.
        """
        weights, choices = self._weights, self._outline.follow(state, seat)
        if not 0 < len(choices) <= FOLLOWED_MAX:
            return weights.worth(state, seat)
        return max(
            weights.worth(
                state if weights.closes(state, seat, action) else self._after(state, seat, action, chance), seat
            )
            for action in choices
        )

    def _after(self, state: object, seat: Seat, action: object, chance: Luck) -> Any:
        self.tries += 1
        return position_after(self._rules.decide(state, seat, action, chance), state, self._rules.evolve)
