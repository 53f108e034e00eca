"""Proof files: statements that they prove, and refusal of any change."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.matches.log.log_files import ENTRIES_MAX, LINE_MAX, LogFile, log_bytes, log_of, parse_log, read_log
from domain.matches.play.in_memory import fork_log, play_to_end, seeded_origins
from domain.matches.verification.verify import VerifyReport
from domain.proofs.match import (
    NO_PROOF,
    NO_TRUST,
    NOT_EXAMINED,
    verify_any,
    verify_content,
)
from domain.proofs.match_file import LeafLine, ProofFile, parse_proof_file, proof_bytes
from domain.proofs.rulings import UNGRANTED
from domain.proofs.service_keys import OTHER_SERVICE
from domain.transparency.keys import Signer
from domain.transparency.notes import Note, VerifierKey
from domain.transparency.policy import policy_of_keys
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, BOTS, forge_entry, toy_log, version_of
from tests.domain.proofs.match_proofs import HOUSE, SALT, STRANGER, WITNESS, Lines, proof_of, sign_checkpoint

GOLDEN = Path(__file__).parents[2] / "golden"
LOG = toy_log()
COUNT = LOG.header.entries
PROOF = proof_of(LOG, WITNESS)
FILE = Lines(PROOF)
FIRST_LEAF = COUNT + 2
END = -1


def check(content: bytes, *trust: VerifierKey) -> VerifyReport:
    return verify_content(content, titles=ALL_TITLES, trust=policy_of_keys(trust) if trust else None)


def find_fault(content: bytes, *trust: VerifierKey) -> tuple[int | None, str]:
    """Return the entry and the reason of the fault."""
    fault = check(content, *trust).fault
    assert fault is not None, "nothing was found"
    return fault.entry, fault.why


def test_a_proof_round_trips() -> None:
    content = proof_bytes(PROOF)

    assert parse_proof_file(content) == PROOF
    assert proof_bytes(parse_proof_file(content)) == content


def test_the_log_can_be_extracted() -> None:
    cut = b"\n".join(FILE.lines[1 : COUNT + 2]) + b"\n"

    assert cut == log_bytes(LOG)
    assert check(cut).is_good


def test_a_report_lists_proved_and_unproved_statements() -> None:
    report = check(FILE.content)

    assert report.is_good, report.fault
    assert report.proof is not None
    assert (report.proof.origin, report.proof.is_trusted, report.proof.leaves_checked) == (
        HOUSE.key.name,
        None,
        COUNT,
    )
    (cosigned,) = report.proof.cosigned
    assert (cosigned.name, cosigned.is_trusted, cosigned.at.year) == (WITNESS.key.name, None, 2027)
    assert [each.partition(":")[0] for each in report.proof.checked] == [
        "inclusion",
        f"signature of {HOUSE.key.name} on the checkpoint, with the key in the file",
        f"cosignature of {WITNESS.key.name} at 2027-01-15 08",
    ]
    assert NO_TRUST in report.unchecked
    assert not any("same history" in each for each in report.unchecked)


def test_trusted_keys_leave_no_open_points_about_keys() -> None:
    report = check(FILE.content, WITNESS.key, HOUSE.key)

    assert report.proof is not None
    assert report.proof.is_trusted
    assert report.proof.cosigned[0].is_trusted
    assert not any("trust" in each or "witness" in each for each in report.unchecked)


def test_a_proof_without_a_witness_lists_the_open_points() -> None:
    for trust, more in (((), 2), ((HOUSE.key,), 1)):
        report = check(proof_bytes(proof_of(LOG)), *trust)

        assert report.is_good, report.fault
        assert any("no witness has cosigned" in each for each in report.unchecked)
        assert sum("who" in each or "owners" in each or "witness" in each for each in report.unchecked) >= more


def test_signatures_of_the_service_are_compared_with_its_checkpoint_key() -> None:
    """A match signed by another service is reported in the proof by this one."""
    log = read_log(GOLDEN / "la_granja-signed.jsonl")
    (key, entry), *_ = verify_content(log_bytes(log)).signatures.services_from
    report = verify_content(proof_bytes(proof_of(log, WITNESS)))

    assert report.is_good, report.fault
    assert OTHER_SERVICE.format(key=key, entry=entry) in report.unchecked
    own = Signer("signing.example", sha256(b"pen house").digest())
    report = verify_content(proof_bytes(proof_of(log, WITNESS, house=own)))
    assert own.key.public.hex() == key
    assert not any("has another key" in each for each in report.unchecked)


def test_the_checkpoint_of_another_service_is_refused() -> None:
    for key in (Signer("other.example/tlog", b"\x06" * 32), Signer(HOUSE.key.name, b"\x06" * 32)):
        assert "is not trusted" in find_fault(proof_bytes(proof_of(LOG, house=key)), HOUSE.key)[1]


def with_checkpoint(proof: ProofFile, **fields: Any) -> bytes:
    """Return the proof with another checkpoint, correctly signed."""
    checkpoint = proof.checkpoint._replace(**fields)
    return proof_bytes(proof._replace(checkpoint=checkpoint, note=sign_checkpoint(checkpoint, WITNESS)))


def test_a_checkpoint_with_another_root_is_refused() -> None:
    assert find_fault(with_checkpoint(PROOF, root=bytes(32)))[1].endswith("the proof does not lead to the root")


def test_a_stale_checkpoint_without_the_last_entry_is_refused() -> None:
    last = PROOF.leaves[-1].leaf
    entry, why = find_fault(with_checkpoint(PROOF, size=last))

    assert entry == COUNT
    assert f"its leaf {last} is not after the previous leaf and below {last}" in why


def test_a_later_checkpoint_needs_other_hashes() -> None:
    assert "not all of its entries" in find_fault(with_checkpoint(PROOF, size=10**9))[1]


def test_another_valid_history_is_refused() -> None:
    """The same table with other luck, at the leaves of the first."""
    other = toy_log(b"\x08")
    assert check(log_bytes(other)).is_good
    places = [line.leaf for line in PROOF.leaves] + list(range(PROOF.leaves[-1].leaf + 1, PROOF.checkpoint.size))
    lines = tuple(LeafLine(entry.version, places[entry.version - 1], SALT.hex()) for entry in other.entries)

    assert find_fault(proof_bytes(PROOF._replace(log=other, leaves=lines)))[1].startswith("not all of its entries")


def test_a_changed_and_rechained_entry_is_refused() -> None:
    version = version_of(LOG, "action_taken")
    false = forge_entry(LOG, version, lambda body: body | {"by": "bot:last@1"})
    report = check(proof_bytes(PROOF._replace(log=false)))

    assert report.fault is not None
    assert report.fault.kind != "proof"
    assert NOT_EXAMINED in report.unchecked
    assert report.proof is None


def test_another_salt_is_refused() -> None:
    content = FILE.change_line(FIRST_LEAF, salt="06" * 16)

    assert find_fault(content) == (
        None,
        "not all of its entries are in the signed tree: the proof does not lead to the root",
    )


def test_another_place_is_refused() -> None:
    for leaf, expected in (
        (0, "not all of its entries"),
        (3, "not all of its entries"),
        (9, "its leaf 5 is not after"),
    ):
        assert find_fault(FILE.change_line(FIRST_LEAF, leaf=leaf))[1].startswith(expected)


@pytest.mark.parametrize("leaf", [-1, 10**12, 2**63, 10**18])
def test_a_place_outside_of_the_tree_is_refused(leaf: int) -> None:
    assert find_fault(FILE.change_line(FIRST_LEAF, leaf=leaf))[0] == 1


def test_false_signatures_are_refused() -> None:
    """A signature of another text with the name and key of the service; likewise of the witness."""
    other = sign_checkpoint(PROOF.checkpoint._replace(root=bytes(32)), WITNESS).signatures
    own = PROOF.note.signatures
    for signatures, name in (((other[0], own[1]), HOUSE.key.name), ((own[0], other[1]), WITNESS.key.name)):
        content = proof_bytes(PROOF._replace(note=Note(PROOF.note.text, signatures)))

        assert find_fault(content)[1] == f"the signature of {name} on the checkpoint is invalid"


def test_keys_match_the_signatures_each_once() -> None:
    service_key, witness = str(HOUSE.key), str(WITNESS.key)
    for keys in ([witness, service_key], [service_key, str(STRANGER.key)], [service_key, service_key]):
        assert "its checkpoint: " in find_fault(FILE.change_line(END, keys=keys))[1]
    for keys in ([], [service_key], [service_key, witness, witness]):
        assert f"2 signatures, but {len(keys)} keys are listed" in find_fault(FILE.change_line(END, keys=keys))[1]
    twice = proof_of(LOG, WITNESS, WITNESS)
    assert "keys do not match its signatures in order" in find_fault(proof_bytes(twice))[1]
    assert "not from 'house.example/tlog'" in find_fault(proof_bytes(rename_signer()))[1]


def test_a_checkpoint_has_no_extension_lines() -> None:
    note = sign_checkpoint(PROOF.checkpoint._replace(extensions=("extra",)), WITNESS)
    assert "it does not have three lines" in find_fault(proof_bytes(PROOF._replace(note=note)))[1]


def rename_signer() -> ProofFile:
    """Return a checkpoint of the service, signed by another."""
    other = Signer("other.example/tlog", b"\x06" * 32)
    note = Note(PROOF.note.text, (other.sign(PROOF.note.text),))
    return PROOF._replace(note=note, keys=(other.key,))


def test_a_cosignature_after_the_year_9999_is_refused() -> None:
    assert "after the year 9999" in find_fault(proof_bytes(proof_of(LOG, WITNESS, at=2**62)))[1]


def fork_to_end() -> LogFile:
    """Return a toy match that was forked, with the fork played to its end."""
    fork = fork_log(
        LOG,
        at_version=version_of(LOG, "action_taken"),
        luck="fresh",
        by="anna",
        origins=seeded_origins(b"fork"),
        titles=ALL_TITLES,
        seats=(BOT,) * 3,
    )
    return log_of(play_to_end(fork, BOTS).entries)


def test_entries_of_an_absent_parent_may_be_in_the_stream_of_the_fork() -> None:
    """The stream must be as the file states; no other is accepted."""
    log = fork_to_end()
    own = log.entries[-1].originator_id
    fork_at = next(entry.version for entry in log.entries if entry.originator_id == own)
    streams = dict.fromkeys(range(1, fork_at), own)
    proof = proof_of(log, of=streams)
    file = Lines(proof)

    assert check(file.content).is_good
    assert b'"stream"' in file.content
    first, last = log.header.entries + 2, -2
    for index, stream in ((first, log.entries[0].originator_id), (first, "0" * 8 + "-" + str(own)[9:]), (last, own)):
        entry, why = find_fault(file.change_line(index, stream=str(stream)))
        assert "is not a later match of its line" in why
        assert entry == (1 if index == first else log.header.entries)


def test_the_proofs_of_labels_are_in_the_order_of_their_first_entries() -> None:
    """The fork stores the first entry of its parent, whose other entries are in its own stream."""
    log = fork_to_end()
    parent, own = log.entries[0].originator_id, log.entries[-1].originator_id
    proof = proof_of(log, of={1: own}, labelled_from=1)

    assert [line.stream for line in proof.labels.matches] == [own, parent]
    assert check(proof_bytes(proof)).is_good
    changed = proof._replace(labels=proof.labels._replace(matches=proof.labels.matches[::-1]))
    assert "the proofs of labels are not those" in find_fault(proof_bytes(changed))[1]


def test_rulings_without_grants_are_reported() -> None:
    golden = Path(__file__).parents[2] / "golden" / "el_grande-resumed.jsonl"
    content = proof_bytes(proof_of(parse_log(golden.read_bytes())))

    assert UNGRANTED in check(content).unchecked
    assert UNGRANTED not in check(FILE.content).unchecked


@pytest.mark.parametrize("length", range(len(FILE.lines)))
def test_a_truncated_file_is_refused(length: int) -> None:
    assert find_fault(b"\n".join(FILE.lines[:length]) + b"\n")[1]
    assert find_fault(b"\n".join(FILE.lines[:length]) + b"\n" + FILE.lines[length][:-1])[1]


def test_lines_too_many_or_too_few_are_counted() -> None:
    due = 2 * COUNT + 2

    for content, number in ((FILE.content + b"\n", due + 1), (FILE.content[:-1], due - 1), (FILE.content + b"x", due)):
        assert find_fault(content)[1] == f"{due} lines follow the header of a proof of {COUNT} entries, not {number}"


@pytest.mark.parametrize("count", [0, -1, ENTRIES_MAX + 1, 10**12])
def test_an_impossible_number_of_entries_is_refused(count: int) -> None:
    assert find_fault(FILE.change_line(0, entries=count))[1] == f"a proof has 1 to 100,000 entries, not {count}"


def test_an_impossible_tree_size_is_refused() -> None:
    for size in (0, 10**12, 10**30):
        assert find_fault(FILE.change_line(0, size=size))[1].startswith("the header of the proof ")


@pytest.mark.parametrize("index", [0, FIRST_LEAF, END])
def test_long_deep_and_non_canonical_lines_are_refused(index: int) -> None:
    number = 1 if index == FIRST_LEAF else None
    begins = FILE.lines[index][:-1]
    for line, expected in (
        (begins + b',"x":"' + b"x" * 10_000_000 + b'"}', f"is longer than {LINE_MAX} bytes"),
        (begins + b',"x":' + b"[" * 10_000 + b"]" * 10_000 + b"}", "cannot be read: "),
        (begins + b" }", "is not in canonical form"),
        (begins, "cannot be read: "),
    ):
        entry, why = find_fault(FILE.replace_line(index, line))
        assert (entry, expected in why) == (number, True), why


def test_an_unknown_format_is_refused() -> None:
    why = "unknown format 'esporles.proof/4'; expected esporles.proof/1 or esporles.proof/2 or esporles.proof/3"
    assert find_fault(FILE.change_line(0, format="esporles.proof/4"))[1] == why


@pytest.mark.parametrize("field", ["match", "head", "origin"])
def test_the_header_must_match_the_content(field: str) -> None:
    other = "00000000-0000-0000-0000-000000000000" if field == "match" else "other"

    assert "the header of the proof does not match" in find_fault(FILE.change_line(0, **{field: other}))[1]


def test_leaves_are_in_the_order_of_entries() -> None:
    assert find_fault(FILE.change_line(FIRST_LEAF, version=2)) == (1, "the leaf of entry 2 is in its place")


@pytest.mark.parametrize("salt", ["", "05" * 15, "0A" * 16, "05 " * 16, "x" * 32])
def test_a_salt_has_16_bytes_in_canonical_form(salt: str) -> None:
    assert "is not 16 bytes in hexadecimal digits" in find_fault(FILE.change_line(FIRST_LEAF, salt=salt))[1]


def test_hashes_have_32_bytes_and_none_is_superfluous() -> None:
    hashes = msgspec.json.decode(FILE.lines[END])["hashes"]
    for wrong, expected in (
        (["00"], "is not 32 bytes"),
        (hashes[:-1], "too short"),
        ([*hashes, hashes[0]], "too long"),
        (hashes[:1] * (63 * COUNT + 1), "too long"),
        (hashes[::-1], "the proof does not lead to the root"),
    ):
        assert expected in find_fault(FILE.change_line(END, hashes=wrong))[1]


def test_a_malformed_checkpoint_is_refused() -> None:
    text = str(PROOF.note)
    for wrong in (
        "",
        "x",
        text.replace("—", "-"),
        text + "\n",
        text + "x",
        "\u0000" + text,
        text.replace("\n", "\n\n", 1),
    ):
        assert find_fault(FILE.change_line(END, checkpoint=wrong))[1]


def test_a_log_without_a_proof_is_not_trusted(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(log_bytes(LOG))

    assert NO_PROOF in verify_any(path, titles=ALL_TITLES, trust=policy_of_keys([HOUSE.key])).unchecked
    assert NO_PROOF not in verify_any(path, titles=ALL_TITLES).unchecked
    missing = verify_any(tmp_path / "none.jsonl", titles=ALL_TITLES).fault
    assert missing is not None
    assert "No such file" in missing.why


@given(st.integers(0, len(FILE.content) - 1), st.integers(1, 255))
def test_a_changed_byte_is_found(offset: int, change: int) -> None:
    content = bytearray(FILE.content)
    content[offset] ^= change

    assert not check(bytes(content), HOUSE.key, WITNESS.key).is_good


@given(st.integers(0, len(FILE.content)), st.integers(0, 300), st.binary(max_size=20))
def test_removed_and_inserted_bytes_are_found(offset: int, length: int, given_in: bytes) -> None:
    content = FILE.content[:offset] + given_in + FILE.content[offset + length :]

    assert check(content).is_good == (content == FILE.content)
