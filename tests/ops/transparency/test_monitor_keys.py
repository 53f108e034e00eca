"""A monitor of a log whose key changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.transparency.announcements import KeyChanged, RootNamed, encode_announcement
from domain.transparency.key_notes import Reason
from domain.transparency.keys import Signer
from domain.transparency.policy import policy_of_keys
from tests.domain.transparency.key_holders import change, log_key, naming, root_key
from tests.ops.transparency.served_log import ServedLog, following, honest_leaves, kinds, labelled_leaf

FIRST, SECOND, ROOT = log_key(0), log_key(1), root_key()


def sign_with(log: ServedLog, signer: Signer, *leaves: bytes) -> None:
    """Append leaves, and sign with this key from now on."""
    log.signer = signer
    log.add(*leaves)


@pytest.mark.parametrize("reason", ["planned", "stolen"])
def test_a_changed_key_is_followed_through_its_chain(tmp_path: Path, reason: Reason) -> None:
    """The root key is named and changes the key, which then signs; the old key signs nothing any more."""
    log, trust = ServedLog(), policy_of_keys([FIRST.key])
    with following(tmp_path, log, trust) as look:
        sign_with(log, FIRST, *honest_leaves(20), encode_announcement(RootNamed(naming(FIRST, ROOT))))
        assert (look().size, look().is_good) == (21, True)
        changed = encode_announcement(KeyChanged(change(FIRST, SECOND, ROOT, 21, reason)))
        sign_with(log, SECOND, labelled_leaf(21), changed)
        assert (look().size, look().is_good) == (23, True)
        sign_with(log, FIRST, labelled_leaf(23))
        shown = look()
        assert (kinds(shown), shown.size) == (["invalid"], 23)
        sign_with(log, SECOND, labelled_leaf(24))
        assert (look().size, look().is_good) == (25, True)


def test_a_key_that_no_root_key_names_is_not_followed(tmp_path: Path) -> None:
    """Neither one without an announcement nor one that a stranger's root key names."""
    log, trust = ServedLog(), policy_of_keys([FIRST.key])
    thief = root_key(9)
    with following(tmp_path, log, trust) as look:
        sign_with(log, FIRST, *honest_leaves(20), encode_announcement(RootNamed(naming(FIRST, ROOT))))
        look()
        sign_with(log, SECOND, labelled_leaf(21))
        assert (kinds(look()), look().size) == (["invalid"], 21)
        sign_with(log, SECOND, encode_announcement(KeyChanged(change(FIRST, SECOND, thief, 21))))
        assert (kinds(look()), look().size) == (["invalid"], 21)


def test_a_key_is_found_in_leaves_that_take_several_looks(tmp_path: Path) -> None:
    named = encode_announcement(RootNamed(naming(FIRST, ROOT)))
    changed = encode_announcement(KeyChanged(change(FIRST, SECOND, ROOT, 300, "planned")))
    log = ServedLog([*honest_leaves(300), named, changed, *map(labelled_leaf, range(302, 600))])
    log.signer = SECOND
    with following(tmp_path, log, policy_of_keys([FIRST.key]), bundles_at_once=1) as look:
        looks = [look() for _ in range(3)]
    assert [(kinds(each), each.is_complete) for each in looks] == [(["invalid"], False)] * 2 + [([], True)]
    assert (looks[-1].size, looks[-1].is_good) == (600, True)
