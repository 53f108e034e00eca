"""What calculators can compute, and how its parts are written."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import msgspec

from api.transparency.examination import Examination
from api.transparency.examining import Difference
from domain.matches.verify import VerifyReport
from domain.proofs.match import verify_content
from domain.transparency.notes import parse_keys
from ops.balance.matches import MatchResult, WantedMatches, play
from ops.computing.spreading import Spread
from ops.ladder.matches import PlayedMatch, WantedLadder
from ops.ladder.matches import player as ladder_player
from ops.law_runs import LawsWanted, MatchChecked, check_number
from ops.transparency.examining import Begun, examiner_under, spans_of, tiles_of
from projections.settings import Settings
from workers.computations import Compute, Kinds
from workers.matches.bot_turn import Players

LAWS: Final = "laws"
BALANCE: Final = "balance"
LADDER: Final = "ladder"
VERIFY: Final = "verify"
EXAMINE: Final = "examine"
PIECE_MATCHES: Final = 8
"""The matches of one piece: seconds, whoever plays them."""

Span = tuple[int, int]
"""The first match of a piece, and the one after its last."""


class Trusted(msgspec.Struct, frozen=True):
    """A file of verifier keys, as it was read; none where nobody is trusted beforehand."""

    keys: str | None = None


def spans(matches: int) -> list[bytes]:
    """So many matches in pieces."""
    begins = range(0, matches, PIECE_MATCHES)
    return [msgspec.json.encode((begin, min(begin + PIECE_MATCHES, matches))) for begin in begins]


def numbers_in(piece: bytes) -> range:
    return range(*msgspec.json.decode(piece, type=Span))


def kinds_of(players: Players, settings: Settings) -> Kinds:
    """What a calculator with these titles and bots computes, and with the log and the tree of these settings."""
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

    def verify(spec: bytes) -> Compute:
        keys = msgspec.json.decode(spec, type=Trusted).keys
        trust = None if keys is None else parse_keys(keys)
        return lambda piece: msgspec.json.encode(verify_content(piece, titles=players.titles, trust=trust))

    def examine(spec: bytes) -> Compute:
        find = examiner_under(settings, msgspec.json.decode(spec, type=Begun))
        return lambda piece: msgspec.json.encode(find(*msgspec.json.decode(piece, type=Span)))

    return {LAWS: laws, BALANCE: balance, LADDER: ladder, VERIFY: verify, EXAMINE: examine}


def check_spread(spread: Spread, wanted: LawsWanted, matches: int) -> Iterator[MatchChecked]:
    """The matches of a law run."""
    for _, result in spread(LAWS, msgspec.json.encode(wanted), spans(matches)):
        yield from msgspec.json.decode(result, type=list[MatchChecked])


def play_spread(spread: Spread, wanted: WantedMatches, numbers: Sequence[int]) -> Iterator[MatchResult]:
    """These matches of a balance."""
    starts = range(0, len(numbers), PIECE_MATCHES)
    pieces = [msgspec.json.encode(tuple(numbers[start : start + PIECE_MATCHES])) for start in starts]
    for _, result in spread(BALANCE, msgspec.json.encode(wanted), pieces):
        yield from msgspec.json.decode(result, type=list[MatchResult])


def ladder_spread(spread: Spread, wanted: WantedLadder, numbers: Sequence[int]) -> Iterator[PlayedMatch]:
    """These matches of a ladder, each a piece: bots that search take their time."""
    for _, result in spread(LADDER, msgspec.json.encode(wanted), [msgspec.json.encode(number) for number in numbers]):
        yield msgspec.json.decode(result, type=PlayedMatch)


def verify_spread(spread: Spread, contents: list[bytes], keys: str | None) -> Iterator[tuple[int, VerifyReport]]:
    """Logs and proofs of matches, by their place."""
    for place, result in spread(VERIFY, msgspec.json.encode(Trusted(keys)), contents):
        yield place, msgspec.json.decode(result, type=VerifyReport)


def examine_spread(spread: Spread, state: Examination) -> Iterator[tuple[int, list[Difference]]]:
    """What is found in the tiles of a store, in their order. What is asked for is the same after a kill."""
    begun, spans_ = Begun(state.begun, state.size, state.root), spans_of(tiles_of(state))
    done, reached = dict[int, list[Difference]](), 0
    for number, result in spread(EXAMINE, msgspec.json.encode(begun), [msgspec.json.encode(span) for span in spans_]):
        done[number] = msgspec.json.decode(result, type=list[Difference])
        while reached in done:
            yield spans_[reached][1], done.pop(reached)
            reached += 1
