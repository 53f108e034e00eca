"""Notes about keys: their text, its canonical form, and their signatures."""

from __future__ import annotations

import pytest

from domain.transparency.checkpoints import parse_checkpoint
from domain.transparency.errors import Malformed, NotSigned
from domain.transparency.key_notes import KeyChange, RootNaming, parse_key_note, require_signatures
from domain.transparency.keys import Signer
from domain.transparency.notes import COSIGNATURE, parse_note
from tests.domain.transparency.key_holders import BEGIN, GOOD_ROOT, change, log_key, naming, root_key

OLD, NEW, ROOT = log_key(0), log_key(1), root_key()
PLANNED = KeyChange(OLD.key, NEW.key, "planned", 12, GOOD_ROOT, BEGIN)
STOLEN = KeyChange(OLD.key, NEW.key, "stolen", 12, GOOD_ROOT)
NAMING = RootNaming(OLD.key, ROOT.key)


def test_a_change_is_a_text_that_people_can_read() -> None:
    assert PLANNED.text == (
        "esporles.key-change/1\n"
        f"old {OLD.key}\n"
        f"new {NEW.key}\n"
        "reason planned\n"
        "size 12\n"
        "root BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=\n"
        "until 2030-01-01T00:00:00Z\n"
    )


@pytest.mark.parametrize("content", [PLANNED, STOLEN, STOLEN._replace(reason="lost"), NAMING])
def test_a_note_is_parsed_as_it_was_written(content: KeyChange | RootNaming) -> None:
    assert parse_key_note(content.text) == content


@pytest.mark.parametrize("content", [PLANNED, STOLEN, NAMING])
def test_no_note_about_keys_is_a_checkpoint(content: KeyChange | RootNaming) -> None:
    with pytest.raises(Malformed, match="not a number of leaves"):
        parse_checkpoint(content.text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("log.example/tlog\n12\n", "unknown first line 'log.example/tlog'"),
        (
            PLANNED.text.replace("reason planned", "reason bored"),
            "unknown reason 'bored'; expected planned, lost, stolen",
        ),
        (PLANNED.text.replace("until 2030-01-01T00:00:00Z\n", ""), "has no line 'until'"),
        (PLANNED.text.replace("T00:00:00Z", ""), "'2030-01-01' is not a time such as"),
        (PLANNED.text.replace("size 12", "size 012"), "'012' is not a number of leaves"),
        (PLANNED.text.replace("root B", "root C")[:-40] + "\n", "root|base64|hash"),
        (STOLEN.text + "until 2030-01-01T00:00:00Z\n", "not in canonical form"),
        (PLANNED.text + "more words\n", "not in canonical form"),
        (PLANNED.text[:-1], "not in canonical form"),
        (NAMING.text.replace("log ", "house "), "has no line 'log'"),
        (RootNaming(OLD.key, Signer("w", bytes(32), COSIGNATURE).key).text, "has an unsupported type"),
    ],
)
def test_another_text_is_refused_by_name(text: str, reason: str) -> None:
    with pytest.raises(Malformed, match=reason):
        parse_key_note(text)


def test_a_planned_change_is_signed_by_three_keys_and_a_theft_by_two() -> None:
    assert PLANNED.signers(ROOT.key) == (NEW.key, OLD.key, ROOT.key)
    assert STOLEN.signers(ROOT.key) == (NEW.key, ROOT.key)
    assert NAMING.signers(None) == (OLD.key, ROOT.key)
    assert NAMING.signers(root_key(1).key) == (OLD.key, ROOT.key, root_key(1).key)


def test_signatures_must_be_complete_in_order_and_valid() -> None:
    note, keys = parse_note(change(OLD, NEW, ROOT, 12).encode()), (NEW.key, OLD.key, ROOT.key)
    require_signatures(note, keys)

    with pytest.raises(NotSigned, match=r"^a note about keys has 3 signatures, expected 2$"):
        require_signatures(note, keys[:2])
    with pytest.raises(NotSigned, match=r"is not signed with log\.example/tlog"):
        require_signatures(note, (OLD.key, NEW.key, ROOT.key))
    with pytest.raises(NotSigned, match=r"is not signed with root\.example/0"):
        require_signatures(note._replace(text=naming(OLD, ROOT)), (ROOT.key, OLD.key, ROOT.key))
