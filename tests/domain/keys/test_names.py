"""Commitments to names of accounts in the register of keys."""

from domain.eventstore.application import Matches
from domain.keys.commands import keyring_of, register_key
from domain.keys.names import commit_name, is_renamed, name_commitment
from domain.signatures.keys import NamedKey
from tests.domain.matches.match_helpers import START
from tests.signing import Pen

SALT = bytes(32)
ANNA = name_commitment(SALT, "anna", "Anna Ř.")


def test_a_commitment_covers_salt_person_and_name() -> None:
    others = {
        name_commitment(b"\1" * 32, "anna", "Anna Ř."),
        name_commitment(SALT, "bea", "Anna Ř."),
        name_commitment(SALT, "anna", "Anna"),
    }

    assert ANNA == "271bcd347791e39a32a5dc8b9ef638946ea96996fae613aa30e844ac484afa72"
    assert len(others | {ANNA}) == 4


def test_the_first_commitment_stays_and_keys_are_not_affected(matches: Matches) -> None:
    pen = Pen("anna")
    commit_name(matches, "anna", ANNA, at=START)
    register_key(matches, "anna", NamedKey(pen.key), at=START)
    commit_name(matches, "anna", "0" * 64, at=START)
    keyring = keyring_of(matches, "anna")

    assert keyring.name_commitment == ANNA
    assert [each.key for each in keyring.keys] == [pen.key]
    register_key(matches, "bea", NamedKey(Pen("bea").key), at=START)
    commit_name(matches, "bea", "1" * 64, at=START)
    assert keyring_of(matches, "bea").name_commitment == "1" * 64


def test_another_name_or_a_lost_salt_is_noticed(matches: Matches) -> None:
    assert not is_renamed(keyring_of(matches, "anna"), None, "anna", "Anna Ř.")
    commit_name(matches, "anna", ANNA, at=START)
    keyring = keyring_of(matches, "anna")

    assert not is_renamed(keyring, SALT, "anna", "Anna Ř.")
    assert is_renamed(keyring, SALT, "anna", "Bea")
    assert is_renamed(keyring, bytes(31) + b"\1", "anna", "Anna Ř.")
    assert is_renamed(keyring, None, "anna", "Anna Ř.")
