"""A witness keeps signed requests that conflict with the tree it has seen, as evidence, and shows them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from domain.transparency.keys import Signer, signatures_of
from domain.transparency.witnessing import CosignRefusal, SeenTree, SignedRequest, parse_request, verify_request
from ops.cli import main
from ops.transparency.witness import WatchedLogs, Witness
from ops.transparency.witness_refusals import METADATA, Refusals
from projections.platform.database import SqliteDatabase
from projections.platform.tables import creation_of
from tests.domain.transparency.trees import Tree
from tests.transparency.outsiders import HOUSE, ask, request_of, serve_witness, witness_in

HOUSES: Final[WatchedLogs] = {HOUSE.key.name: [HOUSE.key]}
TREE: Final = Tree(600)
FORKED: Final = Tree(600, salt="'")
NOW: Final = 1_700_000_000


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[Witness]:
    with closing(witness_in(tmp_path, HOUSES, now=lambda: NOW)) as witness:
        assert witness.add_checkpoint(request_of(TREE, 0, 300)).status == 200
        yield witness


def refusals_of(witness: Witness) -> list[tuple[int, int]]:
    """Return status and size of the refused requests, latest first."""
    return [(each.status, each.size) for each in witness.refused_requests()]


def test_conflicting_requests_are_kept_once(witness: Witness) -> None:
    for request, status in (
        (request_of(FORKED, 300, 400), 422),
        (request_of(FORKED, 0, 300), 409),
        (request_of(TREE, 0, 200), 409),
        (request_of(FORKED, 300, 400), 422),
    ):
        assert witness.add_checkpoint(request).status == status

    assert refusals_of(witness) == [(409, 200), (409, 300), (422, 400)]
    evidence = witness.refused_requests()[1]
    assert (evidence.at, evidence.origin, evidence.seen_size) == (NOW, HOUSE.key.name, 300)
    assert signatures_of(parse_request(evidence.request.encode()).note, [HOUSE.key])


def test_other_refusals_are_no_evidence(witness: Witness) -> None:
    """A lost response, another key, another log, and bytes that are no request."""
    for request, status in (
        (request_of(TREE, 0, 400), 409),
        (request_of(TREE, 0, 300), 409),
        (request_of(FORKED, 300, 400, Signer(HOUSE.key.name, b"\x05" * 32)), 403),
        (request_of(FORKED, 300, 400, Signer("other.example/tlog", b"\x01" * 32)), 404),
        (b"nonsense", 400),
    ):
        assert witness.add_checkpoint(request).status == status

    assert refusals_of(witness) == []


def test_a_false_proof_by_a_stranger_is_dropped_when_the_checkpoint_is_cosigned(witness: Witness) -> None:
    honest, false = request_of(TREE, 300, 500), request_of(FORKED, 300, 500)
    proof = false.partition(b"\n\n")[0] + b"\n\n" + honest.partition(b"\n\n")[2]

    assert witness.add_checkpoint(proof).status == 422
    assert refusals_of(witness) == [(422, 500)]
    assert witness.add_checkpoint(honest).status == 200
    assert refusals_of(witness) == []


def signed_request(tree: Tree, size: int) -> SignedRequest:
    checked = verify_request(request_of(tree, 0, size), HOUSES)
    assert isinstance(checked, SignedRequest)
    return checked


def test_old_checkpoints_do_not_displace_other_evidence(tmp_path: Path) -> None:
    """Anyone can send an old checkpoint again."""
    with closing(SqliteDatabase(tmp_path / "refusals.db")) as database:
        for table in METADATA.sorted_tables:
            for definition in creation_of(table):
                database.change(definition)
        refusals, seen = Refusals(database, kept_max=3), SeenTree(300, TREE.root(300))
        refusals.keep(signed_request(FORKED, 300), CosignRefusal(409, "another size", 300), seen, NOW)
        for size in range(1, 8):
            refusals.keep(signed_request(TREE, size), CosignRefusal(409, "another size", 300), seen, NOW)

        assert [each.size for each in refusals.list()] == [7, 6, 300]


def test_evidence_is_shown_at_an_address_and_by_the_command(
    tmp_path: Path, witness: Witness, capsys: pytest.CaptureFixture[str]
) -> None:
    witness.add_checkpoint(request_of(FORKED, 300, 400))
    origin = hashlib.sha256(HOUSE.key.name.encode()).hexdigest()
    with serve_witness(witness) as address:
        status, body, headers = ask(address.url, "GET", f"/{origin}/refused")
        assert ask(address.url, "GET", f"/{origin[::-1]}/refused")[0] == 404
    ((found),) = json.loads(body)
    assert (status, headers["content-type"], found["size"], found["seenSize"]) == (200, "application/json", 400, 300)

    assert main(["witness", "--data", str(tmp_path), "--refused", "--json"]) == 0
    document: Any = json.loads(capsys.readouterr().out)
    assert document["refused"] == [found]
    assert main(["witness", "--data", str(tmp_path), "--refused"]) == 0
    assert "400 leaves, 300 seen; 422" in capsys.readouterr().out
