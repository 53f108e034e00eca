"""Signed acts: who must sign, rejections, and verification (docs/specifications/signatures.md)."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.log_files import export_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.values import replace
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.errors import BadSignature, NotSeated, SignatureMissing, StaleVersion
from domain.matches.facts import SERVICE, Clock, SigningStopped, Table
from domain.matches.log.entries import ALL
from domain.matches.log.log_files import log_of
from domain.matches.play import commands
from domain.matches.seats.opening import ready
from domain.matches.signatures import signing_keys
from domain.matches.verification.verify import verify
from domain.signatures.acts import SignedAct, act_text
from domain.signatures.keys import NamedKey
from tests.domain.matches.match_helpers import (
    ALL_TITLES,
    BOT,
    START,
    facts,
    forge_entry,
    next_action,
    uuid,
    verify_log,
    version_of,
)
from tests.domain.matches.toy import AddPearl, Play
from tests.seeding import entropy
from tests.signing import Pen

M: Final = uuid(1)
HOUSE, ANNA, BEA, SECOND, STRANGER = (Pen(name) for name in ("the house", "anna", "bea", "second", "stranger"))
PENS: Final = {"anna": ANNA, "bea": BEA}


@pytest.fixture
def signing(tmp_path: Path) -> Iterator[Matches]:
    """Open a store that signs, where Anna and Bea have keys."""
    matches = open_store(store_env(tmp_path / "m.sqlite"), titles=ALL_TITLES, entropy=entropy(), service_key=HOUSE)
    matches.dependencies.keys_of = lambda _, actor: (PENS[actor].named_key,) if actor in PENS else ()
    yield matches
    matches.close()


def start_signed(matches: Matches, players: tuple[str, ...] = ("anna", "bea"), table: Table | None = None) -> Match:
    """Start a match in which every player with a key has signed that they are ready."""
    matches.open(M, title="toy", seats=len(players), by=players[0], at=START, table=table)
    for seat, player in enumerate(players):
        matches.take_seat(M, seat, player, at=START)
    for seat, player in enumerate(players):
        match = matches.get(M)
        signed = PENS[player].signs(match, ready(match, seat, player)) if player in PENS else None
        matches.ready(M, seat, player, at=START, signed=signed)
    return matches.get(M)


def signed_act(match: Match, seat: int, action: Any, pen: Pen, seen: Match | None = None) -> SignedAct:
    return pen.signs(match, commands.act(match, seat, match.seats[seat].actor or "", action), seen)


def act_once(matches: Matches, match: Match) -> Match:
    seat, by, action = next_action(match)
    signed = signed_act(match, seat, action, PENS[by]) if by in PENS else None
    return matches.act(M, seat, by, action, expected_version=match.version, at=START, signed=signed)


def to_a_choice(matches: Matches, match: Match) -> Match:
    """Play until the winner of a round may add pearls."""
    while len(seats_to_act(match)) > 1 or AddPearl() not in legal_actions(match, seats_to_act(match)[0]):
        match = act_once(matches, match)
    return match


def test_a_whole_match_is_signed_by_its_people_and_by_the_service(signing: Matches) -> None:
    match = start_signed(signing, ("anna", "bea", BOT))
    while not match.is_over:
        match = act_once(signing, match)

    report = verify(export_log(signing, M, ALL, at=START), titles=ALL_TITLES)
    assert report.is_good, report
    assert [(seat.seat, seat.unsigned, seat.closed) for seat in report.signatures.seats] == [(0, 0, 0), (1, 0, 0)]
    assert dict(report.signatures.services) == {HOUSE.key: 1}
    assert report.signatures.verified_count == sum(seat.signed for seat in report.signatures.seats) + 1


def test_an_act_without_a_signature_is_refused(signing: Matches) -> None:
    match = start_signed(signing)
    seat, by, action = next_action(match)

    with pytest.raises(SignatureMissing, match="seat 0 must sign; register another key, or continue unsigned"):
        signing.act(M, seat, by, action, expected_version=match.version, at=START)
    with pytest.raises(SignatureMissing):
        signing.resign(M, 0, "anna", at=START)
    assert signing.get(M).version == match.version


def test_a_signature_over_something_else_is_rejected(signing: Matches) -> None:
    """Another action, match, digest, version, or another player's key."""
    match = start_signed(signing)
    card, other = match.state.hands[0][:2]
    good = signed_act(match, 0, Play(card), ANNA)

    def attempt(signed: SignedAct) -> None:
        signing.act(M, 0, "anna", Play(card), expected_version=match.version, at=START, signed=signed)

    for bad, refusal in (
        (signed_act(match, 0, Play(other), ANNA), BadSignature),
        (signed_act(match, 0, Play(card), BEA), BadSignature),
        (signed_act(match, 0, Play(card), STRANGER), BadSignature),
        (signed_act(replace(match, id=uuid(2)), 0, Play(card), ANNA), BadSignature),
        (signed_act(replace(match, head_digest=bytes(32)), 0, Play(card), ANNA), BadSignature),
        (signed_act(replace(match, version=match.version + 1), 0, Play(card), ANNA), StaleVersion),
        (signed_act(match, 0, Play(card), ANNA, signing.at(M, 2)), StaleVersion),
    ):
        with pytest.raises(refusal):
            attempt(bad)
    attempt(good)
    verify_log(signing, M)


def test_a_player_without_a_key_signs_nothing(signing: Matches) -> None:
    match = start_signed(signing, ("carl", "anna"))
    card = match.state.hands[0][0]

    signed = signed_act(match, 0, Play(card), STRANGER)
    with pytest.raises(BadSignature, match="signs with a key that no seat has registered"):
        signing.act(M, 0, "carl", Play(card), expected_version=match.version, at=START, signed=signed)
    signing.act(M, 0, "carl", Play(card), expected_version=match.version, at=START)
    verify_log(signing, M)


def test_everything_else_a_player_does_is_signed_as_well(signing: Matches) -> None:
    """Take-backs, pauses, resuming, handing over, resigning."""
    match = to_a_choice(signing, start_signed(signing, table=Table(clock=Clock("per_move", 60))))
    seat = seats_to_act(match)[0]
    actor = match.seats[seat].actor or ""
    pen, version = PENS[actor], match.version
    signed = signed_act(match, seat, AddPearl(), pen)
    match = signing.act(M, seat, actor, AddPearl(), expected_version=match.version, at=START, signed=signed)
    if seats_to_act(match) == (seat,):
        back = pen.signs(match, commands.take_back(match, seat, actor, version))
        match = signing.take_back(M, seat, actor, to_version=version, at=START, signed=back)
    for own_seat, name in enumerate(("anna", "bea")):
        request = PENS[name].signs(match, commands.ask_pause(match, own_seat, name))
        match = signing.ask_pause(M, own_seat, name, at=START, signed=request)
    match = signing.resume(M, "bea", at=START, signed=BEA.signs(match, commands.resume(match, "bea")))
    handed = ANNA.signs(match, commands.replace_seat(match, 0, "anna", BOT))
    match = signing.replace_seat(M, 0, "anna", actor=BOT, at=START, signed=handed)
    assert match.seats[0].keys == ()
    match = signing.resign(M, 1, "bea", at=START, signed=BEA.signs(match, commands.resign(match, 1, "bea")))

    assert match.status == "ended"
    verify_log(signing, M)


def test_the_service_signs_what_a_clock_does(signing: Matches) -> None:
    match = start_signed(signing, table=Table(clock=Clock("per_move", 60), time_out="skip"))
    late = match.timestamp.replace(hour=13)
    match = signing.time_out(M, 0, SERVICE, at=late)

    log = export_log(signing, M, ALL, at=late)
    timed_out = version_of(log, "timed_out")
    assert msgspec.json.decode(log.entries[timed_out - 1].body)["signed"]["key"] == HOUSE.key
    assert verify(log, titles=ALL_TITLES).is_good
    bare = forge_entry(log, timed_out, lambda body: body.pop("signed") and None)
    fault = verify(bare, titles=ALL_TITLES).fault
    assert fault is not None
    assert (fault.entry, fault.kind) == (timed_out, "legality")


def test_simultaneous_choices_may_be_signed_over_what_both_had_seen(signing: Matches) -> None:
    match = start_signed(signing)
    anna = match.state.hands[0][0]
    bea = match.state.hands[1][0]
    signed = signed_act(match, 1, Play(bea), BEA)
    match = signing.act(
        M,
        0,
        "anna",
        Play(anna),
        expected_version=match.version,
        at=START,
        signed=signed_act(match, 0, Play(anna), ANNA),
    )
    match = signing.act(M, 1, "bea", Play(bea), expected_version=signed.version, at=START, signed=signed)

    verify_log(signing, M)
    assert facts(signing, M)[signed.version + 1].hidden_act.value.signed.version == signed.version


def test_being_ready_is_signed_over_what_was_seen_before_others_were(signing: Matches) -> None:
    signing.open(M, title="toy", seats=2, by="anna", at=START)
    for seat, player in enumerate(PENS):
        signing.take_seat(M, seat, player, at=START)
    seen = signing.get(M)
    signed = {name: PENS[name].signs(seen, ready(seen, seat, name)) for seat, name in enumerate(PENS)}
    for seat, name in enumerate(PENS):
        signing.ready(M, seat, name, at=START, signed=signed[name])

    verify_log(signing, M)


def test_a_stored_signature_over_too_early_a_version_is_false(signing: Matches) -> None:
    """Reject a signature over an outdated version in verification, as the service would."""
    match = start_signed(signing)
    log = export_log(signing, M, ALL, at=START)
    last = version_of(log, "seat_ready", 1)

    def over(version: int) -> Callable[[Any], None]:
        def change(body: Any) -> None:
            act = {name: value for name, value in body.items() if name != "signed"}
            seen = signing.at(M, version)
            text = act_text(M, version, seen.head_digest, msgspec.json.encode(act))
            body["signed"] = {"key": BEA.key, "signature": BEA.sign(text), "version": version}

        return change

    assert verify(forge_entry(log, last, over(3)), titles=ALL_TITLES).is_good
    fault = verify(forge_entry(log, last, over(2)), titles=ALL_TITLES).fault
    assert fault is not None
    assert fault.entry == last
    assert match.status == "running"


def test_a_signature_confirms_no_guess_of_a_secret_action(signing: Matches) -> None:
    """Spectator and opponent try every card with the public key and all known bytes."""
    match = start_signed(signing)
    hand = match.state.hands[0]
    signed = signed_act(match, 0, Play(hand[0]), ANNA)
    after = signing.act(M, 0, "anna", Play(hand[0]), expected_version=match.version, at=START, signed=signed)

    def find_confirmed(reader: int | None) -> set[int]:
        (entry,) = signing.read(M, reader, after.version - 1)
        content = bytes(entry.body) + b"".join(bytes(opening.value) for opening in entry.secrets)
        found = re.findall(rb'"signature":"([0-9a-f]{128})"', content)
        return {card for card in range(1, 41) for text in found if is_good(card, text.decode())}

    def is_good(card: int, signature: str) -> bool:
        act = msgspec.json.encode(Play(card))
        try:
            SignedAct(M, match.version, match.head_digest, act, ANNA.key, signature).check()
        except Exception:
            return False
        return True

    assert find_confirmed(0) == {hand[0]}
    assert find_confirmed(1) == find_confirmed(None) == set()


def test_a_redacted_log_says_which_signatures_are_closed(signing: Matches) -> None:
    match = start_signed(signing)
    match = act_once(signing, match)
    report = verify(log_of(signing.read(M, None), None), titles=ALL_TITLES)

    assert report.is_good
    assert report.signatures.seats[0].closed == 1
    assert any("hidden from this reader" in each for each in report.unchecked)


def test_a_further_key_is_vouched_for_or_good_by_sign_in_only(signing: Matches) -> None:
    match = start_signed(signing)
    signing.name_key(M, 0, "anna", ANNA.vouches_for(SECOND, "anna"), at=START)
    match = signing.name_key(M, 0, "anna", STRANGER.named_key, at=START)
    assert signing.name_key(M, 0, "anna", STRANGER.named_key, at=START).version == match.version
    card = match.state.hands[0][0]
    signed = signed_act(match, 0, Play(card), SECOND)
    signing.act(M, 0, "anna", Play(card), expected_version=match.version, at=START, signed=signed)

    report = verify(export_log(signing, M, ALL, at=START), titles=ALL_TITLES)
    assert report.is_good
    assert (report.signatures.seats[0].keys, report.signatures.seats[0].by_sign_in) == (3, 2)
    for key, by in (
        (BEA.vouches_for(Pen("other"), "anna"), "anna"),
        (ANNA.vouches_for(Pen("other"), "bea"), "anna"),
        (NamedKey("nonsense"), "anna"),
    ):
        with pytest.raises(BadSignature):
            signing.name_key(M, 0, by, key, at=START)


def test_losing_all_keys_blocks_nobody(signing: Matches) -> None:
    match = start_signed(signing)
    with pytest.raises(SignatureMissing):
        signing.stop_signing(M, 0, "anna", at=START)
    match = signing.stop_signing(M, 0, SERVICE, at=START)
    assert match.seats[0].stopped_signing
    card = match.state.hands[0][0]
    signing.act(M, 0, "anna", Play(card), expected_version=match.version, at=START)

    with pytest.raises(BadSignature, match="is already unsigned"):
        signing.stop_signing(M, 0, "anna", at=START)
    report = verify(export_log(signing, M, ALL, at=START), titles=ALL_TITLES)
    assert report.is_good
    claim = f"unsigned, stated by the service only: 1 of seat 0 from entry {match.version + 1}"
    assert any(claim in each for each in report.unchecked)
    stopped = next(fact for fact in facts(signing, M) if isinstance(fact, SigningStopped))
    assert stopped.signed is not None, "the service signs what it states"
    assert stopped.signed.key == HOUSE.key
    assert any(
        "seat 0 from entry" in each and "unsigned, stated by the service only" in each for each in report.unchecked
    )


def test_a_player_who_has_a_key_left_signs_the_end_of_signing(signing: Matches) -> None:
    match = start_signed(signing)
    stop = signing_keys.stop_signing(match, 0, "anna")
    with pytest.raises(BadSignature):
        signing.stop_signing(M, 0, "anna", at=START, signed=STRANGER.signs(match, stop))
    signing.stop_signing(M, 0, "anna", at=START, signed=ANNA.signs(match, stop))

    report = verify(export_log(signing, M, ALL, at=START), titles=ALL_TITLES)
    assert report.is_good
    assert not any("unsigned, stated by the service only" in each for each in report.unchecked)
    log = export_log(signing, M, ALL, at=START)
    version = version_of(log, "signing_stopped")
    fault = verify(forge_entry(log, version, lambda body: body.pop("signed")), titles=ALL_TITLES).fault
    assert fault is not None
    assert fault.entry == version


def test_before_format_3_the_player_alone_stops_signing_and_signs_nothing(signing: Matches) -> None:
    match = replace(start_signed(signing), format=2)

    assert signing_keys.stop_signing(match, 0, "anna").signed is None
    with pytest.raises(NotSeated):
        signing_keys.stop_signing(match, 0, SERVICE)


def test_a_table_may_ask_everybody_to_sign(signing: Matches) -> None:
    signing.open(M, title="toy", seats=2, by="anna", at=START, table=Table(signed=True))
    signing.take_seat(M, 0, "anna", at=START)

    with pytest.raises(
        SignatureMissing, match="all players at this table must sign, with a key named when taking the seat"
    ):
        signing.take_seat(M, 1, "carl", at=START)
    signing.take_seat(M, 1, BOT, at=START)


def test_bots_and_houses_have_no_keys_of_seats(signing: Matches) -> None:
    match = start_signed(signing, ("anna", BOT))

    for command in (
        lambda: signing_keys.name_key(match, 1, BOT, STRANGER.named_key),
        lambda: commands.replace_seat(match, 0, SERVICE, BOT, keys=(ANNA.named_key,)),
        lambda: signing_keys.check_service_key("no key"),
    ):
        with pytest.raises(BadSignature):
            command()
    signing.dependencies.keys_of = lambda _store, _actor: (STRANGER.named_key,)
    signing.open(uuid(2), title="toy", seats=2, by="anna", at=START)
    with pytest.raises(BadSignature, match="cannot sign"):
        signing.take_seat(uuid(2), 0, BOT, at=START)


def test_players_who_stay_in_a_fork_keep_their_keys(signing: Matches) -> None:
    match = start_signed(signing, ("anna", "bea"))
    while not match.is_over:
        match = act_once(signing, match)
    fork = fork_match(
        signing, M, at_version=match.started_version or 0, new_id=uuid(2), luck="fresh", by="anna", at=START
    )

    assert (fork.seats[0].keys, fork.seats[1].keys) == ((ANNA.named_key,), ())


def test_an_invalid_key_is_rejected(signing: Matches) -> None:
    signing.dependencies.keys_of = lambda _store, _actor: (NamedKey("nonsense"),)
    signing.open(M, title="toy", seats=2, by="anna", at=START)

    with pytest.raises(BadSignature, match="'nonsense' is not 64"):
        signing.take_seat(M, 0, "anna", at=START)
