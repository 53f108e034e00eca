"""The browser compares a checkpoint with the last one it saw; here its module runs in Node on trees of many sizes."""

from __future__ import annotations

import base64
import subprocess
from pathlib import Path
from typing import Final

import msgspec
import pytest

from api.transparency.verifier_pages import MODULES
from domain.proofs.key_history import history_bytes
from domain.transparency.announcements import KeyChanged, RootNamed
from domain.transparency.checkpoints import Checkpoint
from domain.transparency.key_notes import Reason
from domain.transparency.keys import Signer
from domain.transparency.merkle import HASH_BYTES
from domain.transparency.notes import Note, VerifierKey
from domain.transparency.tiles import Tile, width_of
from tests.domain.proofs.match_proofs import WITNESS, sign_checkpoint
from tests.domain.proofs.test_key_changes import NEW, OLD, ROOT
from tests.domain.proofs.test_key_history import announced, history
from tests.domain.transparency.key_holders import change, naming
from tests.domain.transparency.trees import Tree
from tests.seeding import derive_number
from tests.transparency.outsiders import HOUSE
from tests.transparency.second import NODE

SCRIPT: Final = Path(__file__).with_name("consistency.mjs")
ADDRESSES: Final = {
    "consistency": (MODULES.parent / "consistency.js").as_uri(),
    "notes": (MODULES / "notes.js").as_uri(),
    "succession": (MODULES.parent / "succession.js").as_uri(),
}
SIZE: Final = 66_000
EDGES: Final = (1, 2, 3, 255, 256, 257, 512, 65_535, 65_536, 65_537, SIZE)
THIEF: Final = Signer(HOUSE.key.name, b"\x07" * 32)

Pair = dict[str, object]


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree(SIZE)


def note_of(tree: Tree, size: int, signer: Signer = HOUSE) -> str:
    text = Checkpoint(HOUSE.key.name, size, tree.root(size)).text
    return str(Note(text, (signer.sign(text),)))


def tiles_of(tree: Tree, size: int) -> dict[str, str]:
    """Return the tiles of a tree of this size by their paths, as the server names them."""
    found = {}
    for (level, index), data in tree.tiles.items():
        if width := width_of(level, index, size):
            path = f"{level}/{Tile(index, width).path}"
            found[path] = base64.b64encode(data[: width * HASH_BYTES]).decode()
    return found


def pair(earlier: str, current: str, tiles: dict[str, str]) -> Pair:
    return {"earlier": earlier, "current": current, "tiles": tiles, "key": str(HOUSE.key)}


def compare(*pairs: Pair) -> list[str]:
    lines = [msgspec.json.encode(ADDRESSES), *map(msgspec.json.encode, pairs)]
    process = subprocess.run([NODE, SCRIPT], input=b"\n".join(lines) + b"\n", capture_output=True, check=True)
    return [msgspec.json.decode(line) for line in process.stdout.splitlines()]


def test_every_continuation_is_recognised(tree: Tree) -> None:
    """Pairs of sizes at the edges of tiles and between them; only the tiles of the larger size are used."""
    small = Tree(600)
    sizes = sorted({*EDGES[:7], *(1 + derive_number(f"size {number}") % 600 for number in range(8))})
    pairs = [
        pair(note_of(small, old), note_of(small, size), tiles_of(small, size))
        for size in sizes
        for old in sizes
        if old <= size
    ]
    large = tiles_of(tree, SIZE)
    pairs += [pair(note_of(tree, old), note_of(tree, SIZE), large) for old in EDGES[-5:]]

    assert set(compare(*pairs)) == {"continued"}


def test_another_or_an_older_tree_is_a_contradiction() -> None:
    tree, forked = Tree(600), Tree(600, salt="'")
    honest, other = tiles_of(tree, 600), tiles_of(forked, 600)
    half_tile = {path: data for path, data in honest.items() if not path.startswith("0/001")}

    assert (
        compare(
            pair(note_of(tree, 300), note_of(forked, 600), other),
            pair(note_of(tree, 300), note_of(forked, 600), honest),
            pair(note_of(tree, 600), note_of(forked, 600), other),
            pair(note_of(tree, 600), note_of(tree, 599), tiles_of(tree, 599)),
            pair(note_of(tree, 300), note_of(tree, 600), half_tile),
            pair(note_of(tree, 300), note_of(tree, 600), honest | {"0/001": "AAAA"}),
        )
        == ["false"] * 6
    )


def test_a_checkpoint_without_the_signature_is_no_evidence() -> None:
    tree = Tree(20)
    stolen = note_of(tree, 20, THIEF)

    assert compare(
        pair(note_of(tree, 10), stolen, tiles_of(tree, 20)),
        pair(note_of(tree, 10), "nonsense", {}),
    ) == ["unsigned", "error: it is not a signed note"]


def after_change(content: bytes, key: VerifierKey, known: VerifierKey, current: str = "") -> Pair:
    """Return the pair of a browser that knows another key; by default the checkpoint of the history is current."""
    note = current or msgspec.json.decode(content)["checkpoint"]
    keys = base64.b64encode(content).decode()
    return {"earlier": note, "current": note, "tiles": {}, "key": str(key), "keys": keys, "known": str(known)}


@pytest.mark.parametrize("reason", ["planned", "lost", "stolen"])
def test_an_announced_key_follows_from_the_known_one(reason: Reason) -> None:
    content = history(reason)

    assert compare(*(after_change(content, NEW.key, known) for known in (OLD.key, NEW.key))) == ["continued"] * 2


def test_a_key_without_an_announcement_does_not_follow() -> None:
    unannounced = history_bytes(**announced(house=NEW), keys=(NEW.key, WITNESS.key))
    notes = (RootNamed(naming(OLD, ROOT)), KeyChanged(change(OLD, NEW, THIEF, 15, "lost")))
    forged = history_bytes(**announced(*notes, house=NEW), keys=(NEW.key, WITNESS.key))

    assert (
        compare(
            after_change(unannounced, NEW.key, OLD.key),
            after_change(forged, NEW.key, OLD.key),
            after_change(history(), NEW.key, THIEF.key),
            after_change(history(), NEW.key, ROOT.key),
        )
        == ["false key"] * 4
    )


def test_a_history_of_another_key_or_tree_proves_nothing() -> None:
    content, before = history(), history_bytes(**announced(house=OLD), keys=(OLD.key, WITNESS.key))
    note = msgspec.json.decode(content)["checkpoint"]
    moved, stolen = content.replace(b'"leaf":20', b'"leaf":21'), content.replace(str(NEW.key).encode(), b"stolen")
    other = str(sign_checkpoint(Checkpoint(NEW.key.name, 40, Tree(40).root()), WITNESS, house=NEW))

    assert compare(
        after_change(before, NEW.key, OLD.key, note),
        after_change(moved, NEW.key, OLD.key),
        after_change(stolen, NEW.key, OLD.key, note),
        after_change(content, NEW.key, OLD.key, other),
    ) == [
        "error: its key is not that of the checkpoint",
        "error: its announcements are not in the tree",
        "error: it is not a signed history of keys",
        "false",
    ]
