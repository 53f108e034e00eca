"""Analysis of a match from its log, whole or in pieces; the order of the pieces does not change the document."""

from collections.abc import Iterator, Sequence
from math import isqrt
from typing import Any, Final

import msgspec

from domain.analyses.report import (
    STANDARD,
    Budget,
    Choice,
    Decision,
    Drawn,
    LineStep,
    NotAnalysed,
    Piece,
    why_unfit,
)
from domain.kernel.chance import SeededChance, hkdf_expand, hkdf_extract
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.settle import position_after
from domain.kernel.title import AnyRules, Titles
from domain.matches.aggregate import Match, require_played_rules
from domain.matches.apply import apply, begin, fold
from domain.matches.errors import MatchError
from domain.matches.facts import SERVICE, ActionTaken, TakenBack, action_of
from domain.matches.log.entries import Entry
from domain.matches.titles import read_fact
from workers.analyses.chances import outlook_of
from workers.analyses.engine import EvaluatedAction, Evaluation, evaluate_actions
from workers.bots.evaluation import Evaluations, Weights
from workers.bots.greedy import DEPTH_MAX, LookAhead
from workers.bots.rollouts import Rollouts

OTHERS: Final = 2
"""Choices reported besides the best and the played one."""
LINE_STEPS: Final = 6
LINE_TRIES: Final = 120


class Moment(msgspec.Struct, frozen=True):
    """An action of a seat or of the service, with the match before it."""

    before: Match
    entry: int
    fact: ActionTaken[Any, Any]

    @property
    def action(self) -> Any:
        """Return the action of the entry."""
        return action_of(self.fact)


def fold_analysable(titles: Titles, entries: Sequence[Entry], evaluations: Evaluations) -> Match:
    """Fold a log into a match; raise `NotAnalysed` unless it is over, complete and of a title that bots search.

    Also raise it for solo matches, and if the rules of its version are retired.
    """
    match = fold(titles, entries)
    if match.title not in evaluations or evaluations[match.title].outline is None:
        raise NotAnalysed(f"no search bot for {match.title}")
    if match.key is None:
        raise NotAnalysed("the log is redacted; an analysis requires the complete log")
    if reason := why_unfit(match):
        raise NotAnalysed(reason)
    try:
        require_played_rules(match)
    except MatchError as retired:
        raise NotAnalysed(str(retired)) from retired
    return match


def moments(titles: Titles, entries: Sequence[Entry], first: int, last: int) -> Iterator[Moment]:
    """Yield the actions among entries `first` to `last` that were not taken back, each with the match before it."""
    taken_back = list_taken_back(titles, entries)
    match = fold(titles, entries[: first - 1]) if first > 1 else begin(titles, entries[0])
    for entry in entries[max(first - 1, 1) : last]:
        fact = read_fact(match.definition, entry)
        if isinstance(fact, ActionTaken) and entry.version not in taken_back:
            yield Moment(match, entry.version, fact)
        match = apply(match, entry)


def list_taken_back(titles: Titles, entries: Sequence[Entry]) -> frozenset[int]:
    """Return the versions of entries that were taken back."""
    title = begin(titles, entries[0]).definition
    facts = ((entry.version, read_fact(title, entry)) for entry in entries)
    spans = ((fact.to_version, version) for version, fact in facts if isinstance(fact, TakenBack))
    return frozenset(version for start, end in spans for version in range(start + 1, end))


def analyse_piece(
    titles: Titles, evaluations: Evaluations, entries: Sequence[Entry], first: int, last: int, budget: Budget = STANDARD
) -> Piece:
    """Analyse the decisions and draws among entries `first` to `last`; actions taken back are left out.

    Draws are estimated only if the budget has any.
    """
    decisions, draws = list[Decision](), list[Drawn]()
    for moment in moments(titles, entries, first, last):
        weights = evaluations[moment.before.title]
        decision = decision_of(weights, moment, budget)
        decisions += [] if decision is None else [decision]
        draws += [estimate_draws(weights, moment, budget)] if moment.fact.draws and budget.draws else []
    return Piece(tuple(decisions), tuple(draws))


def seed_of(match: Match, entry: int) -> bytes:
    """Derive the seed of an entry's rollouts; it is independent of the luck of the match."""
    return hkdf_expand(hkdf_extract(match.id.bytes, b"analysis"), b"entry/%d" % entry)


def evaluate_moment(weights: Weights, moment: Moment, budget: Budget, required: Sequence[Any] = ()) -> Evaluation:
    """Evaluate the promising actions of a decision, and `required`, from the seat's view at that time."""
    before, seat = moment.before, Seat(moment.fact.seat)
    rules = before.definition.rules
    legal = rules.legal_actions(before.state, seat)
    return evaluate_actions(
        rules, weights, rules.view(before.state, seat), legal, seed_of(before, moment.entry), budget, required
    )


def is_decision(moment: Moment) -> bool:
    """Return whether a seat itself chose among several actions."""
    seat = Seat(moment.fact.seat)
    if seat == SERVICE_SEAT or moment.fact.by == SERVICE:
        return False
    return len(moment.before.definition.rules.legal_actions(moment.before.state, seat)) > 1


def decision_of(weights: Weights, moment: Moment, budget: Budget) -> Decision | None:
    """Return the decision of an entry, or None if there was no choice; at most `OTHERS` other actions.

    The line is given only if another action was best.
    """
    if not is_decision(moment):
        return None
    before, seat, rules = moment.before, Seat(moment.fact.seat), moment.before.definition.rules
    evaluation = evaluate_moment(weights, moment, budget, (moment.action,))
    played, view = evaluation.find(moment.action), rules.view(before.state, seat)
    others = [each for each in evaluation.actions[1:] if each.action != moment.action][:OTHERS]
    return Decision(
        entry=moment.entry,
        seat=int(seat),
        phase=rules.phase(before.state),
        legal=len(rules.legal_actions(before.state, seat)),
        played=choice_of(rules, view, played),
        best=choice_of(rules, view, evaluation.best),
        others=tuple(choice_of(rules, view, each) for each in others),
        error=evaluation.error_against(moment.action),
        chances=played.chances,
        line=() if evaluation.best.action == moment.action else line_from(weights, moment, evaluation.best.action),
    )


def choice_of(rules: AnyRules, view: object, evaluated: EvaluatedAction) -> Choice:
    """Convert an evaluated action into a choice of the document."""
    description = rules.describe(view, evaluated.action)
    return Choice(encode(evaluated.action), description, evaluated.margin, evaluated.chance, evaluated.count)


def encode(action: object) -> msgspec.Raw:
    """Encode an action as JSON with sorted keys."""
    return msgspec.Raw(msgspec.json.encode(action, order="deterministic"))


def line_from(weights: Weights, moment: Moment, action: object) -> tuple[LineStep, ...]:
    """Play the match on after the best choice with its actual luck, every seat by `greedy`.

    Return at most `LINE_STEPS` steps, the choice included.
    """
    match, state = moment.before, moment.before.state
    assert match.key is not None, "the log is open"
    rules, chance, seat = match.definition.rules, SeededChance(match.key), Seat(moment.fact.seat)
    steps: list[LineStep] = []
    while True:
        description = rules.describe(rules.view(state, seat), action)
        steps.append(LineStep(int(seat), encode(action), description))
        state = position_after(rules.decide(state, seat, action, chance), state, rules.evolve)
        to_act = rules.seats_to_act(state)
        if not to_act or len(steps) >= LINE_STEPS:
            return tuple(steps)
        seat = to_act[0]
        legal = rules.legal_actions(state, seat)
        action = (
            legal[0] if seat == SERVICE_SEAT or len(legal) == 1 else greedy_action(rules, weights, state, seat, legal)
        )


def greedy_action(rules: AnyRules, weights: Weights, state: object, seat: Seat, legal: tuple[Any, ...]) -> Any:
    """Return the action that `greedy` chooses in a position."""
    return LookAhead(rules, weights, seat, b"line").best_of(state, legal, DEPTH_MAX, LINE_TRIES)[1]


def estimate_draws(weights: Weights, moment: Moment, budget: Budget) -> Drawn:
    """Estimate by seat the effect of an entry's draws on chances and margins, with its largest error.

    The resulting position is compared with those after other draws; each pair is played on to the end of its
    stage with the same luck.
    """
    before, rules, outline = moment.before, moment.before.definition.rules, weights.known_outline
    seat, seed = Seat(moment.fact.seat), hkdf_expand(seed_of(before, moment.entry), b"draws")
    rollouts = Rollouts(rules, weights, Seat(max(seat, 0)), budget.stages)
    actual = position_after(moment.fact.effects, before.state, rules.evolve)
    gains, margins = list[tuple[int, ...]](), list[tuple[int, ...]]()
    for number in range(budget.draws):
        luck = hkdf_expand(seed, b"draw/%d" % number)
        effects = rules.decide(before.state, seat, moment.action, SeededChance(luck))
        alternative = position_after(effects, before.state, rules.evolve)
        ends = [outlook_of(rules, weights, outline, rollouts.end_of(state, luck)) for state in (actual, alternative)]
        gains.append(tuple(a - b for a, b in zip(ends[0].chances, ends[1].chances, strict=True)))
        margins.append(tuple(a - b for a, b in zip(ends[0].margins, ends[1].margins, strict=True)))
    return Drawn(moment.entry, means(gains), means(margins), max(map(error_of, zip(*gains, strict=True))))


def means(rows: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the means of the columns, rounded down."""
    return tuple(sum(column) // len(rows) for column in zip(*rows, strict=True))


def error_of(values: Sequence[int]) -> int:
    """Return the standard error of the mean of two or more values."""
    count, total = len(values), sum(values)
    squares = sum(each * each for each in values)
    return isqrt(max(0, count * squares - total * total) // (count * count * (count - 1)))
