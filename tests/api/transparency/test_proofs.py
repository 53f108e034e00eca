"""Proofs: finding the leaves of entries, and the covering checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from api.transparency.errors import NotCovered, NothingSigned, TreeDiffers
from api.transparency.proofs import Prover
from api.transparency.sequencer import Sequencer
from api.transparency.store import TreeStore, WitnessState
from domain.kernel.values import replace
from domain.matches.log.entries import Entry
from domain.matches.log.log_files import LogFile, log_of
from domain.matches.log.records import Record
from domain.matches.play.in_memory import fork_log, play_to_end, seeded_origins
from domain.proofs.match import examine_proof
from domain.proofs.match_file import ProofFile
from domain.transparency.keys import Signer
from domain.transparency.notes import COSIGNATURE
from domain.transparency.policy import policy_of_keys
from domain.transparency.witnesses import WitnessAddress
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, BOTS, toy_log, version_of
from tests.seeding import entropy

HOUSE: Final = Signer("house.example/tlog", b"\x01" * 32)
WITNESS: Final = Signer("witness.example/club", b"\x02" * 32, COSIGNATURE)
AT: Final = datetime(2026, 11, 23, tzinfo=UTC)
LOG: Final = toy_log()
FORK: Final = log_of(
    play_to_end(
        fork_log(
            LOG,
            at_version=version_of(LOG, "action_taken"),
            luck="fresh",
            by="anna",
            origins=seeded_origins(b"fork"),
            titles=ALL_TITLES,
            seats=(BOT,) * 3,
        ),
        BOTS,
    ).entries
)


class LogTree:
    """A tree with the given entries."""

    def __init__(self, store: TreeStore) -> None:
        self.store = store
        self.events = list[tuple[int, Entry | Record]]()
        self.sequencer = Sequencer(self, store, HOUSE, entropy())

    def read_log_items(self, after: int, limit: int) -> Sequence[tuple[int, Entry | Record]]:
        return self.events[after : after + limit]

    def append(self, entries: Sequence[Entry]) -> None:
        self.events += enumerate(entries, len(self.events) + 1)
        while self.sequencer.append_batch():
            pass

    def publish(self) -> None:
        signed = self.sequencer.sign(AT)
        assert signed is not None
        self.store.publish(signed)

    def prove(self, log: LogFile, *witnesses: Signer) -> ProofFile:
        at = [WitnessAddress(str(each.key), "http://witness.invalid") for each in witnesses]
        return Prover(self.store, HOUSE.key, at).match(log)


@pytest.fixture
def log_tree(tmp_path: Path) -> Iterator[LogTree]:
    store = TreeStore(tmp_path / "tree.db")
    yield LogTree(store)
    store.close()


def test_a_fork_is_proven_in_the_streams_of_its_line(log_tree: LogTree) -> None:
    """Its first entries are in the stream of the parent, which the service has."""
    log_tree.append(LOG.entries)
    log_tree.append([entry for entry in FORK.entries if entry.originator_id == FORK.header.match])
    log_tree.publish()
    proof = log_tree.prove(FORK)

    assert {line.stream for line in proof.leaves} == {None}
    assert examine_proof(proof, policy_of_keys([HOUSE.key])).leaves_checked == FORK.header.entries


def test_an_imported_fork_is_proven_in_its_own_stream(log_tree: LogTree) -> None:
    """The service does not have the parent; another fork of it belongs to another line."""
    own = FORK.header.match
    log_tree.append([replace(entry, stream=None if entry.originator_id == own else own) for entry in FORK.entries])
    log_tree.publish()
    proof = log_tree.prove(FORK)
    shared = sum(entry.originator_id != own for entry in FORK.entries)

    assert [line.stream for line in proof.leaves] == [own] * shared + [None] * (FORK.header.entries - shared)
    assert examine_proof(proof, policy_of_keys([HOUSE.key])).leaves_checked == FORK.header.entries
    with pytest.raises(NotCovered, match="entry 1 of the match is not in the tree yet"):
        log_tree.prove(LOG)


def test_a_parent_that_is_imported_after_its_fork_changes_nothing_about_the_fork(log_tree: LogTree) -> None:
    """The shared entries are in the tree twice."""
    own = FORK.header.match
    log_tree.append([replace(entry, stream=None if entry.originator_id == own else own) for entry in FORK.entries])
    log_tree.append(LOG.entries)
    log_tree.publish()

    for log in (FORK, LOG):
        assert examine_proof(log_tree.prove(log), policy_of_keys([HOUSE.key])).leaves_checked == log.header.entries


def test_leaves_without_a_checkpoint_are_not_covered(log_tree: LogTree) -> None:
    log_tree.append(LOG.entries[:-1])
    with pytest.raises(NothingSigned):
        log_tree.prove(log_of(LOG.entries[:-1]))
    log_tree.publish()
    log_tree.append(LOG.entries[-1:])

    assert log_tree.prove(log_of(LOG.entries[:-1])).checkpoint.size == LOG.header.entries - 1
    with pytest.raises(NotCovered, match=f"entry {LOG.header.entries} of the match is not covered by a checkpoint yet"):
        log_tree.prove(LOG)


def test_another_history_is_not_proven(log_tree: LogTree) -> None:
    log_tree.append(LOG.entries)
    log_tree.publish()
    other = replace(LOG, entries=(*LOG.entries[:-1], replace(LOG.entries[-1], timestamp=AT)))

    with pytest.raises(TreeDiffers, match="differs from its leaf in the tree"):
        log_tree.prove(other)


def test_a_proof_contains_only_cosignatures_of_known_witnesses(log_tree: LogTree) -> None:
    log_tree.append(LOG.entries)
    log_tree.publish()
    published = log_tree.store.load_published()
    assert published is not None
    text = published[0].text
    false = WITNESS.cosign("another text", 1)
    for signature, keys in ((WITNESS.cosign(text, 1), 2), (false, 1)):
        log_tree.store.store_witness(WitnessState(WITNESS.key.name, 1, text, signature, 1))

        assert len(log_tree.prove(LOG, WITNESS).keys) == keys
        assert log_tree.prove(LOG).keys == (HOUSE.key,)
        examine_proof(log_tree.prove(LOG, WITNESS), policy_of_keys([HOUSE.key]))
