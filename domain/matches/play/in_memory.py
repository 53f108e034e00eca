"""Matches of bots in memory, without a store: for `esporles play` and `fork`, and for tests."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final
from uuid import UUID

import msgspec

from domain.kernel.chance import hkdf_expand
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.title import AnyRules, AnyTitle, Titles
from domain.matches.aggregate import Match, bot_seed, legal_actions, seats_to_act, view
from domain.matches.apply import fold
from domain.matches.consequences import append, fork_line, open_line
from domain.matches.entropy import Entropy, server_seed, system_entropy
from domain.matches.errors import ForkRefused
from domain.matches.facts import FORMAT, SERVICE, Actor, FormatNumber, Luck, Table
from domain.matches.forks import forking
from domain.matches.log.entries import ALL, Entry
from domain.matches.log.log_files import LogFile
from domain.matches.play import commands
from domain.matches.seats import opening

Choose = Callable[[AnyRules, Any, tuple[Any, ...], bytes], Any]
"""A bot: (rules, view, legal actions, seed) → a legal action."""

SEEDED_START: Final = datetime(2000, 1, 1, tzinfo=UTC)
SECOND: Final = timedelta(seconds=1)


class Origins(msgspec.Struct, frozen=True):
    """Sources of a match's id, seed and timestamps."""

    match_id: UUID
    seed: bytes
    now: Callable[[], datetime]
    step: timedelta = timedelta(0)


class MatchLog(msgspec.Struct, frozen=True):
    """A match in memory with its log."""

    match: Match
    entries: tuple[Entry, ...]


def seeded_origins(seed: bytes) -> Origins:
    """Derive id, seed and timestamps from a seed, for reproducible matches (DESIGN §7, `--seed`)."""
    server_seed = hashlib.sha256(seed).digest()
    match_id = UUID(bytes=hkdf_expand(server_seed, b"match", 16), version=4)
    return Origins(match_id, server_seed, lambda: SEEDED_START, SECOND)


def random_origins(now: Callable[[], datetime], entropy: Entropy = system_entropy) -> Origins:
    """Return origins with random id and seed and the caller's clock."""
    match_id = UUID(bytes=entropy(16, "id"), version=4)
    return Origins(match_id, server_seed(entropy, match_id), now)


class InMemoryMatch:
    """A match in memory that is being played."""

    def __init__(self, match: Match, entries: Sequence[Entry], origins: Origins) -> None:
        self.match = match
        self.entries = list(entries)
        self._origins = origins

    def append(self, decide: Callable[[Match], Any], *, at: datetime | None = None) -> None:
        """Append the fact that `decide` returns for the match, and its consequences, to `match` and `entries`.

        Without `at` the time is one step after the last entry, or now if the origins have no step.
        """
        if at is None:
            at = self.match.timestamp + self._origins.step if self._origins.step else self._origins.now()
        self.match, added = append(self.match, decide(self.match), at, self._origins.step)
        self.entries.extend(added)

    def act(self, seat: Seat, by: Actor, action: object) -> None:
        """Append an action."""
        self.append(lambda match: commands.act(match, seat, by, action))

    @property
    def log(self) -> MatchLog:
        """The match and its entries so far."""
        return MatchLog(self.match, tuple(self.entries))


def table_of_bots(
    title: AnyTitle,
    bots: Sequence[Actor],
    options: Mapping[str, str],
    origins: Origins,
    table: Table | None = None,
    *,
    format: FormatNumber = FORMAT,
) -> InMemoryMatch:
    """Open a match by the service and seat one bot per seat, which starts it."""
    fact = opening.open_match(
        title,
        seats=len(bots),
        options=options,
        table=table or Table(),
        by=SERVICE,
        seed=origins.seed,
        format=format,
    )
    match, entries = open_line(title, fact, origins.match_id, origins.now(), origins.step)
    play = InMemoryMatch(match, entries, origins)
    for seat, bot in enumerate(bots):
        play.append(partial(opening.take_seat, seat=seat, by=bot))
    return play


def bot_action(match: Match, seat: Seat, choose: Choose) -> Any:
    """Return a bot's action; the bot sees a view and its legal actions, never the state."""
    return choose(match.definition.rules, view(match, seat), legal_actions(match, seat), bot_seed(match, seat))


def play_to_end(
    play: InMemoryMatch, bots: Mapping[Actor, Choose], on_entry: Callable[[Match], None] | None = None
) -> MatchLog:
    """Play a match of bots to the end and return its log; raise `KeyError` for an unknown bot.

    The service acts for `SERVICE_SEAT` with the first legal action. `on_entry` is called after every action.
    """
    while not play.match.is_over:
        seat = seats_to_act(play.match)[0]
        if seat == SERVICE_SEAT:
            play.act(seat, SERVICE, legal_actions(play.match, seat)[0])
        else:
            actor = play.match.seats[seat].actor
            assert actor is not None, f"seat {seat} is empty"
            play.act(seat, actor, bot_action(play.match, seat, bots[actor]))
        if on_entry is not None:
            on_entry(play.match)
    return play.log


def fork_log(
    log: LogFile,
    *,
    at_version: int,
    luck: Luck,
    by: Actor,
    origins: Origins,
    titles: Titles,
    seats: tuple[Actor | None, ...] | None = None,
    awaits: tuple[int, ...] = (),
    practice: str = "",
) -> InMemoryMatch:
    """Fork a match in a file; the result begins with the entries up to `at_version`.

    Raise `ForkRefused` for a redacted log, an entry it does not have, or the same luck before the match has ended, and
    as `check_forkable` and `forking.fork`.
    """
    if log.reader != ALL:
        raise ForkRefused(f"the log is redacted for {log.header.redacted_for}; only a complete log can be forked")
    if not 1 <= at_version <= len(log.entries):
        raise ForkRefused(f"the log has entries 1 to {len(log.entries)}, not {at_version}")
    full_match = fold(titles, log.entries)
    prefix = log.entries[:at_version]
    base = fold(titles, prefix)
    forking.check_forkable(base, at_version)
    is_over = full_match.is_over
    fact = forking.fork(
        base, luck=luck, by=by, seats=seats, seed=origins.seed, parent_is_over=is_over, awaits=awaits, practice=practice
    )
    match, entries = fork_line(base, fact, origins.match_id, origins.now(), origins.step)
    return InMemoryMatch(match, (*prefix, *entries), origins)
