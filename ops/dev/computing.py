"""Distribute the matches of law runs, balances and ladders over calculators."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import msgspec

from ops.computing.kinds import Span
from ops.computing.spread import Spread
from ops.dev.balance.matches import MatchResult, WantedMatches, play
from ops.dev.ladder.matches import PlayedMatch, WantedLadder
from ops.dev.ladder.matches import player as ladder_player
from ops.dev.law_runs import LawsWanted, MatchChecked, check_number
from workers.computations import Compute, Kinds
from workers.matches.bot_turn import Players

LAWS: Final = "laws"
BALANCE: Final = "balance"
LADDER: Final = "ladder"
PIECE_MATCHES: Final = 8
"""Matches in one piece of work, which takes seconds with any bot."""


def spans(matches: int) -> list[bytes]:
    """Divide a number of matches into pieces."""
    starts = range(0, matches, PIECE_MATCHES)
    return [msgspec.json.encode((start, min(start + PIECE_MATCHES, matches))) for start in starts]


def numbers_in(part: bytes) -> range:
    """Return the match numbers of a piece."""
    return range(*msgspec.json.decode(part, type=Span))


def kinds_of(players: Players) -> Kinds:
    """Return the computations by kind that play matches with these titles and bots: laws, balances, ladders."""
    find_players = partial(lambda found: found, players)

    def laws(spec: bytes) -> Compute:
        plan = msgspec.json.decode(spec, type=LawsWanted)
        return lambda part: msgspec.json.encode(
            [check_number(number, plan, find_players) for number in numbers_in(part)]
        )

    def balance(spec: bytes) -> Compute:
        plan = msgspec.json.decode(spec, type=WantedMatches)
        return lambda part: msgspec.json.encode(
            [play(plan, number, find_players) for number in msgspec.json.decode(part, type=list[int])]
        )

    def ladder(spec: bytes) -> Compute:
        play_number = ladder_player(msgspec.json.decode(spec, type=WantedLadder), find_players)
        return lambda part: msgspec.json.encode(play_number(msgspec.json.decode(part, type=int)))

    return {LAWS: laws, BALANCE: balance, LADDER: ladder}


def check_spread(spread: Spread, plan: LawsWanted, matches: int) -> Iterator[MatchChecked]:
    """Yield the matches of a law run, played by calculators, in order of completion."""
    for _, result in spread(LAWS, msgspec.json.encode(plan), spans(matches)):
        yield from msgspec.json.decode(result, type=list[MatchChecked])


def play_spread(spread: Spread, plan: WantedMatches, numbers: Sequence[int]) -> Iterator[MatchResult]:
    """Yield these matches of a balance, played by calculators, in order of completion."""
    starts = range(0, len(numbers), PIECE_MATCHES)
    parts = [msgspec.json.encode(tuple(numbers[start : start + PIECE_MATCHES])) for start in starts]
    for _, result in spread(BALANCE, msgspec.json.encode(plan), parts):
        yield from msgspec.json.decode(result, type=list[MatchResult])


def ladder_spread(spread: Spread, plan: WantedLadder, numbers: Sequence[int]) -> Iterator[PlayedMatch]:
    """Yield these matches of a ladder, one per piece because searching bots are slow."""
    for _, result in spread(LADDER, msgspec.json.encode(plan), [msgspec.json.encode(number) for number in numbers]):
        yield msgspec.json.decode(result, type=PlayedMatch)
