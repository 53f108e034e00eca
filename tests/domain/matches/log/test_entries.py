"""Entries: stable digests, hiding and binding commitments, redaction that preserves the chain (DESIGN §3)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.kernel.hidden import Hidden
from domain.kernel.values import replace
from domain.matches.apply import fold
from domain.matches.errors import LogFault
from domain.matches.facts import ActionTaken, TableReopened, TakenBack, action_of, is_bot
from domain.matches.log.entries import (
    ALL,
    NO_DIGEST,
    Entry,
    canonical,
    check_chain,
    check_openings,
    commitment,
    digest,
    encode_fact,
    list_audiences,
    microseconds,
    redact,
    salt_for,
    seal,
    share_for,
)
from domain.matches.titles import read_fact
from tests.domain.matches.match_helpers import ALL_TITLES, START, TOY, rechain, toy_log, uuid
from tests.domain.matches.toy import Chosen, Dealt, Play

SEED = bytes(range(32))
LOG = toy_log()


def seal_fact(fact: Any, version: int = 1, seed: bytes = SEED) -> Entry:
    return seal(fact, match_id=uuid(1), version=version, previous=NO_DIGEST, timestamp=START, seed=seed)


def test_the_digest_of_an_entry_never_changes() -> None:
    """Changing this value would invalidate all existing logs (docs/specifications/log.md)."""
    entry = Entry(
        originator_id=uuid(1),
        originator_version=2,
        timestamp=datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC),
        previous=bytes(range(32)),
        body=msgspec.Raw(b'{"type":"paused","by":"service"}'),
    )

    assert digest(entry).hex() == "106651d434bea6011954cc589bf990fcfcefd922c6d481d081304382e700d296"


def test_the_digest_covers_everything_except_the_secrets() -> None:
    entry = seal_fact(TableReopened("service", Hidden("00" * 32, ())))
    changed = [
        replace(entry, originator_id=uuid(2)),
        replace(entry, originator_version=2),
        replace(entry, timestamp=START + timedelta(microseconds=1)),
        replace(entry, previous=b"\x01" * 32),
        replace(entry, body=msgspec.Raw(bytes(entry.body) + b" ")),
    ]

    assert len({digest(entry), *map(digest, changed)}) == 6
    assert digest(replace(entry, secrets=())) == digest(entry)


@settings(deadline=None)
@given(st.datetimes(timezones=st.just(UTC)))
def test_microseconds_are_exact(moment: datetime) -> None:
    assert datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds(moment)) == moment


EFFECTS = st.lists(
    st.builds(
        lambda seat, cards, audience: Dealt(seat, len(cards), Hidden(tuple(cards), tuple(sorted(audience)))),
        st.integers(0, 3),
        st.lists(st.integers(0, 99), max_size=5),
        st.sets(st.integers(0, 3)),
    ),
    max_size=5,
)


@settings(deadline=None)
@given(EFFECTS, st.sampled_from([None, 0, 1, 2, 3]), st.binary(min_size=32, max_size=32))
def test_each_reader_sees_exactly_their_own_values(effects: list[Dealt], reader: int | None, seed: bytes) -> None:
    fact: ActionTaken[Any, Any] = ActionTaken(0, "anna", tuple(effects), hidden_action=Hidden(Play(3), (0,)))
    entry = seal_fact(fact, seed=seed)
    check_openings(entry)

    whole, part = read_fact(TOY, redact(entry, ALL)), read_fact(TOY, redact(entry, reader))

    assert whole == fact
    assert encode_fact(whole) == encode_fact(part) == bytes(entry.body)
    assert digest(redact(entry, reader)) == digest(entry)
    assert isinstance(part, ActionTaken)
    for effect in part.effects:
        assert effect.cards.is_known == (reader in effect.cards.audience)
    assert action_of(part) == (Play(3) if reader == 0 else None)


def test_equal_values_do_not_show_that_they_are_equal() -> None:
    twice = ActionTaken[Any, Any](0, "anna", (Chosen(0, Hidden(7, (0,))), Chosen(0, Hidden(7, (0,)))))

    first, second = list_audiences(seal_fact(twice))
    other = next(iter(list_audiences(seal_fact(twice, version=2))))
    assert len({first, second, other}) == 3


def test_a_commitment_binds_its_value_and_salt() -> None:
    assert commitment(b"salt", canonical((1, 2))) == commitment(b"salt", b"[1,2]")
    assert len({commitment(b"salt", b"1"), commitment(b"salt", b"2"), commitment(b"other", b"1")}) == 3


def test_salts_and_shares_differ_by_match_version_and_index() -> None:
    salts = {salt_for(SEED, uuid(m), v, i) for m in (1, 2) for v in (1, 2) for i in (0, 1)}
    shares = {share_for(SEED, uuid(m), v, s) for m in (1, 2) for v in (1, 2) for s in (0, 1)}

    assert len(salts | shares) == 16
    assert all(len(value) == 32 for value in salts | shares)


def test_sealing_a_secret_without_the_seed_is_a_bug() -> None:
    with pytest.raises(AssertionError, match="server seed"):
        seal(
            TableReopened("service", Hidden("00", ())),
            match_id=uuid(1),
            version=1,
            previous=NO_DIGEST,
            timestamp=START,
            seed=None,
        )


def test_a_fact_contains_only_data() -> None:
    odd: Any = object()
    for write in (lambda: seal_fact(TakenBack(0, odd, 1)), lambda: encode_fact(TakenBack(0, odd, 1))):
        with pytest.raises(AssertionError, match="has no place in a fact"):
            write()


def test_the_chain_names_the_first_entry_that_does_not_follow() -> None:
    assert check_chain(LOG.entries).hex() == LOG.header.head
    entries = list(LOG.entries)
    late = replace(entries[3], timestamp=entries[3].timestamp + timedelta(days=1))
    for broken, version in (
        ([*entries[:4], *entries[5:]], 5),
        ([*entries[:4], replace(entries[4], previous=NO_DIGEST)], 5),
        (rechain([*entries[:3], late, *entries[4:]]), 5),
    ):
        with pytest.raises(LogFault) as fault:
            check_chain(broken)
        assert fault.value.entry == version


def test_a_body_that_is_no_fact_of_the_title_is_refused_by_entry() -> None:
    for body in (
        b'{"type":"seat_left","seat":0}',
        b'{"type":"nonsense"}',
        b"[1",
        b'{"type":"seat_left","seat":0,"by":"a","x":1}',
    ):
        entry = replace(LOG.entries[4], body=msgspec.Raw(body))
        with pytest.raises(LogFault, match=r"^entry 5: its body is not a fact of this title"):
            read_fact(TOY, entry)


def test_bots_are_known_by_their_name() -> None:
    assert [is_bot(actor) for actor in ("bot:greedy@1", "anna", "service", None)] == [True, False, False, False]


def test_a_fold_starts_with_the_first_entry() -> None:
    with pytest.raises(LogFault, match="a log begins with match_opened, not with"):
        fold(ALL_TITLES, LOG.entries[3:])
    with pytest.raises(LogFault, match="entry 5: it does not follow entry 3"):
        fold(ALL_TITLES, (*LOG.entries[:3], *LOG.entries[4:]))
    assert fold(ALL_TITLES, LOG.entries).title == "toy"
