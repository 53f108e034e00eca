"""The audit trail as a file: restricted, recorded in its last line, and tamper-evident."""

from typing import Any

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.errors import LogFault
from domain.matches.facts import SERVICE
from domain.matches.log.record_lines import line_of
from domain.matches.log.records import record_digest
from domain.roles.audit import AUDIT, AUDIT_STREAM, AuditRead, RoleChanged
from domain.roles.audit_file import FORMAT, header_of, parse_trail, trail_bytes
from domain.roles.commands import change_role, check_trail, export_trail
from domain.roles.errors import RoleMissing
from tests.domain.disputes.disputing import appoint_arbiters
from tests.domain.matches.match_helpers import START


def export_lines(matches: Matches) -> list[bytes]:
    """Return the lines of a trail file: two changes of roles after the first export, and the second export."""
    export_trail(matches, by=SERVICE, at=START)
    change_role(matches, "anna", "organiser", by=SERVICE, granted=True, at=START)
    return trail_bytes(export_trail(matches, by="anna", at=START)).split(b"\n")


def test_the_export_is_the_last_record_of_the_trail(matches: Matches) -> None:
    first = export_trail(matches, by=SERVICE, at=START)
    appoint_arbiters(matches)
    change_role(matches, "anna", "organiser", by=SERVICE, granted=True, at=START)

    records = export_trail(matches, by="anna", at=START)

    assert [AUDIT.read(record) for record in first] == [AuditRead(by=SERVICE, role="operator", upto=1)]
    assert AUDIT.read(records[-1]) == AuditRead(by="anna", role="organiser", upto=6)
    assert records == matches.streams.records(AUDIT_STREAM)
    assert parse_trail(trail_bytes(records)) == records
    assert check_trail(matches) == record_digest(records[-1])


def test_only_organisers_of_the_service_export_the_trail(matches: Matches) -> None:
    change_role(matches, "anna", "organiser", by=SERVICE, granted=True, at=START, scope="cup")
    before = matches.last_position()

    for person in ("anna", "bea"):
        with pytest.raises(RoleMissing, match=f"'{person}' is not an organiser of this service"):
            export_trail(matches, by=person, at=START)

    assert matches.last_position() == before


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda lines: [b"{}", *lines[1:]], "is not the header of an audit trail"),
        (
            lambda lines: [lines[0].replace(b"audit/1", b"audit/2"), *lines[1:]],
            "unknown format 'esporles.audit/2'; expected",
        ),
        (lambda lines: [lines[0].replace(b'"records":3', b'"records":0'), *lines[1:]], "at least one record"),
        (lambda lines: [*lines[:3], b""], "record 3 is missing"),
        (lambda lines: [lines[0], lines[1], lines[3], lines[2], b""], "does not follow"),
        (lambda lines: [*lines[:2], lines[2].replace(b"organiser", b"arbiter"), *lines[3:]], "entry 2: .*canonical"),
        (lambda lines: [*lines[:2], b'{"a":1}', *lines[3:]], "not a record of the audit"),
        (lambda lines: [*lines, b"more"], "the file continues after the records stated in the header"),
    ],
)
def test_a_modified_trail_is_refused(matches: Matches, change: Any, why: str) -> None:
    with pytest.raises(LogFault, match=why):
        parse_trail(b"\n".join(change(export_lines(matches))))


def test_a_forged_record_is_found_by_its_successor(matches: Matches) -> None:
    first, second, third = parse_trail(b"\n".join(export_lines(matches)))
    forged = replace(
        second,
        body=msgspec.Raw(
            msgspec.json.encode(
                RoleChanged(by=SERVICE, role="operator", person="eve", changed="organiser", granted=True),
                order="deterministic",
            )
        ),
    )

    lines = [msgspec.json.encode(header_of((first, forged, third)))]
    lines += [msgspec.json.encode(line_of(record)) for record in (first, forged, third)]
    with pytest.raises(LogFault, match="entry 3: it does not follow"):
        parse_trail(b"\n".join(lines) + b"\n")
    cut = header_of((first, second))
    assert cut.format == FORMAT
    lines = [
        msgspec.json.encode(replace(cut, head="00" * 32)),
        *(msgspec.json.encode(line_of(r)) for r in (first, second)),
    ]
    with pytest.raises(LogFault, match="the header does not match the records"):
        parse_trail(b"\n".join(lines) + b"\n")
