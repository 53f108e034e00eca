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
def house(tmp_path: Path) -> Iterator[Matches]:
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


def test_every_grant_leads_back_to_the_key_of_the_service(house: Matches) -> None:
    """The service signs the first operator's grant, the operator the arbiter's, each over the records before."""
    signing(house, OPAL, lambda: appoints(house))

    (first, of_opal), (second, of_art) = records(house)
    assert (of_opal.keys, of_opal.signed.key) == ((OPAL.key,), HOUSE.key)
    assert (of_art.keys, of_art.signed.key) == ((ART.key,), OPAL.key)
    check_order(of_opal, StreamHead(ROLES_STREAM, 0, first.previous))
    check_order(of_art, StreamHead(ROLES_STREAM, 1, second.previous))
    assert official_keys(roles_of(house), "art") == (ART.key,)


def test_an_order_without_the_key_of_the_role_is_refused(house: Matches) -> None:
    with pytest.raises(OrderUnsigned, match="'opal' must sign this as an official"):
        appoints(house)
    for pen in (STRANGER, ART):
        with pytest.raises(OrderUnsigned):
            signing(house, pen, partial(appoints, house))
    assert roles_of(house).find_grant("art", "arbiter", "") is None


def test_a_signature_is_valid_for_one_act_only(house: Matches) -> None:
    """The signature for one arbiter does not appoint another, nor the same one again later."""
    with pytest.raises(OrderUnsigned) as asked:
        appoints(house)
    wanted = asked.value
    text = order_text(wanted.stream, wanted.stream_version, wanted.digest, wanted.act)
    house.dependencies.order = lambda: Signed(OPAL.key, OPAL.sign(text))
    with pytest.raises(OrderUnsigned, match="is for another act or an earlier version"):
        appoints(house, "bea")
    appoints(house)
    with pytest.raises(OrderUnsigned):
        change_role(house, "art", "arbiter", by="opal", granted=False, at=START)


def test_a_role_without_a_key_acts_unsigned(house: Matches) -> None:
    """A key that is added later counts once the role is granted again."""
    change_role(house, "hella", "head_arbiter", by=SERVICE, granted=True, at=START)
    assert official_keys(roles_of(house), "hella") == ()
    register_key(house, "hella", STRANGER.named_key, at=START)
    change_role(house, "hella", "head_arbiter", by=SERVICE, granted=True, at=START)

    assert official_keys(roles_of(house), "hella") == (STRANGER.key,)


def test_a_ruling_is_signed_for_its_dispute_on_every_line(house: Matches) -> None:
    """On the line of the ruling and on the resumed one; removal and changes are detected."""
    signing(house, OPAL, lambda: appoints(house))
    match = start_match(house, M, ("anna", "bea", "carl"))
    for _ in range(6):
        match = act_once(house, match)
    raise_dispute(house, match.version)
    signing(house, ART, lambda: give_ruling(house, 70, LineResumed(match.version - 2, ""), line=R))
    play_out(house, make_all_ready(house, house.get(R)))

    log = export_log(house, R, ALL, at=START)
    report = verify(log, titles=ALL_TITLES)
    assert report.is_good, report
    assert [key for _, key in report.signatures.rulings] == [ART.key]
    given = version_of(log, "ruling_given")

    def otherwise(body: Any) -> None:
        body["reasons"] = "Because."

    def elsewhere(body: Any) -> None:
        body["signed"]["version"] += 1

    def nowhere(body: Any) -> None:
        body["signed"]["head"] = "zz"

    def short(body: Any) -> None:
        body["signed"]["head"] = "00"

    for change in (otherwise, elsewhere, nowhere, short):
        fault = verify(forge_entry(log, given, change), titles=ALL_TITLES).fault
        assert fault is not None, change
        assert fault.entry == given
    bare = verify(forge_entry(log, given, lambda body: body.pop("signed") and None), titles=ALL_TITLES)
    assert any("unsigned rulings, stated by the service only" in each for each in bare.unchecked)
    assert verify(log_of(house.read(M, None), None), titles=ALL_TITLES).is_good


def test_a_penalty_by_an_arbiter_without_a_key_counts_as_unsigned(house: Matches) -> None:
    change_role(house, "ada", "arbiter", by=SERVICE, granted=True, at=START)
    match = start_match(house, M, ("anna", "bea", "carl"))
    for _ in range(6):
        match = act_once(house, match)
    raise_dispute(house, match.version)
    give_ruling(house, 71, PointsTaken(0, 3), by="ada", id=D)

    report = verify(log_of(house.read(M, None), None), titles=ALL_TITLES)
    assert report.is_good
    assert [key for _, key in report.signatures.rulings] == [""]


def test_the_act_of_a_record_is_its_body_without_the_signature(house: Matches) -> None:
    signing(house, OPAL, lambda: appoints(house))
    (_, (record, _)) = records(house)
    body = msgspec.json.decode(record.body)
    signed = body.pop("signed")
    act = msgspec.json.encode(body)

    assert OPAL.sign(order_text(ROLES_STREAM, 1, record.previous, act)) == signed["signature"]


def test_a_player_with_a_key_signs_the_dispute_too(house: Matches) -> None:
    """The signature covers the disputed entry, so concurrent actions do not matter. An unsigned seat signs nothing."""
    register_key(house, "anna", STRANGER.named_key, at=START)
    match = started_signed(house)
    signing(house, STRANGER, lambda: raise_dispute(house, match.version))
    record = house.streams.records(D)[0]
    body = msgspec.json.decode(record.body)

    assert body["signed"]["key"] == STRANGER.key
    assert (body["signed"]["version"], body["signed"]["head"]) == (match.version, match.head)
    place = StreamHead(M, match.version, match.head_digest)
    check_order(DISPUTE.read(record), place)
    raise_dispute(house, match.version, by="bea", id=E)
    assert b"signed" not in bytes(house.streams.records(E)[0].body)


def started_signed(matches: Matches) -> Any:
    """Start a match in which Anna signs that she is ready, and Bea does not."""
    matches.open(M, title="toy", seats=2, by="anna", at=START)
    for seat, person in enumerate(("anna", "bea")):
        matches.take_seat(M, seat, person, at=START)
    seen = matches.get(M)
    matches.ready(M, 0, "anna", at=START, signed=STRANGER.signs(seen, ready(seen, 0, "anna")))
    return matches.ready(M, 1, "bea", at=START)
