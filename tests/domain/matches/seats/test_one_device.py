"""Tables on one device: players, options, passing the device, and later use of the match."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.values import replace
from domain.matches.aggregate import Match, seats_to_act
from domain.matches.entropy import server_seed
from domain.matches.errors import BadSignature, NotHeld, OneDeviceRefused
from domain.matches.facts import SERVICE, Clock, SeatReady, Table, Voided, is_local
from domain.matches.play.commands import replace_seat
from domain.matches.seats.current_seats import has_open_seat
from domain.matches.seats.departures import OPENER_LEFT, remove_person
from domain.matches.seats.event_tables import begin_on_one_device, fault_of_event_table
from domain.matches.seats.luck_shares import commit_share
from domain.matches.seats.one_device import (
    check_one_device,
    device_token,
    find_device_seat,
    find_local_seat_to_act,
    pass_device,
    require_no_share,
)
from domain.matches.seats.opening import ready, take_seat
from domain.matches.signatures.signing_keys import name_key
from domain.notifications.turns import next_notices
from domain.ratings.leaving import stays_of
from domain.signatures.keys import NamedKey
from tests.domain.matches.match_helpers import (
    ALL_TITLES,
    BOT,
    START,
    TOY,
    act_once,
    facts,
    play_out,
    uuid,
    verify_log,
)
from tests.seeding import entropy

ONE: Final = Table(one_device=True)
ANN: Final = "local-" + "a" * 32
BEN: Final = "local-" + "b" * 32
M, F = uuid(1), uuid(2)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"), titles=ALL_TITLES, entropy=entropy())
    yield matches
    matches.close()


def begin_match(matches: Matches, *players: str, table: Table = ONE) -> Match:
    return matches.transact(
        lambda batch: begin_on_one_device(
            batch,
            TOY,
            M,
            players=players or (ANN, BEN, BOT),
            options={},
            table=table,
            by="opener",
            seed=server_seed(matches.entropy, M),
        ),
        at=START,
    )


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"rated": True}, "rated=true"),
        ({"event": "cup"}, "event=cup"),
        ({"clock": Clock("per_move", 60)}, "a clock of the kind 'per_move'"),
        ({"signed": True}, "signed=true"),
        ({"programs": True}, "programs=true"),
        ({"hints": True}, "hints=true"),
        ({"talk": True}, "talk=true"),
        ({"leaving_max": 10}, "leavingMax=10"),
    ],
)
def test_one_device_excludes_clocks_ratings_and_options_for_accounts(options: dict[str, Any], named: str) -> None:
    table = replace(ONE, **options)

    with pytest.raises(OneDeviceRefused, match=f"not possible at a table on one device: {named}"):
        check_one_device(table)
    for other in (ONE, replace(ONE, public=False, talk=False), replace(table, one_device=False)):
        check_one_device(other)


def test_one_device_tables_have_no_chat_and_no_event() -> None:
    assert ONE.is_silent
    assert fault_of_event_table(ONE) == "oneDevice=true: event tables cannot be on one device"


def test_a_one_device_match_starts_at_once_with_guests_without_shares_and_keys(matches: Matches) -> None:
    match = begin_match(matches)

    ready = [fact for fact in facts(matches, M) if isinstance(fact, SeatReady) and is_local(fact.by)]
    assert match.status == "running"
    assert [starter.standing for starter in match.starters] == ["guest", "guest", ""]
    assert [(fact.by, fact.standing) for fact in ready] == [(ANN, "guest"), (BEN, "guest")]
    verify_log(matches, M)


def test_one_device_requires_two_people(matches: Matches) -> None:
    with pytest.raises(OneDeviceRefused, match="a table on one device needs at least 2 people, not 1"):
        begin_match(matches, ANN, BOT)


def test_local_guests_sit_only_at_one_device_tables_and_people_never(matches: Matches) -> None:
    matches.open(M, title="toy", seats=2, by="opener", at=START, table=ONE)
    matches.open(F, title="toy", seats=2, by="opener", at=START)
    match, plain = matches.get(M), matches.get(F)

    with pytest.raises(OneDeviceRefused, match="the table is on one device: only its local guests and bots can"):
        take_seat(match, 0, "opener")
    with pytest.raises(OneDeviceRefused, match="is a local guest, and this table is not on one device"):
        take_seat(plain, 0, ANN)
    with pytest.raises(OneDeviceRefused, match="cannot have a share of luck or a key"):
        take_seat(match, 0, ANN, "0" * 64)
    with pytest.raises(OneDeviceRefused, match="cannot have a share of luck or a key"):
        require_no_share(ANN, "service", has_keys=True)
    seated = matches.take_seat(M, 0, ANN, at=START)
    with pytest.raises(OneDeviceRefused, match="cannot have a share of luck or a key"):
        commit_share(seated, 0, ANN, "0" * 64)
    with pytest.raises(BadSignature, match="cannot sign"):
        name_key(seated, 0, ANN, NamedKey("2" * 64))


def test_a_bot_may_replace_a_local_guest_but_no_person(matches: Matches) -> None:
    match = begin_match(matches)

    with pytest.raises(OneDeviceRefused, match="not 'zoe'"):
        replace_seat(match, 0, SERVICE, "zoe")
    assert matches.replace_seat(M, 0, ANN, actor=BOT, at=START).seats[0].actor == BOT
    verify_log(matches, M)


def test_one_device_matches_have_no_pauses(matches: Matches) -> None:
    begin_match(matches)

    with pytest.raises(OneDeviceRefused, match="a table on one device needs no pauses"):
        matches.ask_pause(M, 0, ANN, at=START)


def test_the_device_stays_with_a_seat_until_another_guest_acts(matches: Matches) -> None:
    match = begin_match(matches)
    first = find_local_seat_to_act(match)
    assert first is not None
    word = pass_device(match, first)

    assert find_device_seat(match, word) == first
    assert [find_device_seat(match, wrong) for wrong in ("", "x", f"{1 - first}.0", f"{first}.7")] == [None] * 4
    with pytest.raises(NotHeld, match=f"seat {first} is to act: the device cannot be passed to seat {1 - first}"):
        pass_device(match, 1 - first)


def test_a_token_is_valid_for_one_stretch_only(matches: Matches) -> None:
    match, tokens = begin_match(matches), set[str]()
    while not match.is_over:
        seat = find_local_seat_to_act(match)
        if seat is None:
            assert [find_device_seat(match, word) for word in tokens] == [None] * len(tokens)
            assert -1 in seats_to_act(match) or 2 in seats_to_act(match)
        else:
            # Of all tokens so far, at most the token of the current turn is valid.
            assert {word for word in tokens if find_device_seat(match, word) is not None} <= {device_token(match, seat)}
            tokens.add(pass_device(match, seat))
        match = act_once(matches, match)
    with pytest.raises(NotHeld, match="no local guest is to act in match"):
        pass_device(match, 0)
    assert len(tokens) > 2
    verify_log(matches, M)


def test_one_device_matches_are_unrated_and_notify_no_player(matches: Matches) -> None:
    match = begin_match(matches)

    assert next_notices((), match) == ()
    ended = play_out(matches, match)
    assert next_notices((), ended) == ()
    assert stays_of(ended) == ()


def test_a_fork_of_a_one_device_match_is_an_ordinary_table(matches: Matches) -> None:
    ended = play_out(matches, begin_match(matches))
    start = ended.started_version
    assert start is not None

    fork = fork_match(matches, M, at_version=start, new_id=F, luck="same", by="zoe", at=START)

    assert [info.actor for info in fork.seats] == [None, None, BOT]
    assert not fork.table.is_one_device
    with pytest.raises(OneDeviceRefused, match="is a local guest"):
        fork_match(
            matches, M, at_version=start, new_id=uuid(3), luck="same", by="zoe", at=START, seats=(ANN, None, BOT)
        )


def test_a_one_device_match_is_voided_when_its_opener_leaves(matches: Matches) -> None:
    begin_match(matches)
    assert has_open_seat(matches, M, "opener")

    remove_person(matches, M, "zoe", lambda _: BOT, at=START)
    gone = remove_person(matches, M, "opener", lambda _: BOT, at=START)

    assert gone.status == "void"
    assert facts(matches, M)[-1] == Voided(SERVICE, OPENER_LEFT)
    assert not has_open_seat(matches, M, "opener")
    verify_log(matches, M)


def test_a_local_guest_always_has_guest_standing(matches: Matches) -> None:
    matches.open(M, title="toy", seats=2, by="opener", at=START, table=ONE)

    assert ready(matches.take_seat(M, 0, ANN, at=START), 0, ANN, standing="provisional").standing == "guest"
