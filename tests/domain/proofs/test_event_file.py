"""The format of tournament proofs: bounds, lines and parts."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest

from domain.kernel.values import replace
from domain.matches.errors import LogFault
from domain.proofs.event import require_rule, rule_text, verify_event
from domain.proofs.event_file import FIRST_FORMAT, event_bytes, parse_event, parts_of
from domain.proofs.match_file import EVENT_BEGINNING
from tests.domain.matches.match_helpers import ALL_TITLES
from tests.domain.proofs.tournament_proofs import cup_file, played_hall
from tests.domain.tournaments.building import Story

HEADER: Final = 0


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Return the lines of a tournament without matches."""
    (content,) = cup_file(played_hall(tmp_path_factory.mktemp("hall")))
    assert content.startswith(EVENT_BEGINNING)
    assert event_bytes(parse_event(content)) == content
    assert list(parts_of(content, parse_event(content).header)) == []
    return content.split(b"\n")[:-1]


def with_fields(lines: list[bytes], at: int, **fields: Any) -> list[bytes]:
    body = msgspec.json.decode(lines[at]) | fields
    return [msgspec.json.encode(body) if line is lines[at] else line for line in lines]


def why(lines: list[bytes]) -> str:
    fault = verify_event(b"\n".join(lines) + b"\n", titles=ALL_TITLES).fault
    assert fault is not None
    return fault.why


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"format": "esporles.event/4"},
            "unknown format 'esporles.event/4'; expected esporles.event/1 or esporles.event/2 or esporles.event/3",
        ),
        ({"format": "esporles.event/1"}, "a file of format 1 uses rule 1, but its plan names rule 2"),
        ({"records": 0}, "1 to 20,000 records, not 0"),
        ({"records": 20_001}, "1 to 20,000 records, not 20001"),
        ({"roles": 10_001}, "0 to 10,000 records of roles"),
        ({"roles": -1}, "0 to 10,000 records of roles"),
        ({"matches": 20_001}, "0 to 20,000 matches"),
        ({"matches": 1}, "ends before number 1"),
        ({"head": "00"}, "records with the head 00, but"),
        ({"size": 5}, "does not match the checkpoint below it"),
        ({"event": "00000000-0000-0000-0000-000000000000"}, "record 1 of the tournament: "),
        ({"roles": 5}, "record 4 of the roles: "),
    ],
)
def test_the_header_must_match_the_content(lines: list[bytes], fields: dict[str, Any], expected: str) -> None:
    assert expected in why(with_fields(lines, HEADER, **fields))


def test_too_many_or_too_few_lines_are_refused(lines: list[bytes]) -> None:
    assert why([*lines, b"{}"]) == "the file contains more than its 0 matches"
    for count in range(1, len(lines)):
        assert why(lines[:count])


def test_empty_files_and_foreign_lines_are_refused(lines: list[bytes]) -> None:
    with pytest.raises(LogFault, match="the header of the tournament cannot be read"):
        parse_event(b"")
    assert "the statement of the service about the tournament cannot be read" in why([*lines[:-1], b"{}"])
    assert "the line of its hashes and keys cannot be read" in why([*lines[:-2], b"{}", lines[-1]])


def test_the_signed_checkpoint_covers_the_records(lines: list[bytes]) -> None:
    end = msgspec.json.decode(lines[-2])
    wrong = ["00" * 32, *end["hashes"][1:]]

    assert why(with_fields(lines, -2, checkpoint="no note")).startswith("its checkpoint: ")
    assert "not all of its entries are in the signed tree" in why(with_fields(lines, -2, hashes=[*wrong, "11" * 32]))


def test_matches_end_as_their_headers_state(lines: list[bytes]) -> None:
    nobody = b"00000000-0000-0000-0000-000000000000"
    proof = b'{"format":"esporles.proof/1","match":"%s","entries":9,"head":"","origin":"","size":1}' % nobody
    one = with_fields(lines, HEADER, matches=1)
    assert why([*one, proof]) == "the proof of match number 1 is truncated or too large"
    assert "the header of the proof" in why([*one, b"{}"])


def test_a_file_of_format_1_is_counted_by_its_rule() -> None:
    state = Story(2).state
    first = replace(state, plan=replace(state.plan, standings=1))
    require_rule(FIRST_FORMAT, first)

    assert rule_text(FIRST_FORMAT, first) == "the rule of format 1"
