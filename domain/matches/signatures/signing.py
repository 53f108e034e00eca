"""Signatures of facts: whose, over what, and whether they are good here. `docs/specifications/signatures.md` is the
specification."""

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
from domain.matches.rulings.orders import check_order, place_of_ruling
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
"""Facts that a seat with keys signs if its player causes them; the end of signing since format 3."""
BY_SERVICE: Final = (
    *(TimedOut, SeatLeft, SeatReady, ShareCommitted, Paused, Resumed, Voided, SeatReplaced, ActionTaken),
    *(SigningStopped, *ABSENCE),
)
"""What the service signs, where somebody or something asked for it."""
NEVER_DUE: Final = (TimedOut, SeatLeft, SeatReady, ShareCommitted, SigningStopped, *ABSENCE)
"""What by the service never comes about by itself."""


class Past(Protocol):
    """The entries of a line before the position in hand."""

    def at(self, version: int) -> Match:
        """The position after an earlier entry, of the newest `SEEN_MAX`."""
        ...

    def since(self, version: int) -> Sequence[Fact]:
        """What has happened after it."""
        ...


# What is signed


def act_of(fact: Fact) -> bytes:
    """The bytes that are signed: of an action its JSON, of another fact its body less what the service adds."""
    if isinstance(fact, ActionTaken):
        return canonical(action_of(fact))
    plain = replace(fact, signed=None)
    if isinstance(plain, SeatReady):
        plain = replace(plain, standing="")
    return encode_fact(replace(plain, keys=()) if isinstance(plain, SeatReplaced) else plain)


def signing_seat(match: Match, fact: Any) -> tuple[int, SeatInfo] | None:
    """The seat whose player this fact is of, if such a fact is signed where the seat has keys."""
    kind = type(fact)
    if kind not in BY_PLAYERS or fact.by == SERVICE or (kind is SigningStopped and match.format < 3):
        return None
    seat = seat_of(match, fact.by) if kind is Resumed else fact.seat
    if seat is None or not 0 <= seat < len(match.seats) or match.seats[seat].actor != fact.by:
        return None
    return seat, match.seats[seat]


def signed_of(fact: Any) -> Signed | None:
    """The signature of a fact, if it has one that this reader knows."""
    secret = fact.hidden_act if type(fact) is ActionTaken else None
    if secret is None:
        return fact.signed  # type: ignore[no-any-return]
    known = secret.known_or(None)
    return None if known is None else known.signed


def with_signature(fact: Any, signed: Signed) -> Any:
    """The fact with its signature; a secret action keeps it inside of what is hidden."""
    if isinstance(fact, ActionTaken) and fact.hidden_action is not None:
        hidden = fact.hidden_action
        return replace(fact, hidden_action=None, hidden_act=Hidden(SignedAction(hidden.value, signed), hidden.audience))
    return replace(fact, signed=signed)


def without_signature(fact: Any) -> Any:
    """The fact as it would be without one; a secret action has to be open."""
    if isinstance(fact, ActionTaken) and fact.hidden_act is not None:
        hidden = fact.hidden_act
        return replace(fact, hidden_act=None, hidden_action=Hidden(hidden.value.action, hidden.audience))
    return fact if fact.signed is None else replace(fact, signed=None)


# Signing


def sign(match: Match, fact: Any, act: SignedAct | None, house: ServiceKey | None, past: Past) -> Any:
    """The fact as it will be stored. `act` has passed its `check`, which takes time; here it is held against the
    match: `SignatureMissing` where the seat signs and there is none, `BadSignature` where it does not fit."""
    if fact.by == SERVICE:
        return sign_by_service(match, fact, house)
    found = signing_seat(match, fact)
    if found is None or not found[1].keys:
        if act is not None:
            raise BadSignature(f"{fact.by!r} signs with a key that no seat has named here")
        return fact
    seat, info = found
    if act is None:
        raise SignatureMissing(f"seat {seat} signs what it does; name another key, or go on unsigned")
    if act.match_id != match.id or act.act != act_of(fact):
        raise BadSignature(f"seat {seat} has signed something else than it wants to do")
    if act.version > match.version:
        raise stale(match, act.version)
    check_place(match, fact, seat, info, Signed(act.key, act.signature, act.version), past)
    if then_digest(match, act.version, past) != act.digest:
        raise BadSignature(f"seat {seat} has signed over another entry {act.version} than this match has")
    return with_signature(fact, Signed(act.key, act.signature, 0 if act.version == match.version else act.version))


def sign_by_service(match: Match, fact: object, house: ServiceKey | None) -> Any:
    """What clocks and policies do, in a match whose log names the key of its service."""
    if house is None or match.house == "" or not isinstance(fact, BY_SERVICE):
        return fact
    text = act_text(match.id, match.version, match.head_digest, act_of(fact))
    return with_signature(fact, Signed(house.key, house.sign(text)))


# Checking


def require_signed(match: Match, fact: Any, past: Past, *, openly: bool = False) -> bool:
    """A stored fact that somebody asked for is signed where it has to be, and its signature is good; whether it has
    one. `openly`: for a reader who may not know what was legal."""
    if isinstance(fact, RulingGiven):
        return require_order(fact)
    signed, found = signed_of(fact), signing_seat(match, fact)
    if fact.by == SERVICE:
        is_due = match.house != "" and isinstance(fact, NEVER_DUE if openly else BY_SERVICE)
        if signed is None and is_due:
            raise SignatureMissing("the service has not signed it")
        if signed is not None and (signed.version or not isinstance(fact, BY_SERVICE)):
            raise BadSignature("the service signs nothing of that kind, or over another entry than the one before")
    elif found is None or not found[1].keys:
        if signed is not None:
            raise BadSignature(f"{fact.by!r} signs with a key that no seat has named here")
    elif signed is None:
        raise SignatureMissing(f"seat {found[0]} signs what it does, and this is not signed")
    else:
        check_place(match, fact, *found, signed, past, openly=openly)
    if signed is None:
        return False
    version = signed.version or match.version
    digest = then_digest(match, version, past)
    try:
        SignedAct(match.id, version, digest, act_of(fact), signed.key, signed.signature).check()
    except SignatureFault as fault:
        raise BadSignature(str(fault)) from fault
    return True


def require_order(fact: RulingGiven) -> bool:
    """A ruling that is signed is signed over its dispute; whether by an arbiter shows in the grants."""
    if fact.signed is None:
        return False
    check_order(fact, place_of_ruling(fact))
    return True


def check_place(
    match: Match, fact: object, seat: int, info: SeatInfo, signed: Signed, past: Past, *, openly: bool = False
) -> None:
    """The key is the seat's, and nothing has changed for the seat since the entry it was signed over."""
    if signed.key not in [named.key for named in info.keys]:
        raise BadSignature(f"the key {signed.key} is none of seat {seat}")
    if signed.version in (0, match.version):
        return
    if not 1 <= match.version - signed.version <= SEEN_MAX:
        raise stale(match, signed.version)
    require_unchanged(match, fact, seat, signed.version, past, openly=openly)


def require_unchanged(match: Match, fact: Any, seat: int, version: int, past: Past, *, openly: bool = False) -> None:
    """Nothing has happened after the version that the seat, or its player, did; for an action nothing at all that
    changed what the seat may do."""
    if isinstance(fact, ActionTaken):
        return require_unchanged_for_action(match, seat, version, past, openly=openly)
    for other in past.since(version):
        is_own = getattr(other, "seat", None) == seat or getattr(other, "by", "") == fact.by
        if is_own and not isinstance(other, ShareCommitted | KeyNamed):
            raise stale(match, version)
    return None


def require_unchanged_for_action(match: Match, seat: int, version: int, past: Past, *, openly: bool = False) -> None:
    """All later entries are other seats' and left the legal actions of this one as they were (DESIGN §8)."""
    if any(getattr(other, "seat", seat) == seat for other in past.since(version)):
        raise stale(match, version)
    if not openly and legal_actions(past.at(version), seat) != legal_actions(match, seat):
        raise stale(match, version)


def stale(match: Match, version: int) -> StaleVersion:
    return StaleVersion(f"the match {match.id} stands at version {match.version}, not {version}", match.version)


def then_digest(match: Match, version: int, past: Past) -> bytes:
    """The digest of the entry that was seen."""
    return match.head_digest if version == match.version else past.at(version).head_digest
