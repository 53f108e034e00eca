"""A witness that a thief has misled is reset by the root key, over HTTP and by its operator, and keeps the evidence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from domain.transparency.checkpoints import parse_checkpoint
from domain.transparency.errors import Malformed
from domain.transparency.key_notes import Reason
from domain.transparency.notes import parse_note
from ops.cli import main
from ops.transparency.witness import Witness, parse_logs
from ops.transparency.witness_resets import parse_roots
from tests.domain.transparency.key_holders import BEGIN, OVERLAP, change, log_key, root_key
from tests.domain.transparency.trees import Tree
from tests.seeding import entropy
from tests.transparency.outsiders import ask, request_of, run_json, serve_witness

OLD, NEW, ROOT = log_key(0), log_key(1), root_key()
ORIGIN: Final = OLD.key.name
TREE: Final = Tree(300, 10)
INVENTED: Final = Tree(300)
INVENTED.grow(1, salt="'")
LINES: Final = (f"{OLD.key}", f"root {ROOT.key} {ORIGIN}")


def certificate(reason: Reason = "stolen", root: object = ROOT) -> bytes:
    assert isinstance(root, type(ROOT))
    return change(OLD, NEW, root, 300, reason, good_root=TREE.root(300)).encode()


def witness_at(folder: Path, seconds: int = int(BEGIN.timestamp())) -> Witness:
    return Witness(
        folder / "witness.db", "w.example", parse_logs(LINES), entropy(), lambda: seconds, parse_roots(LINES)
    )


@pytest.fixture
def misled_witness(tmp_path: Path) -> Iterator[Witness]:
    """Provide a witness that has cosigned one invented leaf, signed with the stolen key."""
    with closing(witness_at(tmp_path)) as witness:
        assert witness.add_checkpoint(request_of(TREE, 0, 300, OLD)).status == 200
        assert witness.add_checkpoint(request_of(INVENTED, 300, 301, OLD)).status == 200
        assert witness.add_checkpoint(request_of(TREE, 300, 310, OLD)).body == "301\n"
        yield witness


def test_after_a_reset_the_honest_tree_continues_and_the_stolen_key_is_refused(misled_witness: Witness) -> None:
    """Trust row: a thief has a witness cosign one invented leaf; the witness returns to the honest service."""
    with serve_witness(misled_witness) as address:
        assert ask(address.url, "GET", "/reset")[0] == 405
        status, body, _ = ask(address.url, "POST", "/reset", certificate())
        assert (status, body) == (200, f"the key of {ORIGIN} is {NEW.key}, and it continues from 300 leaves\n")

    assert misled_witness.add_checkpoint(request_of(TREE, 300, 310, OLD)).status == 403
    assert misled_witness.add_checkpoint(request_of(INVENTED, 300, 301, OLD)).status == 403
    assert misled_witness.add_checkpoint(request_of(TREE, 300, 310, NEW)).status == 200


def test_the_cosigned_checkpoint_of_the_thief_is_kept_as_evidence(misled_witness: Witness) -> None:
    misled_witness.reset(certificate())

    (note,) = misled_witness.changes.evidence(ORIGIN)
    assert parse_checkpoint(parse_note(note.encode()).text).root == INVENTED.root(301)


def test_a_thief_cannot_reset_the_witness(misled_witness: Witness) -> None:
    refusals = [certificate(root=root_key(66)), certificate().replace(b"size 300", b"size 200"), b"nonsense"]

    assert [misled_witness.reset(each).status for each in refusals] == [403, 403, 400]
    assert misled_witness.add_checkpoint(request_of(TREE, 300, 310, NEW)).status == 403


def test_a_reset_is_not_repeated_later(misled_witness: Witness) -> None:
    misled_witness.reset(certificate())
    assert misled_witness.add_checkpoint(request_of(TREE, 300, 310, NEW)).status == 200

    assert misled_witness.reset(certificate()).status == 409
    assert misled_witness.add_checkpoint(request_of(TREE, 310, 310, NEW)).status == 200


def test_a_reset_is_stored(tmp_path: Path, misled_witness: Witness) -> None:
    misled_witness.reset(certificate())
    misled_witness.close()

    with closing(witness_at(tmp_path)) as again:
        assert again.add_checkpoint(request_of(TREE, 300, 310, NEW)).status == 200


def test_in_the_overlap_of_a_planned_change_both_keys_count(tmp_path: Path) -> None:
    with closing(witness_at(tmp_path)) as witness:
        assert witness.add_checkpoint(request_of(TREE, 0, 300, OLD)).status == 200
        assert witness.reset(certificate("planned")).status == 200
        assert witness.changes.evidence(ORIGIN) == []
        assert witness.add_checkpoint(request_of(TREE, 300, 301, OLD)).status == 200
        assert witness.add_checkpoint(request_of(TREE, 301, 302, NEW)).status == 200
    with closing(witness_at(tmp_path, int((BEGIN + OVERLAP).timestamp()))) as later:
        assert later.add_checkpoint(request_of(TREE, 302, 310, OLD)).status == 403
        assert later.add_checkpoint(request_of(TREE, 302, 310, NEW)).status == 200


def test_the_operator_of_the_witness_resets_it(
    tmp_path: Path, misled_witness: Witness, capsys: pytest.CaptureFixture[str]
) -> None:
    misled_witness.close()
    (tmp_path / "houses").write_text("\n".join(LINES))
    for name, content in (("good", certificate()), ("forged", certificate(root=root_key(66)))):
        (tmp_path / name).write_bytes(content)

    assert main(["witness", "--data", str(tmp_path), "--reset", str(tmp_path / "forged")]) == 1
    assert "not signed with a root key that this witness knows" in capsys.readouterr().err
    assert main(["witness", "--data", str(tmp_path), "--reset", str(tmp_path / "missing")]) == 2
    answer = run_json("witness", "--data", tmp_path, "--reset", tmp_path / "good")

    assert answer == {"reset": f"the key of {ORIGIN} is {NEW.key}, and it continues from 300 leaves"}


def test_a_root_key_needs_the_name_of_its_log() -> None:
    assert parse_roots(["# none", str(OLD.key)]) == {}
    with pytest.raises(Malformed, match="needs the name of its log: root KEY ORIGIN"):
        parse_roots([f"root {ROOT.key}"])
