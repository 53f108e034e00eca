"""Witnesses of the tree: cosignatures, unavailable witnesses, and witnesses that have seen another history."""

from __future__ import annotations

import shutil
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from time import monotonic
from typing import Any, Final

import msgspec
import pytest

from api.accounts.people import People
from api.transparency.log_keys import signer_of
from domain.transparency.keys import signatures_of
from domain.transparency.notes import VerifierKey
from domain.transparency.witnesses import WitnessAddress
from ops.transparency.witness import Answer, Witness
from projections.platform.settings import Settings
from tests.api.service import Person, settings_in, start_match
from tests.seeding import entropy
from tests.transparency.outsiders import (
    Stranger,
    another_host,
    forge_beginning,
    run_witness,
    serve_witness,
    watched_service,
    witness_in,
)
from tests.workers.serving import DEADLINE_SECONDS, Client, serving

ORIGIN: Final = "house.example/tlog"


def key_of(folder: Path) -> VerifierKey:
    """Return the key of the service of a folder; it is created with the folder."""
    people = People(settings_in(folder).people_place, entropy())
    key = signer_of(people, ORIGIN).key
    people.close()
    return key


def settings_with(folder: Path, *witnesses: WitnessAddress) -> Settings:
    return msgspec.structs.replace(settings_in(folder), log_origin=ORIGIN, witnesses=witnesses)


def cosigners(stranger: Stranger, *keys: VerifierKey) -> set[str]:
    """Return which keys have cosigned the latest checkpoint, after verifying the signatures."""
    note = stranger.note()
    assert note is not None
    return {each.name for each in signatures_of(note, [stranger.key, *keys])} - {ORIGIN}


def state_of(stranger: Stranger, name: str) -> Any:
    return next(each for each in stranger.state()["witnesses"] if each["name"] == name)


def until_trouble(stranger: Stranger, name: str) -> Any:
    """Wait until a witness has a problem, with or without a checkpoint; return its state."""
    deadline = monotonic() + DEADLINE_SECONDS
    while not (state := state_of(stranger, name))["trouble"]:
        assert monotonic() < deadline
    return state


def page_of(stranger: Stranger) -> str:
    return stranger.client.get("/transparency").text


@contextmanager
def run_witnesses(folder: Path, *names: str) -> Iterator[tuple[Path, list[Witness], list[WitnessAddress]]]:
    """Yield the folder of a service, with witnesses that respond."""
    data = folder / "house"
    houses = {ORIGIN: [key_of(data)]}
    witnesses = [witness_in(folder / name, houses, f"{name}.example/w") for name in names]
    contexts = [serve_witness(witness) for witness in witnesses]
    try:
        yield data, witnesses, [context.__enter__() for context in contexts]
    finally:
        for context, witness in zip(contexts, witnesses, strict=True):
            context.__exit__(None, None, None)
            witness.close()


def test_two_witnesses_cosign_every_checkpoint(tmp_path: Path) -> None:
    with (
        run_witnesses(tmp_path, "one", "two") as (data, witnesses, at),
        watched_service(data, settings_with(data, *at)) as stranger,
    ):
        keys = [witness.key for witness in witnesses]
        for _ in range(2):
            start_match(Person(stranger.client), Person(stranger.client))
            size = stranger.covering_checkpoint().size
            assert stranger.until(lambda: cosigners(stranger, *keys), lambda found: len(found) == 2)
            assert stranger.checkpoint().size == size
        witness_state = state_of(stranger, "one.example/w")
        assert (witness_state["size"], witness_state["trouble"], witness_state["reason"]) == (size, None, None)
        assert witness_state["key"] == str(keys[0])


def test_an_unavailable_witness_is_shown_and_delays_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as occupied:
        nobody = f"http://127.0.0.1:{occupied.getsockname()[1]}"
    absent = witness_in(tmp_path / "absent", {}, "absent.example/w")
    with (
        run_witnesses(tmp_path, "one") as (data, (witness,), at),
        watched_service(data, settings_with(data, *at, WitnessAddress(str(absent.key), nobody))) as stranger,
    ):
        start_match(Person(stranger.client), Person(stranger.client))
        stranger.covering_checkpoint()
        stranger.until(lambda: cosigners(stranger, witness.key, absent.key), lambda found: found == {"one.example/w"})
        witness_state = stranger.until(lambda: state_of(stranger, "absent.example/w"), lambda each: each["trouble"])

        assert (witness_state["trouble"], witness_state["size"], witness_state["at"]) == ("away", None, None)
        assert "ConnectionRefusedError" in witness_state["reason"]
        assert "does not respond" in stranger.client.get("/transparency").text
    absent.close()


def test_a_lost_cosignature_is_requested_again(tmp_path: Path) -> None:
    with (
        run_witnesses(tmp_path, "one") as (data, (witness,), at),
        watched_service(data, settings_with(data, *at)) as stranger,
    ):
        with closing(sqlite3.connect(data / "tree.db", isolation_level=None)) as tree:
            tree.execute("CREATE TRIGGER full BEFORE INSERT ON witnesses BEGIN SELECT RAISE(ABORT, 'no room'); END")
            start_match(Person(stranger.client), Person(stranger.client))
            size = stranger.covering_checkpoint().size
            house_hash = sha256(ORIGIN.encode()).hexdigest()
            assert stranger.until(lambda: witness.checkpoint(house_hash).status, lambda status: status == 200)
            tree.execute("DROP TRIGGER full")

        start_match(Person(stranger.client), Person(stranger.client))

        assert stranger.covering_checkpoint().size > size
        assert stranger.until(lambda: cosigners(stranger, witness.key), lambda found: found == {"one.example/w"})


def test_a_hanging_witness_delays_nothing(tmp_path: Path) -> None:
    """It accepts the request and never responds."""
    deaf = witness_in(tmp_path / "deaf", {}, "deaf.example/w")
    data = tmp_path / "house"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        at = WitnessAddress(str(deaf.key), f"http://127.0.0.1:{silent.getsockname()[1]}")
        with watched_service(data, settings_with(data, at)) as stranger:
            start_match(Person(stranger.client), Person(stranger.client))
            stranger.covering_checkpoint()
            start_match(Person(stranger.client), Person(stranger.client))
            assert stranger.covering_checkpoint().size == stranger.state()["size"]
    deaf.close()


class LyingWitness(Witness):
    """A witness that returns wrong responses."""

    lie = Answer(200, "")

    def add_checkpoint(self, data: bytes) -> Answer:  # noqa: ARG002
        return self.lie


@pytest.mark.parametrize(
    ("lie", "expected"),
    [
        (Answer(200, ""), "no signatures in the response:"),
        (Answer(200, "— lying.example/w AAAAAAAA\n"), "the signature in the response is not from its key"),
        (Answer(200, "x" * 1_000_000), "no signatures in the response:"),
        (Answer(409, "many\n"), "responded with 409:"),
        (Answer(409, "0\n"), "responded with 409:"),
        (Answer(500, "sorry"), "responded with 500: sorry"),
        (Answer(403, "not you"), "responded with 403: not you"),
    ],
)
def test_a_wrong_response_is_shown_as_a_refusal(tmp_path: Path, lie: Answer, expected: str) -> None:
    witness = LyingWitness(tmp_path / "w.db", "lying.example/w", {}, entropy(), lambda: 1)
    witness.lie = lie
    data = tmp_path / "house"
    with serve_witness(witness) as at, watched_service(data, settings_with(data, at)) as stranger:
        witness_state = stranger.until(
            lambda: state_of(stranger, "lying.example/w"), lambda each: expected in (each["reason"] or "")
        )

        assert witness_state["trouble"] == "refuses"
        assert cosigners(stranger, witness.key) == set()
    witness.close()


def test_a_witness_with_another_size_gets_a_second_request(tmp_path: Path) -> None:
    """The service lost the response, as after a crash before storing it."""
    with (
        run_witnesses(tmp_path, "one") as (data, (witness,), at),
        watched_service(data, settings_with(data, *at)) as stranger,
    ):
        stranger.covering_checkpoint()
        stranger.until(lambda: cosigners(stranger, witness.key), bool)
        known = stranger.store.witness("one.example/w")
        stranger.store.store_witness(known._replace(size=0, text="", signature=None))
        start_match(Person(stranger.client), Person(stranger.client))
        stranger.covering_checkpoint()

        assert stranger.until(lambda: cosigners(stranger, witness.key), bool)


def test_a_replaced_tree_is_refused_by_its_witness(tmp_path: Path) -> None:
    """Two histories: the tree is replaced by one of the same log with other salts and the same key."""
    with run_witnesses(tmp_path, "one") as (data, (witness,), at):
        with watched_service(data, settings_with(data, *at)) as stranger:
            start_match(Person(stranger.client), Person(stranger.client))
            checkpoint = stranger.covering_checkpoint()
            stranger.until(lambda: cosigners(stranger, witness.key), bool)
        forge_beginning(data)
        with watched_service(data, settings_with(data, *at)) as stranger:
            witness_state = until_trouble(stranger, "one.example/w")
            state = stranger.state()

            assert witness_state["trouble"] == "ahead"
            assert f"shows a checkpoint of {checkpoint.size} leaves, signed with the key" in witness_state["reason"]
            assert (state["checkpoint"], state["contradicted"]) == (None, True)
            assert "has seen a tree that this server signed and no longer shows" in page_of(stranger)


def test_a_restored_backup_is_refused_by_its_witness(tmp_path: Path) -> None:
    """An old backup of the whole folder is restored: it has fewer leaves than the witness has seen."""
    with run_witnesses(tmp_path, "one") as (data, (witness,), at):
        with watched_service(data, settings_with(data, *at)) as stranger:
            match = start_match(Person(stranger.client), Person(stranger.client))
            old = stranger.covering_checkpoint()
            stranger.until(lambda: cosigners(stranger, witness.key), bool)
        shutil.copytree(data, tmp_path / "old")
        with watched_service(data, settings_with(data, *at)) as stranger:
            start_match(Person(stranger.client), Person(stranger.client))
            size = stranger.covering_checkpoint().size
            stranger.until(lambda: cosigners(stranger, witness.key), bool)
        shutil.rmtree(data)
        shutil.copytree(tmp_path / "old", data)
        with watched_service(data, settings_with(data, *at)) as stranger:
            witness_state = until_trouble(stranger, "one.example/w")
            Person(stranger.client).opens(2)

            assert witness_state["trouble"] == "ahead"
            assert f"a checkpoint of {size} leaves" in witness_state["reason"]
            assert f"the tree here has {old.size}" in witness_state["reason"]
            assert stranger.checkpoint() == old, "nothing newer is signed"
            assert cosigners(stranger, witness.key) == set(), "the old cosignature is not shown as the current one"
            proof = stranger.client.get(f"/api/matches/{match}/proof")
            assert (proof.status_code, proof.json()["code"]) == (503, "tree/differs")
            assert witness_state["reason"] in page_of(stranger)


@pytest.mark.walk
def test_a_witness_on_another_host_refuses_two_histories(tmp_path: Path) -> None:
    """The production setup; the witness is the command, in a separate network namespace."""
    data = tmp_path / "house"
    with (
        another_host() as (address, within),
        run_witness(tmp_path / "w", key_of(data), host=address, within=within) as witness,
    ):
        variables = {"ESPORLES_LOG_ORIGIN": ORIGIN, "ESPORLES_WITNESSES": witness.at}
        with serving(data, 1, **variables) as honest:
            player = honest.player()
            player.post("/matches", {"title": "la_granja", "seats": 2})
            assert state_when(player, lambda known: known["size"])["trouble"] is None
            assert honest.stop() == 0
        forge_beginning(data)
        with serving(data, 1, **variables, ESPORLES_TEST_SEED="another") as forked:
            stranger = Client(forked.started.url)
            known = state_when(stranger, lambda known: known["trouble"])

            assert known["trouble"] == "ahead"
            assert "witness.example/club" not in (stranger.get("/transparency")["checkpoint"] or "")


def state_when(client: Client, is_so: Callable[[Any], bool]) -> Any:
    """Wait until the only witness has this state; a service being killed does not respond."""
    given_up = monotonic() + DEADLINE_SECONDS
    while monotonic() < given_up:
        with suppress(OSError, HTTPException):
            (known,) = client.get("/transparency")["witnesses"]
            if is_so(known):
                return known
    raise AssertionError(f"the witness never stood so; it stands {known}")


@pytest.mark.walk
def test_a_killed_service_continues_the_tree_its_witness_knows(tmp_path: Path) -> None:
    """The service is killed repeatedly while bots play; the witness verifies that every checkpoint extends the last."""
    data = tmp_path / "house"
    with (
        run_witness(tmp_path / "w", key_of(data)) as witness,
        serving(data, 1, ESPORLES_LOG_ORIGIN=ORIGIN, ESPORLES_WITNESSES=witness.at) as running,
    ):
        player = running.player()
        sizes = [0]
        for _ in range(2):
            match = player.post("/matches", {"title": "la_granja", "seats": 2})["matchId"]
            for seat in range(2):
                player.post(f"/matches/{match}/seats", {"seat": seat, "bot": "random"})
            player.wait_for_version(match, 10)
            running.kill("service")
            known = state_when(player, lambda known: (known["size"] or 0) >= sizes[-1] + 10)
            assert known["trouble"] is None
            sizes.append(known["size"])

    assert sizes == sorted(set(sizes))
