"""The player's signed declaration behind an absence that the service announces or ends at a table.

One declaration is valid at all tables of its person, later ones included; so the service can apply it there
but cannot invent it (`docs/specifications/signatures.md`).
"""

from collections.abc import Sequence
from typing import Final

from domain.matches.aggregate import Match
from domain.matches.errors import BadSignature
from domain.matches.facts import SERVICE, Actor
from domain.matches.play.absences import (
    MICROSECONDS,
    SECONDS_MAX,
    Absence,
    AbsenceAnnounced,
    AbsenceEnded,
    Declared,
)
from domain.signatures.errors import SignatureFault
from domain.signatures.keys import require_signature

PREFIX: Final = b"esporles.absence/1\x00"


def declaration_text(person: Actor, first: int, last: int, at: int = 0) -> bytes:
    """Return the bytes to sign: the absence in Unix seconds; `at`: the time since which it is over, or 0."""
    return PREFIX + b"".join(each.to_bytes(8, "big") for each in (first, last, at)) + person.encode()


def require_declaration(person: Actor, declared: Declared) -> None:
    """Raise `BadSignature` unless the person's declaration is signed by its key and its times are possible."""
    times = (declared.first, declared.last, declared.at)
    if not all(0 <= each <= SECONDS_MAX for each in times) or declared.first >= declared.last:
        raise BadSignature(f"an absence from {declared.first} until {declared.last} cannot be declared")
    try:
        require_signature(declared.key, declared.signature, declaration_text(person, *times))
    except SignatureFault as fault:
        raise BadSignature(str(fault)) from fault


def check_declared(match: Match, fact: AbsenceAnnounced | AbsenceEnded) -> None:
    """Raise `BadSignature` unless the declaration behind the fact, if any, was signed with a key of the seat.

    Only the service names one. Times are compared by `is_declared` and `is_declared_over`.
    """
    if fact.declared is None:
        return
    info = match.seats[fact.seat]
    if fact.by != SERVICE:
        raise BadSignature(f"{fact.by!r} signs the entry itself, without a declaration")
    if info.actor is None or fact.declared.key not in [each.key for each in info.keys]:
        raise BadSignature(f"the key {fact.declared.key} of the declaration does not belong to seat {fact.seat}")
    require_declaration(info.actor, fact.declared)


def is_declared(declared: Declared, first: int, last: int) -> bool:
    """Return whether an absence from `first` until `last` (seconds) lies within the declared one."""
    return declared.at == 0 and declared.first <= first and last <= declared.last


def is_used_up(declared: Declared, ended: Sequence[Absence], seat: int) -> bool:
    """Return whether the declaration covers an absence of the seat that was ended; it announces nothing more there."""
    return any(
        each.seat == seat and declared.first * MICROSECONDS <= each.first and each.last <= declared.last * MICROSECONDS
        for each in ended
    )


def is_declared_over(declared: Declared, absence: Absence, now: int) -> bool:
    """Return whether the absence lies within the declared one, which its person has ended before `now` (us)."""
    return (
        0 < declared.at * MICROSECONDS <= now
        and declared.first * MICROSECONDS <= absence.first
        and absence.last <= declared.last * MICROSECONDS
    )
