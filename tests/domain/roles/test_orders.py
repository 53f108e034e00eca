"""Officials sign grants and rulings; every chain of signatures ends at the key of the service.

See docs/specifications/signatures.md.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.disputes.state import DISPUTE
from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.keys.commands import keys_of, register_key
from domain.matches.errors import OrderUnsigned
from domain.matches.facts import SERVICE
from domain.matches.log.entries import ALL
from domain.matches.log.log_files import log_of
from domain.matches.log.records import Record
from domain.matches.rulings.measures import LineResumed, PointsTaken
from domain.matches.rulings.orders import StreamHead, check_order
from domain.matches.seats.opening import ready
from domain.matches.verification.verify import verify
from domain.roles.commands import change_role, official_keys_in, roles_of, sync_operators
from domain.roles.state import ROLES, ROLES_STREAM, official_keys
from domain.signatures.acts import Signed, order_text
from tests.domain.disputes.disputing import D, E, M, R, give_ruling, raise_dispute
from tests.domain.matches.match_helpers import (
    ALL_TITLES,
    START,
    act_once,
    forge_entry,
    make_all_ready,
    play_out,
    start_match,
    version_of,
)
from tests.seeding import entropy
from tests.signing import Pen, signing

HOUSE, OPAL, ART, STRANGER = (Pen(name) for name in ("the house", "opal", "art", "stranger"))


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    """Return a store that signs, with an operator and an arbiter who have keys."""
    matches = open_store(store_env(tmp_path / "m.sqlite"), titles=ALL_TITLES, entropy=entropy(), service_key=HOUSE)
    matches.dependencies.keys_of = keys_of
    matches.dependencies.official_keys = official_keys_in
    register_key(matches, "opal", OPAL.named_key, at=START)
    register_key(matches, "art", ART.named_key, at=START)
    sync_operators(matches, ("opal",), at=START)
    yield matches
    matches.close()


def appoints(matches: Matches, person: str = "art", by: str = "opal") -> Any:
    return change_role(matches, person, "arbiter", by=by, granted=True, at=START)


def records(matches: Matches) -> list[tuple[Record, Any]]:
    return [(record, ROLES.read(record)) for record in matches.streams.records(ROLES_STREAM)]


def test_every_grant_leads_back_to_the_key_of_the_service(matches: Matches) -> None:
    """The service signs the first operator's grant, the operator the arbiter's, each over the records before."""
    signing(matches, OPAL, lambda: appoints(matches))

    (first, of_opal), (second, of_art) = records(matches)
    assert (of_opal.keys, of_opal.signed.key) == ((OPAL.key,), HOUSE.key)
    assert (of_art.keys, of_art.signed.key) == ((ART.key,), OPAL.key)
    check_order(of_opal, StreamHead(ROLES_STREAM, 0, first.previous))
    check_order(of_art, StreamHead(ROLES_STREAM, 1, second.previous))
    assert official_keys(roles_of(matches), "art") == (ART.key,)


def test_an_order_without_the_key_of_the_role_is_refused(matches: Matches) -> None:
    with pytest.raises(OrderUnsigned, match="'opal' must sign this as an official"):
        appoints(matches)
    for pen in (STRANGER, ART):
        with pytest.raises(OrderUnsigned):
            signing(matches, pen, partial(appoints, matches))
    assert roles_of(matches).find_grant("art", "arbiter", "") is None


def test_a_signature_is_valid_for_one_act_only(matches: Matches) -> None:
    """The signature for one arbiter does not appoint another, nor the same one again later."""
    with pytest.raises(OrderUnsigned) as refusal:
        appoints(matches)
    wanted = refusal.value
    text = order_text(wanted.stream, wanted.stream_version, wanted.digest, wanted.act)
    matches.dependencies.order = lambda: Signed(OPAL.key, OPAL.sign(text))
    with pytest.raises(OrderUnsigned, match="is for another act or an earlier version"):
        appoints(matches, "bea")
    appoints(matches)
    with pytest.raises(OrderUnsigned):
        change_role(matches, "art", "arbiter", by="opal", granted=False, at=START)


def test_a_role_without_a_key_acts_unsigned(matches: Matches) -> None:
    """A key that is added later counts once the role is granted again."""
    change_role(matches, "hella", "head_arbiter", by=SERVICE, granted=True, at=START)
    assert official_keys(roles_of(matches), "hella") == ()
    register_key(matches, "hella", STRANGER.named_key, at=START)
    change_role(matches, "hella", "head_arbiter", by=SERVICE, granted=True, at=START)

    assert official_keys(roles_of(matches), "hella") == (STRANGER.key,)


def test_a_ruling_is_signed_for_its_dispute_on_every_line(matches: Matches) -> None:
    """On the line of the ruling and on the resumed one; removal and changes are detected."""
    signing(matches, OPAL, lambda: appoints(matches))
    match = start_match(matches, M, ("anna", "bea", "carl"))
    for _ in range(6):
        match = act_once(matches, match)
    raise_dispute(matches, match.version)
    signing(matches, ART, lambda: give_ruling(matches, 70, LineResumed(match.version - 2, ""), line=R))
    play_out(matches, make_all_ready(matches, matches.get(R)))

    log = export_log(matches, R, ALL, at=START)
    report = verify(log, titles=ALL_TITLES)
    assert report.is_good, report
    assert [key for _, key in report.signatures.rulings] == [ART.key]
    version = version_of(log, "ruling_given")

    def otherwise(body: Any) -> None:
        body["reasons"] = "Because."

    def elsewhere(body: Any) -> None:
        body["signed"]["version"] += 1

    def nowhere(body: Any) -> None:
        body["signed"]["head"] = "zz"

    def short(body: Any) -> None:
        body["signed"]["head"] = "00"

    for change in (otherwise, elsewhere, nowhere, short):
        fault = verify(forge_entry(log, version, change), titles=ALL_TITLES).fault
        assert fault is not None, change
        assert fault.entry == version
    bare = verify(forge_entry(log, version, lambda body: body.pop("signed") and None), titles=ALL_TITLES)
    assert any("unsigned rulings, stated by the service only" in each for each in bare.unchecked)
    assert verify(log_of(matches.read(M, None), None), titles=ALL_TITLES).is_good


def test_a_penalty_by_an_arbiter_without_a_key_counts_as_unsigned(matches: Matches) -> None:
    change_role(matches, "ada", "arbiter", by=SERVICE, granted=True, at=START)
    match = start_match(matches, M, ("anna", "bea", "carl"))
    for _ in range(6):
        match = act_once(matches, match)
    raise_dispute(matches, match.version)
    give_ruling(matches, 71, PointsTaken(0, 3), by="ada", id=D)

    report = verify(log_of(matches.read(M, None), None), titles=ALL_TITLES)
    assert report.is_good
    assert [key for _, key in report.signatures.rulings] == [""]


def test_the_act_of_a_record_is_its_body_without_the_signature(matches: Matches) -> None:
    signing(matches, OPAL, lambda: appoints(matches))
    (_, (record, _)) = records(matches)
    body = msgspec.json.decode(record.body)
    signed = body.pop("signed")
    act = msgspec.json.encode(body)

    assert OPAL.sign(order_text(ROLES_STREAM, 1, record.previous, act)) == signed["signature"]


def test_a_player_with_a_key_signs_the_dispute_too(matches: Matches) -> None:
    """The signature covers the disputed entry, so concurrent actions do not matter. An unsigned seat signs nothing."""
    register_key(matches, "anna", STRANGER.named_key, at=START)
    match = started_signed(matches)
    signing(matches, STRANGER, lambda: raise_dispute(matches, match.version))
    record = matches.streams.records(D)[0]
    body = msgspec.json.decode(record.body)

    assert body["signed"]["key"] == STRANGER.key
    assert (body["signed"]["version"], body["signed"]["head"]) == (match.version, match.head)
    head = StreamHead(M, match.version, match.head_digest)
    check_order(DISPUTE.read(record), head)
    raise_dispute(matches, match.version, by="bea", id=E)
    assert b"signed" not in bytes(matches.streams.records(E)[0].body)


def started_signed(matches: Matches) -> Any:
    """Start a match in which Anna signs that she is ready, and Bea does not."""
    matches.open(M, title="toy", seats=2, by="anna", at=START)
    for seat, person in enumerate(("anna", "bea")):
        matches.take_seat(M, seat, person, at=START)
    match = matches.get(M)
    matches.ready(M, 0, "anna", at=START, signed=STRANGER.signs(match, ready(match, 0, "anna")))
    return matches.ready(M, 1, "bea", at=START)
