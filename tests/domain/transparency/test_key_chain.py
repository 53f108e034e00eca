"""The chain of the keys of a log: what continues it, which key is valid where, and who is trusted through it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from domain.transparency.announcements import FormatChanged, KeyChanged, RootNamed
from domain.transparency.errors import FalseProof, Malformed, NotSigned
from domain.transparency.key_chain import (
    CHANGES_MAX,
    KeyChain,
    KeyHistory,
    chain_of,
    last_key,
    notes_in,
    require_same_history,
)
from domain.transparency.key_notes import RootNaming
from domain.transparency.keys import Signer
from domain.transparency.notes import VerifierKey
from tests.domain.transparency.key_holders import (
    BEGIN,
    ORIGIN,
    OVERLAP,
    change,
    log_key,
    naming,
    root_key,
    sign_text,
    signer_named,
)

FIRST, SECOND, THIRD, ROOT = log_key(0), log_key(1), log_key(2), root_key()
NAMED = (3, naming(FIRST, ROOT))
PLANNED = (10, change(FIRST, SECOND, ROOT, 8))
STOLEN = (20, change(SECOND, THIRD, ROOT, 15, "stolen"))
CHAIN = chain_of((NAMED, PLANNED, STOLEN), THIRD.key)


def hex_of(signer: Signer) -> str:
    return signer.key.public.hex()


def test_a_log_without_notes_has_one_key_for_every_size() -> None:
    chain = chain_of((), FIRST.key)

    assert chain.current == FIRST.key
    assert chain.term_for(0) == chain.term_for(10**9) == chain.terms[0]
    assert chain.roots == ()


@pytest.mark.parametrize(
    ("size", "signer"),
    [(0, FIRST), (3, FIRST), (10, FIRST), (11, SECOND), (15, SECOND), (16, None), (20, None), (21, THIRD), (99, THIRD)],
)
def test_each_size_has_one_key_and_none_between_a_theft_and_the_next_key(size: int, signer: Signer | None) -> None:
    term = CHAIN.term_for(size)

    assert (term.key if term else None) == (signer.key if signer else None)


@pytest.mark.parametrize(
    ("signer", "leaf", "late", "may"),
    [
        (FIRST, 0, True, True),
        (FIRST, 9, True, True),
        (FIRST, 11, True, False),
        (FIRST, 11, False, True),
        (SECOND, 9, False, False),
        (SECOND, 11, False, True),
        (SECOND, 14, False, True),
        (SECOND, 15, False, False),
        (THIRD, 19, False, False),
        (THIRD, 21, False, True),
        (log_key(7), 5, False, False),
    ],
)
def test_an_entry_of_the_service_is_signed_with_the_key_of_its_leaf(
    signer: Signer, leaf: int, late: bool, may: bool
) -> None:
    at = BEGIN + OVERLAP - timedelta(seconds=0 if late else 1)

    assert CHAIN.may_sign(hex_of(signer), leaf, at) is may


def test_the_chain_knows_its_keys() -> None:
    assert [CHAIN.has(hex_of(each)) for each in (FIRST, SECOND, THIRD, ROOT)] == [True, True, True, False]


@pytest.mark.parametrize(
    ("trusted", "is_trusted"),
    [(FIRST, True), (SECOND, True), (THIRD, True), (ROOT, True), (log_key(7), False), (root_key(7), False)],
)
def test_a_trusted_root_or_earlier_key_vouches_for_the_latest(trusted: Signer, is_trusted: bool) -> None:
    assert CHAIN.is_vouched_for([log_key(9).key, trusted.key]) is is_trusted


def test_a_root_key_can_be_replaced_with_the_signature_of_the_earlier_one() -> None:
    second_root = root_key(1)
    renamed = (12, naming(SECOND, second_root, ROOT))

    chain = chain_of((NAMED, PLANNED, renamed, (20, change(SECOND, THIRD, second_root, 15, "lost"))), THIRD.key)

    assert chain.roots == (ROOT.key, second_root.key)
    with pytest.raises(NotSigned, match=r"is not signed with root\.example/1"):
        chain_of((NAMED, PLANNED, renamed, STOLEN), THIRD.key)


def test_the_origin_can_change_with_the_same_key() -> None:
    renamed = signer_named("new.example/tlog", "log key 0")

    chain = chain_of((NAMED, (10, change(FIRST, renamed, ROOT, 8))), renamed.key)

    assert chain.current.name == "new.example/tlog"
    assert chain.may_sign(hex_of(FIRST), 5, BEGIN)
    assert chain.may_sign(hex_of(FIRST), 500, BEGIN + 2 * OVERLAP)


@pytest.mark.parametrize(
    ("notes", "key", "reason"),
    [
        ((NAMED, PLANNED), FIRST.key, "the checkpoint is signed with .*, but the log announces the key"),
        ((PLANNED,), SECOND.key, "no root key was named before"),
        ((NAMED, STOLEN), THIRD.key, "a change replaces the key .*, but the log has"),
        ((NAMED, (10, naming(SECOND, root_key(1), ROOT))), FIRST.key, "a root key is named for the key"),
        ((NAMED, (10, naming(FIRST, ROOT, ROOT))), FIRST.key, "the root key .* was used before"),
        ((NAMED, (10, naming(FIRST, signer_named("r", "log key 0"), ROOT))), FIRST.key, "the root key .* was used"),
        ((NAMED, PLANNED, (20, change(SECOND, FIRST, ROOT, 15))), FIRST.key, "the new key .* was used before"),
        ((NAMED, (10, change(FIRST, FIRST, ROOT, 8))), FIRST.key, "the new key .* was used before"),
        ((NAMED, (10, change(FIRST, signer_named("x", "root key 0"), ROOT, 8))), FIRST.key, "the new key .* was used"),
        (
            (NAMED, (10, change(FIRST, SECOND, ROOT, 11))),
            SECOND.key,
            "names a checkpoint of 11 leaves, expected 0 to 10",
        ),
        ((NAMED, PLANNED, (20, change(SECOND, THIRD, ROOT, 10, "lost"))), THIRD.key, "10 leaves, expected 11 to 20"),
    ],
)
def test_a_note_that_does_not_continue_the_chain_is_refused(
    notes: tuple[tuple[int, str], ...], key: VerifierKey, reason: str
) -> None:
    with pytest.raises(FalseProof, match=reason):
        chain_of(notes, key)


def test_a_thief_of_the_key_cannot_change_it_alone() -> None:
    """Trust row: the thief has the key of the log, and any keys of its own, but not the root key."""
    thief, own_root = log_key(66), root_key(66)

    for forged in (change(FIRST, thief, own_root, 8), change(FIRST, thief, own_root, 8, "stolen")):
        with pytest.raises(NotSigned, match=r"not signed with root\.example/0"):
            chain_of((NAMED, (10, forged)), thief.key)
    with pytest.raises(NotSigned, match="has 2 signatures, expected 3"):
        chain_of((NAMED, (10, naming(FIRST, own_root))), FIRST.key)
    with pytest.raises(NotSigned, match=r"not signed with root\.example/0"):
        chain_of((NAMED, (10, naming(FIRST, own_root, own_root))), FIRST.key)


def test_nobody_names_a_root_key_that_does_not_agree() -> None:
    """Trust row: a reader who trusts a root key must not accept the log of a stranger who names it."""
    stranger = log_key(66)

    with pytest.raises(NotSigned, match="has 1 signatures, expected 2"):
        chain_of(((3, sign_text(RootNaming(stranger.key, ROOT.key).text, stranger)),), stranger.key)


def test_the_last_note_states_the_key_of_the_log() -> None:
    assert last_key((), FIRST.key) == FIRST.key
    assert last_key((NAMED,), THIRD.key) == FIRST.key
    assert last_key((NAMED, PLANNED), THIRD.key) == SECOND.key


def test_a_note_in_another_format_is_refused() -> None:
    with pytest.raises(Malformed, match="unknown first line"):
        chain_of(((3, sign_text("esporles.key-change/2\n", FIRST)),), FIRST.key)


def test_the_notes_are_found_among_all_announcements() -> None:
    first = (0, FormatChanged(2, ORIGIN, "00"))

    assert notes_in([first, (3, RootNamed(NAMED[1])), (10, KeyChanged(PLANNED[1]))]) == (NAMED, PLANNED)
    for false in (KeyChanged(NAMED[1]), RootNamed(PLANNED[1])):
        with pytest.raises(FalseProof, match="the announcement at leaf 5 does not contain a note that begins with"):
            notes_in([(5, false)])


def test_the_number_of_notes_is_bounded() -> None:
    with pytest.raises(FalseProof, match="at most 1,000 changes"):
        chain_of([NAMED] * (CHANGES_MAX + 1), FIRST.key)


def test_two_histories_of_one_log_are_refused() -> None:
    """Trust row: after a theft, the thief's tree and the tree of the service announce different keys."""
    announced = (NAMED, PLANNED, STOLEN)
    whole = KeyHistory(announced, 40)

    require_same_history([KeyHistory((), 3), whole, KeyHistory((NAMED, PLANNED), 20), KeyHistory(announced, 21)])

    for forged in (KeyHistory((NAMED,), 30), KeyHistory((NAMED, PLANNED), 21), KeyHistory((), 4)):
        with pytest.raises(FalseProof, match="differ from those up to 40 leaves"):
            require_same_history([forged, whole])


def test_one_hundred_changes_one_after_a_theft_hold_and_no_former_key_is_accepted_later() -> None:
    """Trust row: every old proof holds, and every later forgery with any former key is refused."""
    keys = [log_key(number) for number in range(101)]
    notes, sizes = [(1, naming(keys[0], ROOT))], list[int]()
    for number in range(1, 101):
        leaf, stolen = 10 * number, number == 57
        sizes.append(leaf - 2)
        note = change(keys[number - 1], keys[number], ROOT, leaf - 2, "stolen" if stolen else "planned")
        notes.append((leaf, note))
    chain = chain_of(notes, keys[100].key)

    assert len(chain.terms) == 101
    for number, size in enumerate(sizes):
        # The proof of an earlier time, with today's history; some also alone, which verifies every signature again.
        before = tuple(note for note in notes if note[0] < size)
        assert (term := chain.term_for(size)) is not None
        assert term.key == keys[number].key
        require_same_history([KeyHistory(before, size), KeyHistory(tuple(notes), 2_000)])
        assert number not in (1, 55, 56, 57) or chain_of(before, keys[number].key).current == keys[number].key
    assert [number for number in range(100) if is_accepted(chain, keys[number].key, 10 * (number + 1) + 1)] == []
    assert not is_accepted(chain, keys[56].key, 10 * 57 - 1)
    assert is_accepted(chain, keys[55].key, 10 * 56 - 1)


def is_accepted(chain: KeyChain, key: VerifierKey, size: int) -> bool:
    """Return whether a key signs a checkpoint of this size, or any of the next thousand sizes."""
    return any(
        (term := chain.term_for(each)) is not None and term.key == key for each in (size, *range(size, size + 1000, 37))
    )
