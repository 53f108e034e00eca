"""Both verifiers agree on labels: on their outputs, on files of format 3, and on every change of one."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest

from api.transparency.verifier_pages import MODULES
from domain.eventstore.application import Matches
from domain.proofs.event import verify_event
from domain.proofs.event_file import parse_event
from domain.proofs.match import verify_content
from domain.proofs.match_file import proof_bytes
from domain.transparency.announcements import PREFIX, LogBegun, encode_announcement
from domain.transparency.labels import Labeller
from domain.transparency.vrf import GROUP_ORDER, VrfKey, output_of
from tests.domain.matches.match_helpers import ALL_TITLES, toy_log
from tests.domain.proofs.match_proofs import HOUSE, VRF, WITNESS, Lines, proof_of, text_of
from tests.domain.proofs.test_match_file import fork_to_end
from tests.domain.proofs.tournament_proofs import Notary, cup_file, played_cup
from tests.domain.transparency.test_vrf import OUTPUT, PROOF, PUBLIC, TEXT
from tests.seeding import SEED, example_count
from tests.transparency.damaged_lines import damaged_line
from tests.transparency.second import NODE, SecondVerifier

SCRIPT: Final = Path(__file__).with_name("vrf.mjs")
LOG: Final = toy_log()
COUNT: Final = LOG.header.entries
OTHER: Final = VrfKey(b"\x07" * 64)
FILE: Final = Lines(proof_of(LOG, WITNESS, labelled_from=4))
TURNS: Final = example_count(60)


def outputs(questions: Iterable[tuple[str, bytes, bytes]]) -> list[str | None]:
    """Return the outputs of the second verifier for keys, texts and proofs."""
    lines = b"".join(
        msgspec.json.encode({"key": key, "text": text.hex(), "proof": proof.hex()}) + b"\n"
        for key, text, proof in questions
    )
    script: list[str | Path] = [NODE, SCRIPT, (MODULES / "vrf.js").as_uri()]
    output = subprocess.run(script, input=lines, capture_output=True, check=True).stdout
    return [msgspec.json.decode(line) for line in output.splitlines()]


def test_the_test_vector_of_the_specification() -> None:
    """Hold it against https://c2sp.org/vrf-r255."""
    assert outputs([(PUBLIC, TEXT, bytes.fromhex(PROOF))]) == [OUTPUT]


def test_both_compute_the_same_outputs_and_refuse_changed_proofs() -> None:
    rng, questions, expected = Random(f"{SEED}/vrf"), list[tuple[str, bytes, bytes]](), list[str | None]()
    for _ in range(10):
        key, text = VrfKey(rng.randbytes(64)), rng.randbytes(rng.randint(0, 90))
        proof, bit = key.prove(text), rng.randrange(80 * 8)
        changed = bytearray(proof)
        changed[bit // 8] ^= 1 << bit % 8
        again = int.from_bytes(proof[48:], "little") + GROUP_ORDER
        second_form = proof[:48] + again.to_bytes(32, "little")
        questions += [(key.public.hex(), text, each) for each in (proof, bytes(changed), second_form, bytes(80))]
        questions += [
            (OTHER.public.hex(), text, proof),
            ("00" * 32, text, proof),
            (key.public.hex(), text + b"x", proof),
        ]
        expected += [output_of(proof).hex(), *(None,) * 6]

    assert outputs(questions) == expected


@pytest.mark.parametrize("first", [None, 1, 2, 4, COUNT])
def test_both_accept_a_match_with_labels(second_verifier: SecondVerifier, first: int | None) -> None:
    content = proof_bytes(proof_of(LOG, WITNESS, labelled_from=first))
    report, second = verify_content(content, titles=ALL_TITLES), second_verifier.examine(content)
    unlabelled = COUNT if first is None else first - 1
    names = {1: "1"}.get(unlabelled, f"1–{unlabelled}")

    assert (report.fault, second.fault) == (None, None)
    assert report.proof is not None
    found = [each["values"]["count"] for each in second.checked if each["id"] == "labels"]
    assert found == ([report.proof.labels_checked] if report.proof.labels_checked else [])
    ranges = [str(each["values"]["range"]) for each in second.unchecked if each["id"] == "two_histories_entries"]
    assert ranges == ([names] if unlabelled else [])


def test_both_expect_the_proofs_of_labels_in_the_order_of_the_first_entries(second_verifier: SecondVerifier) -> None:
    log = fork_to_end()
    proof = proof_of(log, of={1: log.entries[-1].originator_id}, labelled_from=1)
    changed = proof._replace(labels=proof.labels._replace(matches=proof.labels.matches[::-1]))

    for each, is_good in ((proof, True), (changed, False)):
        content = proof_bytes(each)
        assert verify_content(content, titles=ALL_TITLES).is_good == is_good
        assert (second_verifier.examine(content).fault is None) == is_good


Change = Callable[[dict[str, Any]], None]


def in_log(**fields: Any) -> Change:
    return lambda end: end["log"][0].update(fields)


def in_text(old: str, new: str) -> Change:
    return lambda end: end["log"][0].update(text=end["log"][0]["text"].replace(old, new))


def put(name: str, *values: Any) -> Change:
    return lambda end: end.update({name: list(values)})


(OWN,) = proof_of(LOG, WITNESS, labelled_from=4).labels.matches
LABEL: Final = {"stream": str(OWN.stream), "proof": OWN.proof}
OTHER_LABEL: Final = LABEL | {"proof": Labeller(OTHER, HOUSE.key.name).prove_match(OWN.stream).hex()}
OTHER_STREAM: Final = LABEL | {"stream": str(UUID(int=5))}
BEGUN: Final = encode_announcement(LogBegun("the disk was lost")).removeprefix(PREFIX).decode()
ENDS: Final[dict[str, Change]] = {
    "no label": put("labels"),
    "a label twice": put("labels", LABEL, LABEL),
    "another stream": put("labels", OTHER_STREAM),
    "a stream too many": put("labels", LABEL, OTHER_STREAM),
    "a label by another key": put("labels", OTHER_LABEL),
    "a short label": put("labels", LABEL | {"proof": OWN.proof[2:]}),
    "a label of zeros": put("labels", LABEL | {"proof": "00" * 80}),
    "no announcement": put("log"),
    "an announcement at another leaf": lambda end: in_log(leaf=end["log"][0]["leaf"] - 1)(end),
    "an announcement outside": in_log(leaf=10**6),
    "an announcement at a negative leaf": in_log(leaf=-1),
    "an announcement at the leaf of an entry": lambda end: in_log(leaf=end["log"][0]["leaf"] + 1)(end),
    "an announcement twice": lambda end: end["log"].append(end["log"][0]),
    "two announcements of labels": lambda end: end["log"].insert(0, end["log"][0] | {"leaf": 0}),
    "one more announcement": lambda end: end["log"].insert(0, {"leaf": 0, "text": BEGUN}),
    "another announcement": in_log(text=BEGUN),
    "an unknown announcement": in_log(text='{"type":"log.sung"}'),
    "no text": in_log(text=""),
    "a long text": in_log(text=BEGUN.replace("disk", "disk" * 3_000)),
    "a text that is not canonical": in_text("{", "{ "),
    "another format of the tree": in_text(":2,", ":3,"),
    "another origin": in_text(HOUSE.key.name, "other.example/tlog"),
    "a key that is none": in_text('"vrf":"', '"vrf":"0'),
    "the key zero": in_text(VRF.public.hex(), "00" * 32),
    "another key": in_log(text=text_of(Labeller(OTHER, HOUSE.key.name))),
    "no log": lambda end: end.pop("log"),
    "no labels": lambda end: end.pop("labels"),
}


@pytest.mark.parametrize("name", ENDS)
def test_both_refuse_other_labels_at_the_same_entry(second_verifier: SecondVerifier, name: str) -> None:
    end = msgspec.json.decode(FILE.lines[-1])
    ENDS[name](end)
    content = FILE.replace_line(-1, msgspec.json.encode(end))
    fault, second = verify_content(content, titles=ALL_TITLES).fault, second_verifier.examine(content).fault

    assert fault is not None
    assert second is not None
    assert (second.entry, second.kind) == (fault.entry, fault.kind), (fault, second)
    assert "cannot be examined" not in second.why


def test_both_refuse_the_label_of_an_entry_in_its_own_line(second_verifier: SecondVerifier) -> None:
    content = FILE.change_line(COUNT + 3, label=OWN.proof)
    fault, second = verify_content(content, titles=ALL_TITLES).fault, second_verifier.examine(content).fault

    assert fault is not None
    assert second is not None
    assert fault.entry == second.entry == 2


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return played_cup(tmp_path_factory.mktemp("cup"))


def test_both_accept_a_tournament_with_labels(second_verifier: SecondVerifier, cup: Matches) -> None:
    places = Notary(cup).places
    for since in (0, sorted(places.values())[len(places) // 2], len(places) - 1):
        content = b"".join(cup_file(cup, Notary(cup, labelled_from=since)))
        report, second = verify_event(content, titles=ALL_TITLES), second_verifier.examine(content)

        assert (report.fault, second.fault) == (None, None)
        assert report.proof is not None
        count = report.proof.labels_checked
        assert [each["values"]["count"] for each in second.checked if each["id"] == "labels"] == [count] * (count > 0)
        unlabelled = [each["id"] for each in second.unchecked if each["id"].startswith("two_histories")]
        assert bool(unlabelled) == (since > 0)


@pytest.mark.parametrize("part", ["event", "roles"])
def test_both_refuse_other_labels_of_records(second_verifier: SecondVerifier, cup: Matches, part: str) -> None:
    lines = b"".join(cup_file(cup, Notary(cup, labelled_from=0))).split(b"\n")[:-1]
    file, header = FileLines(lines), parse_event(b"\n".join(lines) + b"\n").header
    first = 1 + header.records + header.roles + (0 if part == "event" else header.records)
    second_label = msgspec.json.decode(lines[first + 1])["label"]
    for label in (None, second_label, second_label[2:], "00" * 80, second_label.upper()):
        line = {**msgspec.json.decode(lines[first]), "label": label}
        content = file.replace_line(
            first, msgspec.json.encode({name: it for name, it in line.items() if it is not None})
        )
        fault, second = verify_event(content, titles=ALL_TITLES).fault, second_verifier.examine(content).fault

        assert fault is not None
        assert second is not None
        assert (second.kind, second.part) == ("proof", {"name": "records" if part == "event" else "roles"}), second


class FileLines(Lines):
    """Any file as lines."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines


@pytest.mark.walk
def test_both_refuse_damaged_files_with_labels(second_verifier: SecondVerifier, cup: Matches) -> None:
    tournament = FileLines(b"".join(cup_file(cup, Notary(cup, labelled_from=0))).split(b"\n")[:-1])
    for turn in range(TURNS):
        rng = Random(f"{SEED}/labels/{turn}")
        file, is_match = rng.choice([(FILE, True), (FILE, True), (tournament, False)])
        labelled = [index for index, line in enumerate(file.lines) if b'"label' in line]
        change, line = damaged_line(file.lines[index := rng.choice(labelled)], rng)
        content = file.replace_line(index, line)
        first = (verify_content if is_match else verify_event)(content, titles=ALL_TITLES).fault
        second = second_verifier.examine(content).fault

        assert content == file.content or (first is not None and second is not None), (change, first, second)
