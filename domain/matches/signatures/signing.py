"""Signatures of facts: signer, signed bytes and verification (`docs/specifications/signatures.md`)."""

from collections.abc import Sequence
from typing import Any, Final, Protocol

from domain.kernel.hidden import Hidden
from domain.kernel.values import replace
from domain.matches.aggregate import Match, SeatInfo, legal_actions, seat_of
from domain.matches.errors import BadSignature, SignatureMissing, StaleVersion
from domain.matches.fact_base import SignedAction
from domain.matches.facts import (
    SERVICE,
    ActionTaken,
    Fact,
    KeyNamed,
    PauseAsked,
    Paused,
    Resigned,
    Resumed,
    RulingGiven,
    SeatLeft,
    SeatReady,
    SeatReplaced,
    ShareCommitted,
    SigningStopped,
    TakenBack,
    TimedOut,
    Voided,
    action_of,
)
from domain.matches.log.entries import canonical, encode_fact
from domain.matches.play.absences import AbsenceAnnounced, AbsenceEnded
from domain.matches.play.declared_absences import check_declared
from domain.matches.rulings.orders import check_order, head_of_ruling
from domain.signatures.acts import SEEN_MAX, ServiceKey, Signed, SignedAct, act_text
from domain.signatures.errors import SignatureFault

ABSENCE: Final = (AbsenceAnnounced, AbsenceEnded)
BY_PLAYERS: Final = (
    ActionTaken,
    TakenBack,
    Resigned,
    SeatReady,
    PauseAsked,
    SeatReplaced,
    Resumed,
    SigningStopped,
    *ABSENCE,
)
"""Facts that a seat with keys signs if its player causes them; stopping to sign only since format 3."""
BY_SERVICE: Final = (
    *(TimedOut, SeatLeft, SeatReady, ShareCommitted, Paused, Resumed, Voided, SeatReplaced, ActionTaken),
    *(SigningStopped, *ABSENCE),
)
"""Facts that the service signs, unless they are automatic consequences."""
NEVER_DUE: Final = (TimedOut, SeatLeft, SeatReady, ShareCommitted, SigningStopped, *ABSENCE)
"""Facts of the service that are never automatic consequences."""


class Past(Protocol):
    """The recent past of a line."""

    def at(self, version: int) -> Match:
        """Return the position after an earlier entry, one of the last `SEEN_MAX`."""
        ...

    def since(self, version: int) -> Sequence[Fact]:
        """Return the facts after a version."""
        ...


def act_of(fact: Fact) -> bytes:
    """Return the bytes to sign: the JSON of an action, or a fact's body without fields added by the service.

    These are the signature, the standing of a ready player, and the keys of a replacement.
    """
    if isinstance(fact, ActionTaken):
        return canonical(action_of(fact))
    plain = replace(fact, signed=None)
    if isinstance(plain, SeatReady):
        plain = replace(plain, standing="")
    return encode_fact(replace(plain, keys=()) if isinstance(plain, SeatReplaced) else plain)


def signing_seat(match: Match, fact: Any) -> tuple[int, SeatInfo] | None:
    """Return number and data of the seat that should sign a fact, or None.

    None for facts of the service, of kinds that no seat signs, and of actors who do not hold the seat.
    """
    kind = type(fact)
    if kind not in BY_PLAYERS or fact.by == SERVICE or (kind is SigningStopped and match.format < 3):
        return None
    seat = seat_of(match, fact.by) if kind is Resumed else fact.seat
    if seat is None or not 0 <= seat < len(match.seats) or match.seats[seat].actor != fact.by:
        return None
    return seat, match.seats[seat]


def signature_of(fact: Any) -> Signed | None:
    """Return the signature of a fact, or None if it is unsigned or hidden from the reader."""
    secret = fact.hidden_act if type(fact) is ActionTaken else None
    if secret is None:
        return fact.signed  # type: ignore[no-any-return]
    signed_action = secret.known_or(None)
    return None if signed_action is None else signed_action.signed


def with_signature(fact: Any, signed: Signed) -> Any:
    """Return the fact with its signature, which is hidden together with a secret action."""
    if isinstance(fact, ActionTaken) and fact.hidden_action is not None:
        hidden = fact.hidden_action
        return replace(fact, hidden_action=None, hidden_act=Hidden(SignedAction(hidden.value, signed), hidden.audience))
    return replace(fact, signed=signed)


def without_signature(fact: Any) -> Any:
    """Return the fact without its signature; a secret action must be open."""
    if isinstance(fact, ActionTaken) and fact.hidden_act is not None:
        hidden = fact.hidden_act
        return replace(fact, hidden_act=None, hidden_action=Hidden(hidden.value.action, hidden.audience))
    return fact if fact.signed is None else replace(fact, signed=None)


def sign(match: Match, fact: Any, act: SignedAct | None, service_key: ServiceKey | None, past: Past) -> Any:
    """Return the fact with its signature checked against the match; `act.check` has already verified the signature.

    Raise `SignatureMissing` if the seat signs and `act` is None, `BadSignature` if `act` does not fit, `StaleVersion`
    if it is of a later version or the seat's situation changed since.
    """
    if isinstance(fact, ABSENCE):
        check_declared(match, fact)
    if fact.by == SERVICE:
        return sign_by_service(match, fact, service_key)
    signer = signing_seat(match, fact)
    if signer is None or not signer[1].keys:
        if act is not None:
            raise BadSignature(f"{fact.by!r} signs with a key that no seat has registered")
        return fact
    seat, info = signer
    if act is None:
        raise SignatureMissing(f"seat {seat} must sign; register another key, or continue unsigned")
    if act.match_id != match.id or act.act != act_of(fact):
        raise BadSignature(f"seat {seat} has signed another action")
    if act.version > match.version:
        raise stale_version_error(match, act.version)
    check_key_and_version(match, fact, seat, info, Signed(act.key, act.signature, act.version), past)
    if digest_at(match, act.version, past) != act.digest:
        raise BadSignature(f"the signature of seat {seat} is over an entry {act.version} that this match does not have")
    return with_signature(fact, Signed(act.key, act.signature, 0 if act.version == match.version else act.version))


def sign_by_service(match: Match, fact: object, service_key: ServiceKey | None) -> Any:
    """Return the fact signed by the service if its kind is, and if the match's log names the service's key."""
    if service_key is None or match.house == "" or not isinstance(fact, BY_SERVICE):
        return fact
    text = act_text(match.id, match.version, match.head_digest, act_of(fact))
    return with_signature(fact, Signed(service_key.key, service_key.sign(text)))


def require_signed(match: Match, fact: Any, past: Past, *, openly: bool = False) -> bool:
    """Verify the signature of a stored fact, and return whether it has one.

    Raise `SignatureMissing` if a due one is missing, `BadSignature` if it is wrong, `StaleVersion` if the seat's
    situation changed after it. `openly`: the reader of a redacted log may not know the legal actions.
    """
    if isinstance(fact, RulingGiven):
        return require_order(fact)
    if isinstance(fact, ABSENCE):
        check_declared(match, fact)
    signed, signer = signature_of(fact), signing_seat(match, fact)
    if fact.by == SERVICE:
        is_due = match.house != "" and isinstance(fact, NEVER_DUE if openly else BY_SERVICE)
        if signed is None and is_due:
            raise SignatureMissing("not signed by the service")
        if signed is not None and (signed.version or match.house == "" or not isinstance(fact, BY_SERVICE)):
            raise BadSignature(
                "the signature of the service is for another kind of entry or match, or over another entry"
            )
    elif signer is None or not signer[1].keys:
        if signed is not None:
            raise BadSignature(f"{fact.by!r} signs with a key that no seat has registered")
    elif signed is None:
        raise SignatureMissing(f"seat {signer[0]} must sign, but this is not signed")
    else:
        check_key_and_version(match, fact, *signer, signed, past, openly=openly)
    if signed is None:
        return False
    if signed.head or signed.version == match.version:
        raise BadSignature("the signature names the digest of its entry, or the version of the previous entry")
    version = signed.version or match.version
    digest = digest_at(match, version, past)
    try:
        SignedAct(match.id, version, digest, act_of(fact), signed.key, signed.signature).check()
    except SignatureFault as fault:
        raise BadSignature(str(fault)) from fault
    return True


def require_order(fact: RulingGiven) -> bool:
    """Verify a ruling signed over its dispute; return whether it is signed. Raise `BadSignature` if it is wrong.

    The arbiter's role is not checked.
    """
    if fact.signed is None:
        return False
    check_order(fact, head_of_ruling(fact))
    return True


def check_key_and_version(
    match: Match, fact: object, seat: int, info: SeatInfo, signed: Signed, past: Past, *, openly: bool = False
) -> None:
    """Raise `BadSignature` for a key that is not the seat's, `StaleVersion` if the seat's situation changed since.

    `StaleVersion` is also raised for a signature over an entry more than `SEEN_MAX` entries back.
    """
    if signed.key not in [each.key for each in info.keys]:
        raise BadSignature(f"the key {signed.key} does not belong to seat {seat}")
    if signed.version in (0, match.version):
        return
    if not 1 <= match.version - signed.version <= SEEN_MAX:
        raise stale_version_error(match, signed.version)
    require_unchanged(match, fact, seat, signed.version, past, openly=openly)


def require_unchanged(match: Match, fact: Any, seat: int, version: int, past: Past, *, openly: bool = False) -> None:
    """Raise `StaleVersion` if the seat or its player acted after a version; shares and named keys do not count.

    For an action, changed legal actions are rejected too, unless `openly`.
    """
    if isinstance(fact, ActionTaken):
        return require_unchanged_for_action(match, seat, version, past, openly=openly)
    for other in past.since(version):
        is_own = getattr(other, "seat", None) == seat or getattr(other, "by", "") == fact.by
        if is_own and not isinstance(other, ShareCommitted | KeyNamed):
            raise stale_version_error(match, version)
    return None


def require_unchanged_for_action(match: Match, seat: int, version: int, past: Past, *, openly: bool = False) -> None:
    """Raise `StaleVersion` if entries after a version concern the seat or changed its legal actions (DESIGN §8).

    With `openly` the legal actions are not compared.
    """
    if any(getattr(other, "seat", seat) == seat for other in past.since(version)):
        raise stale_version_error(match, version)
    if not openly and legal_actions(past.at(version), seat) != legal_actions(match, seat):
        raise stale_version_error(match, version)


def stale_version_error(match: Match, version: int) -> StaleVersion:
    """Return the error for an outdated version."""
    return StaleVersion(f"match {match.id} is at version {match.version}, not {version}", match.version)


def digest_at(match: Match, version: int, past: Past) -> bytes:
    """Return the digest of an entry."""
    return match.head_digest if version == match.version else past.at(version).head_digest
