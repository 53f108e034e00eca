"""The register of keys: additions, names at seats, retirement."""

from typing import Final

import pytest

from domain.eventstore.application import Matches
from domain.kernel.ed25519 import SMALL_ORDER
from domain.keys.commands import (
    RETIRED_MAX,
    add_seat_key,
    keyring_of,
    keys_of,
    register_key,
    require_registrable,
    retire_all_keys,
    retire_key,
    take_seat_with_key,
)
from domain.keys.state import KEYS, Keyring, stream_of
from domain.matches.errors import BadSignature, NoSuchKey, SeatTakenAlready, WrongShare
from domain.matches.log.records import check_records
from domain.signatures.keys import KEYS_MAX, NamedKey
from tests.domain.matches.match_helpers import BOT, START, start_match, uuid
from tests.signing import Pen

FIRST, SECOND, THIRD = Pen("first"), Pen("second"), Pen("third")
M: Final = uuid(1)


def test_a_further_key_is_vouched_for_or_valid_by_sign_in_only(matches: Matches) -> None:
    register_key(matches, "anna", FIRST.named_key, at=START)
    register_key(matches, "anna", FIRST.vouches_for(SECOND, "anna"), at=START)
    register_key(matches, "anna", THIRD.named_key, at=START)
    again = register_key(matches, "anna", THIRD.named_key, at=START)

    assert again.keys == (FIRST.named_key, FIRST.vouches_for(SECOND, "anna"), THIRD.named_key)
    assert keys_of(matches, "anna") == again.keys
    assert keys_of(matches, "bea") == keys_of(matches, BOT) == ()
    check_records(matches.streams.records(stream_of("anna")))


def test_only_a_key_of_the_same_person_vouches(matches: Matches) -> None:
    """Neither another person's key vouches, nor a signature for another person."""
    register_key(matches, "anna", FIRST.named_key, at=START)
    register_key(matches, "bea", THIRD.named_key, at=START)

    for key in (THIRD.vouches_for(SECOND, "anna"), FIRST.vouches_for(SECOND, "bea"), NamedKey("nonsense")):
        with pytest.raises(BadSignature):
            register_key(matches, "anna", key, at=START)
    assert keyring_of(matches, "anna").keys == (FIRST.named_key,)


def test_a_key_that_nobody_can_register_is_refused_before() -> None:
    require_registrable("")
    require_registrable(FIRST.key)
    with pytest.raises(BadSignature, match="is weak"):
        require_registrable(min(SMALL_ORDER).hex())


def test_a_retired_key_is_no_longer_named(matches: Matches) -> None:
    """Keys it vouched for stay, valid by sign-in only. It is never registered again."""
    register_key(matches, "anna", FIRST.named_key, at=START)
    register_key(matches, "anna", FIRST.vouches_for(SECOND, "anna"), at=START)
    retire_key(matches, "anna", FIRST.key, at=START)

    assert keys_of(matches, "anna") == (SECOND.named_key,)
    with pytest.raises(BadSignature, match="was revoked; create a new one"):
        register_key(matches, "anna", FIRST.named_key, at=START)
    for person in ("anna", "carl"):
        with pytest.raises(NoSuchKey, match="has no key"):
            retire_key(matches, person, FIRST.key, at=START)


def test_the_number_of_keys_is_limited(matches: Matches) -> None:
    for number in range(KEYS_MAX):
        register_key(matches, "anna", Pen(str(number)).named_key, at=START)

    with pytest.raises(BadSignature, match="at most 16"):
        register_key(matches, "anna", FIRST.named_key, at=START)


def test_an_earlier_key_can_vouch_for_one_that_was_good_by_sign_in_only(matches: Matches) -> None:
    """The first device vouches for the second, which signed in; a later key does not vouch for an earlier one."""
    register_key(matches, "anna", FIRST.named_key, at=START)
    register_key(matches, "anna", SECOND.named_key, at=START)
    register_key(matches, "anna", FIRST.vouches_for(SECOND, "anna"), at=START)

    assert keys_of(matches, "anna") == (FIRST.named_key, FIRST.vouches_for(SECOND, "anna"))
    with pytest.raises(BadSignature, match=", is not an earlier key"):
        register_key(matches, "anna", SECOND.vouches_for(FIRST, "anna"), at=START)


def test_the_number_of_retired_keys_is_limited(matches: Matches) -> None:
    for number in range(RETIRED_MAX):
        register_key(matches, "anna", Pen(str(number)).named_key, at=START)
        retire_key(matches, "anna", Pen(str(number)).key, at=START)

    with pytest.raises(BadSignature, match="'anna' has revoked 256 keys"):
        register_key(matches, "anna", FIRST.named_key, at=START)


def test_a_browser_brings_its_key_to_a_seat_in_one_transaction(matches: Matches) -> None:
    """Registered and named at once, idempotently; without a seat the key is only registered."""
    start_match(matches, M, ("anna", BOT))
    match = add_seat_key(matches, M, "anna", FIRST.named_key, at=START)
    assert match.seats[0].keys == (FIRST.named_key,)
    match = add_seat_key(matches, M, "anna", FIRST.vouches_for(SECOND, "anna"), at=START)
    assert match.seats[0].keys == (FIRST.named_key, FIRST.vouches_for(SECOND, "anna"))
    assert add_seat_key(matches, M, "anna", SECOND.named_key, at=START).version == match.version
    add_seat_key(matches, M, "bea", THIRD.named_key, at=START)

    assert keys_of(matches, "bea") == (THIRD.named_key,)
    assert matches.get(M).version == match.version


def test_the_key_of_a_browser_is_registered_with_its_seat_or_not_at_all(matches: Matches) -> None:
    matches.open(M, title="toy", seats=2, by="anna", at=START)
    match = take_seat_with_key(matches, M, 0, "anna", FIRST.key, at=START)
    with pytest.raises(SeatTakenAlready):
        take_seat_with_key(matches, M, 0, "bea", SECOND.key, at=START)
    assert keys_of(matches, "bea") == ()
    take_seat_with_key(matches, M, 1, "bea", "", at=START)

    assert (match.seats[0].keys, keys_of(matches, "anna")) == ((FIRST.named_key,), (FIRST.named_key,))
    assert keys_of(matches, "bea") == ()


def test_all_keys_are_retired_at_once(matches: Matches) -> None:
    register_key(matches, "anna", FIRST.named_key, at=START)
    register_key(matches, "anna", FIRST.vouches_for(SECOND, "anna"), at=START)
    for person in ("anna", "bea"):
        retire_all_keys(matches, person, at=START)

    assert keyring_of(matches, "anna") == Keyring((), (FIRST.key, SECOND.key))
    assert keys_of(matches, "bea") == ()
    check_records(matches.streams.records(stream_of("anna")))


def test_a_browser_brings_a_share_of_luck_with_its_key_or_neither(matches: Matches) -> None:
    matches.open(M, title="toy", seats=2, by="anna", at=START)
    matches.take_seat(M, 0, "anna", at=START)
    with pytest.raises(WrongShare):
        add_seat_key(matches, M, "anna", FIRST.named_key, at=START, share="nonsense")
    assert keys_of(matches, "anna") == ()
    match = add_seat_key(matches, M, "anna", FIRST.named_key, at=START, share="ab" * 32)
    again = add_seat_key(matches, M, "anna", FIRST.named_key, at=START, share="ab" * 32)

    assert (match.seats[0].share_commitment, match.seats[0].keys) == ("ab" * 32, (FIRST.named_key,))
    assert again.version == match.version


def test_a_voucher_that_the_seat_has_not_named_vouches_for_nothing_there(matches: Matches) -> None:
    start_match(matches, M, ("anna", BOT))
    register_key(matches, "anna", FIRST.named_key, at=START)
    match = add_seat_key(matches, M, "anna", FIRST.vouches_for(SECOND, "anna"), at=START)

    assert match.seats[0].keys == (SECOND.named_key,)
    assert KEYS.name == "keys"
