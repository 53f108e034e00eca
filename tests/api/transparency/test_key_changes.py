"""The key of the log changes: by plan, after a loss, after a theft, with another name; a crash within is completed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from api.accounts.people import People
from api.transparency.errors import TreeDiffers
from api.transparency.key_changes import ChangeRefused, Installed, install_note, request_change, request_root
from api.transparency.log_chain import load_chain
from api.transparency.log_keys import LogKeys, drop_former, log_keys_of, service_key
from api.transparency.log_secrets import KEY_NAME
from api.transparency.proofs import Prover
from api.transparency.sequencer import Sequencer
from api.transparency.store import SIGNED, Signed, TreeStore
from domain.transparency.key_chain import parse_signed_note
from domain.transparency.key_notes import KeyChange, Reason
from domain.transparency.keys import Signer, is_signed
from domain.transparency.notes import VerifierKey, parse_note
from domain.transparency.vrf import VrfKey
from tests.api.transparency.test_sequencer import Log
from tests.domain.transparency.key_holders import root_key
from tests.seeding import entropy

ORIGIN: Final = "house.example/tlog"
AT: Final = datetime(2030, 1, 1, tzinfo=UTC)
UNTIL: Final = AT + timedelta(days=30)
ROOT: Final = root_key()
VRF: Final = VrfKey(b"\x02" * 64)


class House:
    """A service with its log in memory, its accounts and its tree in a folder."""

    def __init__(self, folder: Path) -> None:
        self.people, self.store = People(folder / "people.db", entropy()), TreeStore(folder / "tree.db")
        self.log, self._entropy, self.origin = Log(), entropy(), ORIGIN
        self.log.append(*["entry"] * 5)
        self.store.try_to_lead()

    @property
    def keys(self) -> LogKeys:
        return log_keys_of(self.people, self.origin)

    @property
    def key(self) -> VerifierKey:
        return self.keys.signer.key

    def sequencer(self, keys: LogKeys, announced: VerifierKey) -> Sequencer:
        return Sequencer(self.log, self.store, keys.signer, self._entropy, VRF, keys.former, announced)

    def sign(self, at: datetime = AT) -> Signed:
        """Play an entry, append all and sign, as the running service does."""
        self.log.append("entry")
        sequencer = self.sequencer(self.keys, self.key)
        while sequencer.append_batch():
            pass
        signed = sequencer.sign(at)
        assert signed is not None
        self.store.publish(signed)
        return signed

    def request(
        self, reason: Reason = "planned", *, origin: str = "", size: int | None = None, until: datetime = UNTIL
    ) -> str:
        signer = self.keys.signer
        return request_change(
            self.store, self.people, signer, reason, until=until, entropy=self._entropy, origin=origin, size=size
        )

    def install(self, request: str, *roots: Signer) -> Installed:
        note = parse_note(request.encode())
        signed = note._replace(signatures=(*note.signatures, *(each.sign(note.text) for each in roots or (ROOT,))))
        return install_note(self.store, self.people, self.origin, str(signed), self.sequencer, AT)

    def name_root(self, root: Signer = ROOT, *earlier: Signer) -> Installed:
        return self.install(request_root(self.store, self.keys.signer, root.key), root, *earlier)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    house.sign()
    with closing(house.people), closing(house.store):
        yield house


def is_signed_by(key: VerifierKey, signed: Signed) -> bool:
    return is_signed(key, signed.text, signed.signature)


def test_a_planned_change_signs_with_both_keys_until_the_overlap_ends(house: House) -> None:
    house.name_root()
    old, old_service = house.key, service_key(house.people).key
    request = house.request()
    house.log.append("entry")

    installed = house.install(request)

    assert (installed.key, installed.size) == (house.key, house.store.size)
    assert house.key.public != old.public
    assert service_key(house.people).key == house.key.public.hex() != old_service
    # The entry before the change has a lower leaf, and the first checkpoint covers the announcement.
    assert installed.leaf == house.store.size - 1
    overlapping, after = house.sign(UNTIL - timedelta(seconds=1)), house.sign(UNTIL)
    for signed in (overlapping, after):
        assert is_signed_by(house.key, signed)
    assert overlapping.former is not None
    assert is_signed(old, overlapping.text, overlapping.former)
    assert after.former is None
    assert house.store.checkpoint(SIGNED) == after


def test_the_former_key_is_erased_after_the_overlap(house: House) -> None:
    house.name_root()
    house.install(house.request())

    drop_former(house.people, UNTIL - timedelta(seconds=1))
    assert house.keys.former is not None
    drop_former(house.people, UNTIL)
    assert house.keys.former is None


def test_a_published_checkpoint_of_the_overlap_has_both_lines_and_a_proof_only_the_current(house: House) -> None:
    house.name_root()
    house.install(house.request())
    signed = house.sign()

    published = house.store.load_published()

    assert published is not None
    assert published[1].signatures == signed.signatures
    assert len(signed.signatures) == 2
    prover = Prover(house.store, house.key, (), VRF)
    assert (prover.keys, prover.note.signatures) == ((house.key,), (signed.signature,))


@pytest.mark.parametrize("reason", ["lost", "stolen"])
def test_after_loss_or_theft_the_root_key_alone_changes_the_key(house: House, reason: Reason) -> None:
    house.name_root()
    good, old = house.sign(), house.key
    if reason == "lost":
        house.people.store_secrets({KEY_NAME: "77" * 32})

    installed = house.install(house.request(reason))

    signed = house.sign()
    assert (installed.key, signed.former) == (house.key, None)
    assert is_signed_by(house.key, signed)
    chain = load_chain(house.store, house.key)
    assert [term.key for term in chain.terms] == [old, house.key]
    assert chain.terms[0].last == good.checkpoint.size


def test_an_earlier_checkpoint_can_be_named_after_a_theft(house: House) -> None:
    house.name_root()
    good = house.sign().checkpoint
    house.sign()

    house.install(house.request("stolen", size=good.size))

    assert load_chain(house.store, house.key).terms[0].last == good.size
    house.sign()


def test_a_refused_request_leaves_the_earlier_one_installable(house: House) -> None:
    house.name_root()
    house.install(house.request())
    house.sign()
    request = house.request()

    with pytest.raises(ChangeRefused, match="names a checkpoint of 1 leaves"):
        house.request("stolen", size=1)

    assert house.install(request).key == house.key


def test_the_origin_changes_with_the_key(house: House) -> None:
    """Trust row: the same tree continues under another name, by a change that the root key has signed."""
    house.name_root()

    installed = house.install(house.request(origin="new.example/tlog"))

    assert installed.key.name == "new.example/tlog"
    with pytest.raises(TreeDiffers, match=r"the tree announces the key new\.example|is that of new\.example"):
        house.sign()
    house.origin = "new.example/tlog"
    signed = house.sign()
    assert (signed.checkpoint.origin, signed.former) == ("new.example/tlog", None)


def test_a_name_without_a_setting_survives_a_change(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.origin = ""
    with closing(house.people), closing(house.store):
        house.sign()
        derived = house.key.name
        house.name_root()
        house.install(house.request())

        assert house.sign().checkpoint.origin == derived == house.key.name
        assert derived.startswith("esporles/")


def test_a_change_that_was_interrupted_is_completed(house: House) -> None:
    """The tree announces the next key, but the process died before the secrets were changed."""
    house.name_root()
    note = parse_note(house.request().encode())
    complete = str(note._replace(signatures=(*note.signatures, ROOT.sign(note.text))))
    before = {name: house.people.find_secret(name) for name in ("tree", "tree/next", "tree/former", "tree/until")}
    first = install_note(house.store, house.people, ORIGIN, complete, house.sequencer, AT)
    house.people.store_secrets(before)
    with pytest.raises(TreeDiffers, match="if a change was interrupted, repeat"):
        house.sign()

    again = install_note(house.store, house.people, ORIGIN, complete, house.sequencer, AT)

    assert again == first
    assert len(house.sign().signatures) == 2


def test_a_second_root_key_needs_the_first(house: House) -> None:
    second = root_key(1)
    house.name_root()

    with pytest.raises(ChangeRefused, match=r"not signed|2 signatures, expected 3"):
        house.name_root(second)
    house.name_root(second, ROOT)
    with pytest.raises(ChangeRefused, match=r"is not signed with root\.example/1"):
        house.install(house.request(), ROOT)
    house.install(house.request(), second)


def test_what_the_service_cannot_install_is_refused(house: House) -> None:
    with pytest.raises(ChangeRefused, match="no root key was named before"):
        house.request()
    house.name_root()
    superseded = house.request()
    with pytest.raises(ChangeRefused, match="the latest checkpoint has"):
        house.request("stolen", size=10**6)
    house.request()
    with pytest.raises(ChangeRefused, match=r"did not request the key .*, or has requested another since"):
        house.install(superseded)
    with pytest.raises(ChangeRefused, match=r"is not signed with root\.example/0"):
        house.install(house.request(), root_key(5))
    with pytest.raises(ChangeRefused, match="no empty line"):
        install_note(house.store, house.people, ORIGIN, "nonsense", house.sequencer, AT)
    with pytest.raises(ChangeRefused, match=r"the root key .* was used before"):
        house.name_root()
    house.people.store_secrets({KEY_NAME: "77" * 32})
    with pytest.raises(ChangeRefused, match="does not have the key"):
        house.request()


def test_a_checkpoint_of_another_tree_is_refused(house: House) -> None:
    house.name_root()
    note, content = parse_signed_note(house.request("stolen"))
    assert isinstance(content, KeyChange)
    upcoming = Signer(ORIGIN, bytes.fromhex(house.people.secret("tree/next")))
    text = content._replace(root=b"\x09" * 32).text

    with pytest.raises(ChangeRefused, match="does not have the checkpoint"):
        house.install(str(note._replace(text=text, signatures=(upcoming.sign(text),))))


def test_nothing_is_requested_before_the_first_checkpoint(tmp_path: Path) -> None:
    house = House(tmp_path)
    with (
        closing(house.people),
        closing(house.store),
        pytest.raises(ChangeRefused, match="no checkpoint"),
    ):
        house.request()
