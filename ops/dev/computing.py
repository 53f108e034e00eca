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
    begins = range(0, matches, PIECE_MATCHES)
    return [msgspec.json.encode((begin, min(begin + PIECE_MATCHES, matches))) for begin in begins]


def numbers_in(piece: bytes) -> range:
    """Return the match numbers of a piece."""
    return range(*msgspec.json.decode(piece, type=Span))


def kinds_of(players: Players) -> Kinds:
    """Return the computations by kind that play matches with these titles and bots: laws, balances, ladders."""
    find_players = partial(lambda known: known, players)

    def laws(spec: bytes) -> Compute:
        wanted = msgspec.json.decode(spec, type=LawsWanted)
        return lambda piece: msgspec.json.encode(
            [check_number(number, wanted, find_players) for number in numbers_in(piece)]
        )

    def balance(spec: bytes) -> Compute:
        wanted = msgspec.json.decode(spec, type=WantedMatches)
        return lambda piece: msgspec.json.encode(
            [play(wanted, number, find_players) for number in msgspec.json.decode(piece, type=list[int])]
        )

    def ladder(spec: bytes) -> Compute:
        play_number = ladder_player(msgspec.json.decode(spec, type=WantedLadder), find_players)
        return lambda piece: msgspec.json.encode(play_number(msgspec.json.decode(piece, type=int)))

    return {LAWS: laws, BALANCE: balance, LADDER: ladder}


def check_spread(spread: Spread, wanted: LawsWanted, matches: int) -> Iterator[MatchChecked]:
    """Yield the matches of a law run, played by calculators, in order of completion."""
    for _, result in spread(LAWS, msgspec.json.encode(wanted), spans(matches)):
        yield from msgspec.json.decode(result, type=list[MatchChecked])


def play_spread(spread: Spread, wanted: WantedMatches, numbers: Sequence[int]) -> Iterator[MatchResult]:
    """Yield these matches of a balance, played by calculators, in order of completion."""
    starts = range(0, len(numbers), PIECE_MATCHES)
    pieces = [msgspec.json.encode(tuple(numbers[start : start + PIECE_MATCHES])) for start in starts]
    for _, result in spread(BALANCE, msgspec.json.encode(wanted), pieces):
        yield from msgspec.json.decode(result, type=list[MatchResult])


def ladder_spread(spread: Spread, wanted: WantedLadder, numbers: Sequence[int]) -> Iterator[PlayedMatch]:
    """Yield these matches of a ladder, one per piece because searching bots are slow."""
    for _, result in spread(LADDER, msgspec.json.encode(wanted), [msgspec.json.encode(number) for number in numbers]):
        yield msgspec.json.decode(result, type=PlayedMatch)
