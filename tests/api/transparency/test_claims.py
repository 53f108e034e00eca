"""Checkpoints that witnesses show at the start, renewed cosignatures, and the age of a checkpoint."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from api.transparency.freshness import freshness_of
from api.transparency.store import SIGNED, Signed, TreeStore, WitnessState
from api.transparency.witness_claims import judge_claim
from api.transparency.witness_claims import state_of as state_of_claim
from api.transparency.witness_client import WitnessThread
from domain.matches.log.entries import microseconds
from domain.transparency.checkpoints import Checkpoint
from domain.transparency.keys import TIME_MAX, Signer
from domain.transparency.notes import COSIGNATURE, Note
from domain.transparency.witnesses import WitnessAddress
from ops.transparency.witness import Answer, Witness
from tests.api.service import Person, start_match
from tests.api.transparency.test_sequencer import SIGNER, Log, sequence_all
from tests.api.transparency.test_witnesses import (
    cosigners,
    run_witnesses,
    settings_with,
    state_of,
)
from tests.seeding import entropy
from tests.transparency.outsiders import change, serve_witness, watched_service

NOW: Final = datetime(2027, 1, 31, 12, tzinfo=UTC)
THIEF: Final = Signer(SIGNER.key.name, b"\x07" * 32)


class ShowingWitness(Witness):
    """A witness that shows a given response instead of its latest checkpoint, and has seen another tree."""

    shown = Answer(404, "")

    def add_checkpoint(self, data: bytes) -> Answer:  # noqa: ARG002
        return Answer(422, "not consistent")

    def checkpoint(self, origin_hash: str) -> Answer:  # noqa: ARG002
        return self.shown


def note_of(size: int, root: bytes, *signers: Signer) -> str:
    text = Checkpoint(SIGNER.key.name, size, root).text
    return str(Note(text, tuple(signer.sign(text) for signer in signers)))


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[TreeStore]:
    log = Log()
    log.append(*["entry"] * 30)
    with closing(TreeStore(tmp_path / "tree.db")) as store:
        sequence_all(log, store).sign(NOW)
        yield store


def ask(folder: Path, tree: TreeStore, *shown: Answer) -> list[tuple[bool, WitnessState]]:
    """Let a witness show these answers one after the other; return whether each stops the log, and its state."""
    witness, found = ShowingWitness(folder / "w.db", "showing.example/w", {}, entropy(), lambda: 1), []
    with closing(witness), serve_witness(witness) as address:
        for answer in shown:
            witness.shown = answer
            thread = WitnessThread(address, tree, SIGNER.key, lambda: NOW)
            assert thread.wait_until_asked(60)
            thread.close()
            found.append((thread.is_ahead, tree.witness("showing.example/w")))
    return found


def test_a_thread_that_is_closed_while_its_witness_hangs_sends_no_further_request(tree: TreeStore) -> None:
    """Otherwise the service would wait for the second request, too, before it stops."""
    signed = tree.checkpoint(SIGNED)
    assert signed is not None
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = WitnessAddress(str(THIEF.key), f"http://127.0.0.1:{listener.getsockname()[1]}")
        thread = WitnessThread(address, tree, SIGNER.key, lambda: NOW)
        with listener.accept()[0] as connection:
            assert connection.recv(1)
            thread.request(signed)
            thread.close()
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_a_checkpoint_signed_by_this_server_that_its_tree_lacks_stops_the_log(tmp_path: Path, tree: TreeStore) -> None:
    other, own = b"\x01" * 32, tree.checkpoint(SIGNED)
    assert own is not None
    larger, same_size, smaller, gone, unreadable, silent = ask(
        tmp_path,
        tree,
        Answer(200, note_of(31, other, SIGNER)),
        Answer(200, note_of(30, other, SIGNER)),
        Answer(200, note_of(7, other, SIGNER)),
        Answer(500, "sorry"),
        Answer(200, "nonsense"),
        Answer(404, "no such log"),
    )

    assert [is_ahead for is_ahead, _ in (larger, same_size, smaller)] == [True] * 3
    assert [state.size for _, state in (larger, same_size, smaller)] == [31, 30, 7], "although it has not cosigned"
    assert "31 leaves, signed with the key of this server, but the tree here has 30" in larger[1].reason
    assert "30 leaves, signed with the key of this server, but the tree here has 30 and is" in same_size[1].reason
    assert (gone[0], gone[1].trouble) == (True, "ahead"), "a witness that has shown it and is silent now"
    assert (unreadable[0], unreadable[1].trouble) == (True, "ahead"), "or shows nothing readable"
    assert (silent[0], silent[1].trouble) == (False, "")


@pytest.mark.parametrize(
    ("shown", "trouble", "reason"),
    [
        (Answer(200, note_of(31, b"\x01" * 32, THIEF)), "refuses", "31 leaves that this server has not signed"),
        (Answer(200, note_of(31, b"\x01" * 32)), "refuses", "no readable checkpoint"),
        (Answer(200, "x" * 1_000_000), "refuses", "no readable checkpoint"),
        (Answer(500, "sorry"), "refuses", "responded with 500 when asked for its checkpoint"),
        (Answer(404, "no such log"), "", ""),
    ],
)
def test_silent_unsigned_and_foreign_claims_are_displayed_and_stop_nothing(
    tmp_path: Path, tree: TreeStore, shown: Answer, trouble: str, reason: str
) -> None:
    ((is_ahead, state),) = ask(tmp_path, tree, shown)

    assert (is_ahead, state.trouble) == (False, trouble)
    assert reason in state.reason


@pytest.mark.parametrize(
    "shown", [Answer(200, note_of(31, b"\x01" * 32, THIEF)), Answer(500, "sorry"), Answer(404, "no such log")]
)
def test_a_refusal_for_another_history_stays_until_the_witness_cosigns(
    tmp_path: Path, tree: TreeStore, shown: Answer
) -> None:
    """The witness shows no checkpoint of this server, although the server requests it after each refusal."""
    witness = ShowingWitness(tmp_path / "w.db", "showing.example/w", {}, entropy(), lambda: 1)
    witness.shown, signed, times = shown, tree.checkpoint(SIGNED), iter([NOW + timedelta(seconds=n) for n in range(9)])
    assert signed is not None
    states = list[WitnessState]()
    with closing(witness), serve_witness(witness) as address:
        thread = WitnessThread(address, tree, SIGNER.key, lambda: next(times))
        for _ in range(3):
            thread.request(signed)
            assert thread.wait(60)
            states.append(tree.witness("showing.example/w"))
        thread.close()

    assert [(each.trouble, each.reason) for each in states] == [("other_history", "refused: not consistent")] * 3
    assert len({each.since for each in states}) == 1


def test_a_contradiction_is_stored_however_late_its_cosignature_is_dated(tmp_path: Path, tree: TreeStore) -> None:
    text, cosigner = Checkpoint(SIGNER.key.name, 31, b"\x01" * 32).text, Signer("w", b"\x01" * 32, COSIGNATURE)
    shown = Note(text, (SIGNER.sign(text), cosigner.cosign(text, TIME_MAX)))
    now = microseconds(NOW)
    state = state_of_claim(judge_claim(str(shown), tree, SIGNER.key), WitnessState("w"), cosigner.key, now)

    tree.store_witness(state)

    assert (state.trouble, state.size, state.at) == ("ahead", 31, now)
    assert tree.witness("w") == state


def test_an_earlier_checkpoint_of_the_tree_is_no_contradiction(tmp_path: Path, tree: TreeStore) -> None:
    sizes = (7, 30)
    answers = [Answer(200, note_of(size, tree.tiles.root(size), SIGNER)) for size in sizes]

    assert [(is_ahead, state.trouble) for is_ahead, state in ask(tmp_path, tree, *answers)] == [(False, "")] * 2


def test_an_old_cosignature_is_renewed_and_shown_as_stale_before(tmp_path: Path) -> None:
    """The checkpoint is unchanged; the witness was away for two days."""
    with run_witnesses(tmp_path, "one") as (data, (witness,), at):
        with watched_service(data, settings_with(data, *at)) as stranger:
            start_match(Person(stranger.client), Person(stranger.client))
            checkpoint = stranger.covering_checkpoint()
            stranger.until(lambda: cosigners(stranger, witness.key), bool)
            assert (stranger.state()["stale"], stranger.state()["contradicted"]) == (False, False)
        two_days_ago = microseconds(datetime.now(UTC) - timedelta(days=2))
        change(data / "tree.db", "UPDATE witnesses SET at = ?", two_days_ago)
        change(data / "tree.db", "UPDATE checkpoints SET at = ?", two_days_ago)
        with watched_service(data, settings_with(data)) as stranger:
            assert stranger.state()["stale"]
            assert "may not be the current one" in stranger.client.get("/transparency").text
        with watched_service(data, settings_with(data, *at)) as stranger:
            stranger.until(lambda: stranger.state()["stale"], lambda is_stale: not is_stale)
            assert stranger.checkpoint() == checkpoint
            assert state_of(stranger, "one.example/w")["size"] == checkpoint.size


def test_a_checkpoint_is_stale_after_a_day(tree: TreeStore) -> None:
    published = tree.checkpoint(SIGNED)
    assert published is not None
    signature = published.signature

    def state_confirmed(hours: float, trouble: str = "") -> WitnessState:
        at = microseconds(NOW - timedelta(hours=hours))
        return WitnessState("w", published.checkpoint.size, published.text, signature, at, trouble)

    def is_stale(signed: Signed | None, states: list[WitnessState], *witnesses: str) -> bool:
        return freshness_of(signed, states, witnesses, NOW).is_stale

    old = published._replace(at=microseconds(NOW - timedelta(hours=25)))
    assert not is_stale(None, [])
    assert not is_stale(published, [])
    assert is_stale(old, [])
    assert not is_stale(old, [state_confirmed(23)], "w")
    assert is_stale(published, [state_confirmed(25)], "w")
    assert is_stale(old, [state_confirmed(1, "ahead")], "w"), "a witness that contradicts the tree confirms nothing"
    assert is_stale(old, [state_confirmed(1)], "another")
    assert freshness_of(published, [], ["w"], NOW).confirmed is None
