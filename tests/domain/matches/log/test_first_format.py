"""Logs of format 1: shares are opened at any time, and the service commits to its shares too."""

from functools import partial

import pytest

from domain.kernel.chance import match_key
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.consequences import open_line
from domain.matches.errors import NotOpen, WrongShare
from domain.matches.facts import SeatReady, Table
from domain.matches.log.entries import canonical, commitment
from domain.matches.log.log_files import log_of
from domain.matches.play.in_memory import InMemoryMatch, play_to_end, seeded_origins
from domain.matches.seats import opening
from domain.matches.seats.luck_shares import commit_share
from domain.matches.verification.verify import SHOWN_EARLY, verify
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, BOTS, TOY

SHARE, SALT = "ab" * 32, "cd" * 16


def table() -> InMemoryMatch:
    """Seat Anna at a table of two, committed to a share in format 1."""
    origins = seeded_origins(b"first format")
    fact = opening.open_match(TOY, seats=2, options={}, table=Table(), by="anna", seed=origins.seed, format=1)
    match, entries = open_line(TOY, fact, origins.match_id, origins.now(), origins.step)
    play = InMemoryMatch(match, entries, origins)
    committed = commitment(bytes.fromhex(SALT), canonical(SHARE))
    play.append(partial(opening.take_seat, seat=0, by="anna", committed=committed))
    return play


def shows(match: Match, share: str | None = SHARE, salt: str | None = SALT) -> SeatReady:
    return opening.ready(match, 0, "anna", share, salt)


def test_a_match_of_the_first_format_is_played_and_examined_as_it_was() -> None:
    play = table()
    play.append(shows)
    play.append(partial(opening.take_seat, seat=1, by="bea"))
    play.append(partial(opening.leave_seat, seat=1, by="bea"))
    play.append(partial(opening.take_seat, seat=1, by=BOT))

    match = play.match
    assert match.status == "running"
    assert match.seed is not None
    assert match.seats[1].share is not None
    assert match.key == match_key(match.seed, (bytes.fromhex(SHARE), match.seats[1].share), match.id.bytes)
    play_to_end(play, {**BOTS, "anna": BOTS[BOT]})
    for reader in ("all", None, 0):
        report = verify(log_of(play.entries, reader), titles=ALL_TITLES)
        assert report.fault is None
        assert SHOWN_EARLY in report.unchecked
        assert (report.format, report.own_luck) == ("esporles.log/1", (0,))


@pytest.mark.parametrize(
    ("share", "salt", "expected"),
    [
        ("ac" * 32, SALT, "do not open its commitment"),
        (SHARE, "ce" * 16, "do not open its commitment"),
        ("AB" * 32, SALT, "is not 64 lower-case"),
        (SHARE, "c", "is not lower-case hexadecimal"),
        (SHARE, "CD", "is not lower-case hexadecimal"),
        (SHARE, "cd" * 65, "is not lower-case hexadecimal"),
        (None, None, "do not open its commitment"),
    ],
)
def test_another_share_than_the_one_committed_to_is_refused(share: str | None, salt: str | None, expected: str) -> None:
    with pytest.raises(WrongShare, match=expected):
        shows(table().match, share, salt)


def test_a_commitment_of_the_first_format_cannot_be_replaced() -> None:
    with pytest.raises(NotOpen, match="is not waiting for shares of luck"):
        commit_share(table().match, 0, "anna", "ab" * 32)
    with pytest.raises(WrongShare, match="64 lower-case hexadecimal digits"):
        opening.take_seat(table().match, 1, "bea", "xy")


def test_the_share_of_the_service_is_shown_by_the_service() -> None:
    play = table()
    play.append(partial(opening.take_seat, seat=1, by="bea"))
    play.append(partial(opening.ready, seat=1, by="bea"))

    assert play.match.seats[1].share is not None
    assert verify(log_of(play.entries), titles=ALL_TITLES).fault is None


def test_a_bot_does_not_open_the_share_of_the_player_before_it() -> None:
    match = table().match
    seats = (replace(match.seats[0], actor=BOT), match.seats[1])

    with pytest.raises(WrongShare, match="cannot open the share of the player who had seat 0 before"):
        opening.ready(replace(match, seats=seats), 0, BOT, SHARE, SALT)
