"""A bot that cannot play a title gets no seat, because the match would wait forever."""

from datetime import timedelta

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.matches.errors import BotCannotPlay
from domain.matches.facts import Clock, Table
from domain.matches.seats.bots import thinking_milliseconds
from tests.domain.matches.match_helpers import START, play_out, start_match, uuid
from tests.seeding import new_id

GREEDY = "bot:greedy@2"
MINUTE = timedelta(minutes=1)
NAMED = "the bot 'greedy' cannot play toy"


def test_an_unable_bot_takes_no_seat(sqlite: Matches) -> None:
    sqlite.open(uuid(1), title="toy", seats=2, by="anna", at=START)
    with pytest.raises(BotCannotPlay, match=NAMED):
        sqlite.take_seat(uuid(1), 1, GREEDY, at=START)


def test_an_unable_bot_replaces_no_player(sqlite: Matches) -> None:
    table = Table(clock=Clock("per_move", 60), time_out="bot")
    match = start_match(sqlite, uuid(1), ("anna", "ben"), table=table)
    with pytest.raises(BotCannotPlay, match=NAMED):
        sqlite.replace_seat(match.id, 0, "anna", actor=GREEDY, at=START)
    with pytest.raises(BotCannotPlay, match=NAMED):
        sqlite.time_out(match.id, 0, "service", bot=GREEDY, at=START + MINUTE)


def test_an_unable_bot_gets_no_seat_in_a_fork(sqlite: Matches) -> None:
    match = play_out(sqlite, start_match(sqlite, uuid(1), ("anna", "ben")))
    assert match.started_version is not None
    with pytest.raises(BotCannotPlay, match=NAMED):
        fork_match(
            sqlite,
            match.id,
            at_version=match.started_version,
            new_id=new_id(),
            luck="fresh",
            by="anna",
            at=START,
            seats=("anna", GREEDY),
        )


def test_searching_bots_have_a_maximum_thinking_time() -> None:
    assert thinking_milliseconds("bot:search-steady@6") == 1_000
    assert thinking_milliseconds(GREEDY) == thinking_milliseconds("anna") == thinking_milliseconds(None) == 0
