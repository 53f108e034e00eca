"""Fixtures for match tests: the toy title, tables, shares of luck, rulings and forged logs."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.eventstore.log_files import export_log
from domain.kernel.messages import Message
from domain.kernel.rules import SERVICE_SEAT
from domain.kernel.title import AnyTitle, Title, Titles
from domain.kernel.values import replace
from domain.matches.aggregate import Match, bot_seed, legal_actions, seats_to_act, view
from domain.matches.fact_base import Authority
from domain.matches.facts import SERVICE, Actor, RulingGiven, Table
from domain.matches.forks import forking
from domain.matches.log.entries import ALL, Entry, Opening, canonical, commitment, digest
from domain.matches.log.log_files import LogFile, log_of
from domain.matches.play.in_memory import (
    Choose,
    InMemoryMatch,
    Origins,
    play_to_end,
    random_origins,
    seeded_origins,
    table_of_bots,
)
from domain.matches.rulings import ruling
from domain.matches.rulings.measures import LineResumed, Measure
from domain.matches.seats.luck_shares import share_commitment
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
    """Random origins with the test clock."""
    return random_origins(lambda: START, entropy())


def toy_log(seed: bytes = b"\x07", seats: int = 3, bots: Sequence[Actor] | None = None) -> LogFile:
    """Play a whole match of the toy from a seed."""
    return log_of(play_to_end(toy_table(seed, seats, bots), BOTS).entries)


def toy_table(seed: bytes = b"\x07", seats: int = 3, bots: Sequence[Actor] | None = None) -> InMemoryMatch:
    return table_of_bots(TOY, bots or (BOT,) * seats, {}, seeded_origins(seed))


def uuid(number: int) -> UUID:
    return UUID(int=number)


def start_match(
    matches: Matches, match_id: UUID, players: Sequence[Actor], *, title: str = "toy", table: Table | None = None
) -> Match:
    """Start a match in the store with these players."""
    matches.open(match_id, title=title, seats=len(players), by=players[0], at=START, table=table)
    for seat, player in enumerate(players):
        matches.take_seat(match_id, seat, player, at=START)
    for seat, player in enumerate(players):
        matches.ready(match_id, seat, player, at=START)
    return matches.get(match_id)


def next_action(match: Match) -> tuple[int, Actor, Any]:
    """Return the next seat to act, its actor, and a random action."""
    seat = seats_to_act(match)[0]
    legal = legal_actions(match, seat)
    if seat == SERVICE_SEAT:
        return seat, SERVICE, legal[0]
    actor = match.seats[seat].actor
    assert actor is not None
    return seat, actor, pick_random(None, view(match, seat), legal, bot_seed(match, seat))


def act_once(matches: Matches, match: Match) -> Match:
    seat, by, action = next_action(match)
    return matches.act(match.id, seat, by, action, expected_version=match.version, at=START)


def make_all_ready(matches: Matches, match: Match) -> Match:
    """Return a fork after its players have left their shares to the service."""
    while match.status == "waiting":
        seat = next(seat for seat, info in enumerate(match.seats) if not info.ready)
        match = matches.ready(match.id, seat, match.seats[seat].actor or "", at=match.timestamp)
    return match


def play_out(matches: Matches, match: Match) -> Match:
    """Play a stored match to its end."""
    match = make_all_ready(matches, match)
    while not match.is_over:
        match = act_once(matches, match)
    return match


def facts(matches: Matches, match_id: UUID, after: int = 0) -> list[Any]:
    """Return the facts of a stored match."""
    title = matches.get(match_id).definition
    return [read_fact(title, entry) for entry in matches.entries(match_id, after)]


def with_pearls(matches: Matches, match: Match) -> Match:
    """Play until the winner of a round may add pearls: an open choice without secrets."""
    while len(seats_to_act(match)) > 1 or toy.AddPearl() not in legal_actions(match, seats_to_act(match)[0]):
        match = act_once(matches, match)
    return match


def verify_log(matches: Matches, match_id: UUID) -> None:
    """Verify the log of a stored match."""
    report = verify(export_log(matches, match_id, ALL, at=START), titles=ALL_TITLES)
    assert report.is_good, report


class PlayerShare(NamedTuple):
    """A player's share and salt (hex), kept until the table is closed."""

    share: str
    salt: str

    def compute_commitment(self, match_id: UUID, seat: int, actor: str) -> str:
        """Return the commitment that the player sends first."""
        return share_commitment(match_id, seat, actor, bytes.fromhex(self.salt), bytes.fromhex(self.share))


def make_share(number: int) -> PlayerShare:
    return PlayerShare(f"{number:064x}", f"{number:032x}" * 2)


def commit(matches: Matches, match_id: UUID, seat: int, actor: str, number: int, at: datetime = START) -> Match:
    """Commit a seated player to the share with this number."""
    committed = make_share(number).compute_commitment(match_id, seat, actor)
    return matches.commit_share(match_id, seat, actor, at=at, share_commitment=committed)


def sit(matches: Matches, match_id: UUID, seat: int, actor: str, number: int, at: datetime = START) -> Match:
    """Seat a player, committed to the share with this number."""
    committed = make_share(number).compute_commitment(match_id, seat, actor)
    return matches.take_seat(match_id, seat, actor, at=at, share_commitment=committed)


def show(matches: Matches, match_id: UUID, seat: int, actor: str, number: int, at: datetime = START) -> Match:
    """Get ready and open the share with this number."""
    share, salt = make_share(number)
    return matches.ready(match_id, seat, actor, at=at, share=share, salt=salt)


def rechain(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the entries with recomputed digests."""
    chained: list[Entry] = []
    for entry in entries:
        chained.append(replace(entry, previous=digest(chained[-1])) if chained else entry)
    return tuple(chained)


def forge_entry(log: LogFile, version: int, change: Callable[[Any], Any]) -> LogFile:
    """Return the log with the body of an entry changed; `change` works on builtins."""
    entries = list(log.entries)
    body = msgspec.json.decode(entries[version - 1].body)
    changed = change(body) or body
    entries[version - 1] = replace(entries[version - 1], body=msgspec.Raw(msgspec.json.encode(changed)))
    return log_of(rechain(entries))


def replace_secret(log: LogFile, version: int, index: int, value: Any) -> LogFile:
    """Return the log with another hidden value and a matching commitment."""
    entries = list(log.entries)
    entry = entries[version - 1]
    old = entry.secrets[index]
    raw = canonical(value)
    new = Opening(commitment(bytes.fromhex(old.salt), raw), old.salt, msgspec.Raw(raw))
    body = bytes(entry.body).replace(old.commitment.encode(), new.commitment.encode())
    secrets = (*entry.secrets[:index], new, *entry.secrets[index + 1 :])
    entries[version - 1] = replace(entry, body=msgspec.Raw(body), secrets=secrets)
    return log_of(rechain(entries))


def version_of(log: LogFile, kind: str, nth: int = 0) -> int:
    """Return the version of the nth entry of a type."""
    found = [entry.version for entry in log.entries if f'"type":"{kind}"'.encode() in bytes(entry.body)[:60]]
    return found[nth]


ARBITER = "arbiter"


def build_ruling(
    name: str,
    *measures: Measure,
    appeal_of: str = "",
    upheld: bool = False,
    at: int = 1,
    authority: Authority = "",
) -> RulingGiven:
    return RulingGiven(
        ruling=name,
        dispute="dispute",
        by=ARBITER,
        at=at,
        rule="3.1",
        reasons="It was so.",
        measures=measures,
        appeal_of=appeal_of,
        upheld=upheld,
        authority=authority,
    )


def apply_ruling(matches: Matches, match_id: UUID, fact: RulingGiven) -> Match:
    """Apply a ruling to the match."""
    return matches.transact(
        lambda batch: batch.append(match_id, lambda match: ruling.check_ruling(match, fact)), at=START
    )


def resume_match(matches: Matches, match_id: UUID, version: int, new_id: UUID, name: str = "resumed") -> Match:
    """Resume the match from an entry as a replacing line."""
    fact = build_ruling(name, LineResumed(version, str(new_id)))

    def compose(batch: Batch) -> Match:
        batch.append(match_id, lambda match: ruling.check_ruling(match, fact))
        base = matches.at(match_id, version)
        forking.check_position(base, version)
        batch.fork(base, forking.build_replacement(base, ruling=name, clocks=(), seed=bytes(range(32))), new_id)
        return batch.append(new_id, lambda match: ruling.check_ruling(match, fact))

    return matches.transact(compose, at=START)
