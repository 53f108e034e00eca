"""A small world for match tests: the toy title, bots, a clock that ticks, tables ready to play."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.kernel.messages import Message
from domain.kernel.rules import HOUSE
from domain.kernel.title import AnyTitle, Title, Titles
from domain.matches.aggregate import Match, bot_seed, legal_actions, seats_to_act, view
from domain.matches.facts import SERVICE, Actor, Table
from domain.matches.log.entries import ALL
from domain.matches.log.file import LogFile, log_of
from domain.matches.play.in_memory import Choose, Origins, Play, play_on, random_origins, seed_luck, table_of_bots
from domain.matches.titles import read_fact
from domain.matches.verification.verify import verify
from domain.titles import TITLES
from tests.domain.matches import toy
from tests.seeding import entropy

TOY: Final[AnyTitle] = Title(rules=toy, codec=toy.CODEC, printed_name="Toy", words=Message("Pearls and cards."))
ALL_TITLES: Final[Titles] = {**TITLES, "toy": TOY}
START: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
BOT: Final = "bot:random@1"
LAST_BOT: Final = "bot:last@1"


def pick_random(_rules: Any, _view: Any, legal: tuple[Any, ...], seed: bytes) -> Any:
    return legal[int.from_bytes(seed[:8], "big") % len(legal)]


def pick_last(_rules: Any, _view: Any, legal: tuple[Any, ...], _seed: bytes) -> Any:
    return legal[-1]


BOTS: Final[dict[Actor, Choose]] = {BOT: pick_random, LAST_BOT: pick_last}


def some_origins() -> Origins:
    """A random match, at the tests' own time."""
    return random_origins(lambda: START, entropy())


def toy_log(seed: bytes = b"\x07", seats: int = 3, bots: Sequence[Actor] | None = None) -> LogFile:
    """A whole match of the toy, from a seed."""
    return log_of(play_on(toy_table(seed, seats, bots), BOTS).entries)


def toy_table(seed: bytes = b"\x07", seats: int = 3, bots: Sequence[Actor] | None = None) -> Play:
    return table_of_bots(TOY, bots or (BOT,) * seats, {}, seed_luck(seed))


def uuid(number: int) -> UUID:
    return UUID(int=number)


def started(
    matches: Matches, match_id: UUID, players: Sequence[Actor], *, title: str = "toy", table: Table | None = None
) -> Match:
    """A table in the store with these players, all ready."""
    matches.open(match_id, title=title, seats=len(players), by=players[0], at=START, table=table)
    for seat, player in enumerate(players):
        matches.take_seat(match_id, seat, player, at=START)
    for seat, player in enumerate(players):
        matches.ready(match_id, seat, player, at=START)
    return matches.get(match_id)


def next_action(match: Match) -> tuple[int, Actor, Any]:
    """The next seat to act, for whom, and what a random bot would do there."""
    seat = seats_to_act(match)[0]
    legal = legal_actions(match, seat)
    if seat == HOUSE:
        return seat, SERVICE, legal[0]
    actor = match.seats[seat].actor
    assert actor is not None
    return seat, actor, pick_random(None, view(match, seat), legal, bot_seed(match, seat))


def act_once(matches: Matches, match: Match) -> Match:
    seat, by, action = next_action(match)
    return matches.act(match.id, seat, by, action, expected_version=match.version, at=START)


def gathered(matches: Matches, match: Match) -> Match:
    """A fork whose players have come, and leave their shares of luck to the service."""
    while match.status == "waiting":
        seat = next(seat for seat, info in enumerate(match.seats) if not info.ready)
        match = matches.ready(match.id, seat, match.seats[seat].actor or "", at=match.timestamp)
    return match


def played_out(matches: Matches, match: Match) -> Match:
    """The match in the store, played to its end."""
    match = gathered(matches, match)
    while not match.is_over:
        match = act_once(matches, match)
    return match


def facts(matches: Matches, match_id: UUID, after: int = 0) -> list[Any]:
    """What happened to a match in the store."""
    title = matches.get(match_id).definition
    return [read_fact(title, entry) for entry in matches.entries(match_id, after)]


def with_pearls(matches: Matches, match: Match) -> Match:
    """On to where the winner of a round may add pearls: an open choice with nothing secret in it."""
    while len(seats_to_act(match)) > 1 or toy.AddPearl() not in legal_actions(match, seats_to_act(match)[0]):
        match = act_once(matches, match)
    return match


def verified(matches: Matches, match_id: UUID) -> None:
    """The match in the store stands every examination."""
    report = verify(export_log(matches, match_id, ALL, at=START), titles=ALL_TITLES)
    assert report.is_good, report
