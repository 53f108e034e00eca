"""Several valid files: two that contain different entries for one place contradict each other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.values import replace
from domain.matches.log.log_files import LogFile, log_bytes, log_of
from domain.matches.play.in_memory import fork_log, seeded_origins
from domain.proofs.histories import find_contradictions, history_of
from domain.proofs.match_file import LogLine, ProofFile, ProofLabels, proof_bytes
from domain.transparency.announcements import PREFIX, LogBegun, encode_announcement
from domain.transparency.vrf import VrfKey
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, rechain, version_of
from tests.domain.proofs.match_proofs import proof_of
from tests.domain.proofs.tournament_proofs import CUP, Notary, cup_file, forged_records, played_cup
from tests.domain.proofs.two_histories import FIRST, SECOND, two_histories

OTHER: Final = VrfKey(b"\x07" * 64)
MATCH: Final = FIRST.header.match
DIFFERS: Final = 5
SLOWER: Final = log_of(
    rechain(
        [replace(each, timestamp=each.timestamp + timedelta(seconds=each.version >= DIFFERS)) for each in FIRST.entries]
    )
)
"""The same match, slower from one entry on."""


def cut(log: LogFile, count: int) -> bytes:
    return log_bytes(log_of(log.entries[:count]))


def contradictions(*contents: bytes) -> dict[int, tuple[int | None, str]]:
    """Return the entry and the reason by the number of the file; files are named A, B, C."""
    reads = list[int]()

    def read(number: int) -> bytes:
        reads.append(number)
        return contents[number]

    histories = {number: history_of(content) for number, content in enumerate(contents)}
    found = find_contradictions(histories, "ABCDE", read)
    assert found or len(reads) <= len(contents)
    return {number: (each.entry, each.why) for number, each in sorted(found.items())}


def two(other: str) -> str:
    return f"entry {DIFFERS} of match {MATCH} is another one in {other}: two histories"


def test_the_same_history_is_no_contradiction_however_long() -> None:
    whole, proof = log_bytes(FIRST), proof_bytes(proof_of(FIRST))

    assert contradictions(whole) == {}
    assert contradictions(whole, whole, proof, cut(FIRST, 3), cut(FIRST, 9)) == {}
    assert contradictions(proof_bytes(proof_of(FIRST, labelled_from=1)), whole) == {}


def test_two_histories_of_a_match_are_both_refused() -> None:
    """Attack: the server proves two histories, and each file is good alone."""
    both = two_histories()
    expected = {0: (DIFFERS, two("B")), 1: (DIFFERS, two("A"))}

    assert contradictions(log_bytes(FIRST), log_bytes(SLOWER)) == expected
    entries = {entry for entry, _ in contradictions(proof_bytes(both.first), proof_bytes(both.second)).values()}
    assert entries == {1}
    assert contradictions(cut(FIRST, DIFFERS), cut(SLOWER, DIFFERS)) == expected
    assert contradictions(cut(FIRST, DIFFERS), cut(SLOWER, DIFFERS + 1)) == expected


def test_only_files_that_contain_the_difference_are_refused() -> None:
    first, second = log_bytes(FIRST), cut(SLOWER, DIFFERS)
    found = contradictions(cut(FIRST, DIFFERS - 1), first, second, cut(FIRST, DIFFERS), cut(FIRST, DIFFERS + 2))

    assert found == {1: (DIFFERS, two("C")), 2: (DIFFERS, two("B")), 3: (DIFFERS, two("C")), 4: (DIFFERS, two("C"))}


@given(st.lists(st.tuples(st.booleans(), st.integers(1, len(FIRST.entries))), max_size=4))
def test_files_are_refused_exactly_if_two_digests_of_one_place_differ(files: list[tuple[bool, int]]) -> None:
    contents = [cut(SLOWER if is_second else FIRST, count) for is_second, count in files]
    found = contradictions(*contents)

    def differs(one: tuple[bool, int], other: tuple[bool, int]) -> bool:
        return one[0] != other[0] and min(one[1], other[1]) >= DIFFERS

    assert set(found) == {n for n, one in enumerate(files) if any(differs(one, other) for other in files)}


def test_forks_share_entries_with_their_parent() -> None:
    fork = fork_log(
        FIRST,
        at_version=version_of(FIRST, "action_taken"),
        luck="fresh",
        by="anna",
        origins=seeded_origins(b"fork"),
        titles=ALL_TITLES,
        seats=(BOT,) * 3,
    )
    forked = log_bytes(log_of(fork.entries))
    later = log_of(
        rechain([*fork.entries[:-1], replace(fork.entries[-1], originator_version=fork.entries[-1].version)])
    )

    assert contradictions(log_bytes(FIRST), forked, log_bytes(later)) == {}
    assert set(contradictions(log_bytes(SECOND), forked)) == {0, 1}


@pytest.fixture(scope="module")
def cups(tmp_path_factory: pytest.TempPathFactory) -> Sequence[bytes]:
    """Two proofs of one tournament, the second with another record, and the proof of one of its matches."""
    matches = played_cup(tmp_path_factory.mktemp("cup"), keyed=False)
    notary = Notary(matches)
    forged = forged_records(notary.records(CUP), 3, lambda body: body.update(name="another"))
    parts = cup_file(matches, notary)
    return b"".join(parts), b"".join(cup_file(matches, Notary(matches, instead=forged))), parts[1]


def test_two_histories_of_a_tournament_are_both_refused(cups: Sequence[bytes]) -> None:
    one, two, match = cups
    sentence = "the tree with {} leaves is another one in {}: two histories"
    size = history_of(one).tree.checkpoint.size  # type: ignore[union-attr]

    assert contradictions(one, match, one) == {}
    assert contradictions(one, two) == {0: (None, sentence.format(size, "B")), 1: (None, sentence.format(size, "A"))}


def test_records_are_compared_too(cups: Sequence[bytes]) -> None:
    one, two, _ = cups
    histories = {0: history_of(one)._replace(tree=None), 1: history_of(two)._replace(tree=None)}
    found = find_contradictions(histories, "AB", lambda number: (one, two)[number])

    assert found[0] == (None, f"record 3 of {CUP} is another one in B: two histories")
    assert found[1] == (None, f"record 3 of {CUP} is another one in A: two histories")


def with_log(proof: ProofFile, *lines: LogLine) -> bytes:
    return proof_bytes(proof._replace(labels=ProofLabels((*lines, *proof.labels.log), proof.labels.matches)))


def test_two_trees_of_one_service_are_refused() -> None:
    """A witness would refuse one of them; without one, two files show it."""
    one, other = proof_of(FIRST, labelled_from=1), proof_of(FIRST, labelled_from=1, vrf=OTHER)
    shorter = proof_of(log_of(FIRST.entries[:-1]), labelled_from=1, vrf=OTHER)
    size = one.checkpoint.size

    assert contradictions(proof_bytes(one), proof_bytes(other)) == {
        0: (None, f"the tree with {size} leaves is another one in B: two histories"),
        1: (None, f"the tree with {size} leaves is another one in A: two histories"),
    }
    assert contradictions(proof_bytes(one), proof_bytes(shorter)) == {
        0: (None, "the announcements of the log are others in B: two histories"),
        1: (None, "the announcements of the log are others in A: two histories"),
    }


def test_a_declared_new_tree_contradicts_no_older_one() -> None:
    begun = LogLine(0, encode_announcement(LogBegun("the disk was lost")).removeprefix(PREFIX).decode())
    one, other = proof_of(FIRST, labelled_from=1), proof_of(FIRST, labelled_from=1, vrf=OTHER)

    assert contradictions(proof_bytes(one), with_log(other, begun)) == {}
    assert contradictions(with_log(one, begun), with_log(other, begun)) != {}
