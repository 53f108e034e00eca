"""Adjudication of an unfinished table: bots play all seats on from the last position of its match, in five lines.

The match is void before the lines are played, so its log is public by then and anyone can repeat them: the luck of a
line comes from the key of the match and its number, and the choices of the bots from the same key.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from domain.contests.deadlines import BY_BOTS, BY_SCORE, DeadlineRule, Verdict
from domain.contests.errors import ContestRefused
from domain.kernel.chance import SeededChance, hkdf_expand
from domain.kernel.rules import SERVICE_SEAT
from domain.kernel.title import AnyRules
from domain.kernel.values import Value
from domain.matches.aggregate import Match
from domain.matches.facts import Actor
from domain.matches.play.in_memory import Choose
from domain.standings.results import SCORE_MAX, places_by_score

LINE_COUNT: Final = 5
TRIES: Final = 300
"""Actions that a bot tries for one choice: a whole match takes seconds, and no clock decides."""
ACTIONS_MAX: Final = 5_000
"""Actions after which a line is given up; the longest matches of bots have fewer than 1,000."""
BOTS_TIME: Final = timedelta(hours=3)
"""The time for the bots, after which the scores at the deadline decide."""
BOTS_FAILED: Final = f"{BY_SCORE}, because no bots have played on"


class LineEndless(Exception):
    """A line of play without an end after `ACTIONS_MAX` actions."""


class TableLeft(NamedTuple):
    """A table at which bots play on: its address within the contest, its match, and the end of their time."""

    address: str
    match: UUID
    until: datetime


class BotLines(Value, frozen=True):
    """The bot that played a table on, with its version, and the points of each line by seat."""

    bot: Actor
    points: tuple[tuple[int, ...], ...]


def needs_bots(rule: DeadlineRule, match: Match | None) -> bool:
    """Return whether bots play on at a table without a result: the rule says so, and its match has begun."""
    return rule.consequence == "bots" and match is not None and match.state is not None


def play_lines(match: Match, choose: Choose) -> tuple[tuple[int, ...], ...]:
    """Return the points by seat of `LINE_COUNT` lines of play from the position of a match, with its full log.

    A bot chooses for every seat, from its view. Raise `LineEndless` for a line without an end.
    """
    assert match.key is not None, "only a full log has the key"
    rules, key = match.definition.rules, match.key
    return tuple(play_line(rules, match.state, line_key(key, number), choose) for number in range(1, LINE_COUNT + 1))


def line_key(key: bytes, number: int) -> bytes:
    """Return the key of a line: HKDF-Expand(match key, `adjudicate/n`), counted from 1."""
    return hkdf_expand(key, f"adjudicate/{number}".encode())


def play_line(rules: AnyRules, state: Any, key: bytes, choose: Choose) -> tuple[int, ...]:
    """Return the points at the end of a line; the seed of its nth choice is HKDF-Expand(key, `bot/n`)."""
    for count in range(ACTIONS_MAX):
        seats = rules.seats_to_act(state)
        if not seats:
            return rules.scores(state)
        legal = rules.legal_actions(state, seats[0])
        is_free = seats[0] != SERVICE_SEAT and len(legal) > 1
        seed = hkdf_expand(key, f"bot/{count}".encode())
        action = choose(rules, rules.view(state, seats[0]), legal, seed) if is_free else legal[0]
        for effect in rules.decide(state, seats[0], action, SeededChance(key)):
            state = rules.evolve(state, effect)
    raise LineEndless(f"a line of play has no end after {ACTIONS_MAX} actions")


def medians(lines: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the median points of each seat over an odd number of lines."""
    return tuple(sorted(points)[len(points) // 2] for points in zip(*lines, strict=True))


def is_by_lines(
    lines: Sequence[Sequence[int]], scores: Sequence[int], places: Sequence[int], overdue: Sequence[int] = ()
) -> bool:
    """Return whether there are five lines, and scores and places are their medians."""
    is_whole = len(lines) == LINE_COUNT and all(len(line) == len(scores) for line in lines)
    return is_whole and not overdue and (*scores,) == medians(lines) and (*places,) == places_by_score(scores)


def decide_by_bots(match: Match, lines: BotLines | None, until: datetime, at: datetime) -> Verdict:
    """Return the outcome of a table that was left to bots until a time.

    After that time the scores at the deadline decide. Raise `ContestRefused` before it without lines, and for lines
    that do not fit the table.
    """
    if lines is None and at < until:
        raise ContestRefused(f"bots have until {until.isoformat()} to play on")
    if lines is None:
        scores = match.definition.rules.open_scores(match.state)
        return Verdict(places_by_score(scores), scores, BOTS_FAILED)
    sizes = {len(line) for line in lines.points}
    is_bounded = all(abs(points) <= SCORE_MAX for line in lines.points for points in line)
    if len(lines.points) != LINE_COUNT or sizes != {len(match.seats)} or not is_bounded:
        raise ContestRefused(f"{LINE_COUNT} lines with the points of {len(match.seats)} seats are needed")
    scores = medians(lines.points)
    return Verdict(places_by_score(scores), scores, BY_BOTS, bot=lines.bot, lines=lines.points)
