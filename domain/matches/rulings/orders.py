"""Signed orders of officials: rulings, grants, manual results, closed rounds (`docs/specifications/signatures.md`).

An order is signed over the head of the stream that it concerns.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

import msgspec

from domain.kernel.values import replace
from domain.matches.errors import BadSignature, OrderUnsigned
from domain.matches.facts import SERVICE, Actor, RulingGiven
from domain.matches.log.entries import encode_fact
from domain.matches.rulings.measures import LineResumed
from domain.signatures.acts import ServiceKey, Signed, order_text
from domain.signatures.errors import SignatureFault
from domain.signatures.keys import require_signature

R = TypeVar("R", bound=Any)


@dataclass(frozen=True)
class StreamHead:
    """The head of the stream that an order concerns; version 0 and a digest of zeros if the stream is empty.

    `is_elsewhere`: the order is stored in another stream, so its signature also names this head. A ruling is signed
    over its dispute, a dispute over the entry it concerns.
    """

    stream: UUID
    version: int
    digest: bytes
    is_elsewhere: bool = False


def act_of_order(fact: Any) -> bytes:
    """Return the bytes to sign: the record's body without its signature.

    A ruling is signed without the ids of ruling and line, which the service assigns.
    """
    if isinstance(fact, RulingGiven):
        measures = tuple(
            replace(measure, line="") if isinstance(measure, LineResumed) else measure for measure in fact.measures
        )
        return encode_fact(replace(fact, signed=None, ruling="", measures=measures))
    return msgspec.json.encode(replace(fact, signed=None), order="deterministic")


def sign_order(
    fact: Any, head: StreamHead, offered: Signed | None, keys: tuple[str, ...], service_key: ServiceKey | None
) -> Any:
    """Return the fact signed by the service, or with one of the official's `keys`; unsigned if there is no key.

    Raise `OrderUnsigned` with the bytes to sign if the offered signature is missing or does not fit.
    """
    act = act_of_order(fact)
    if fact.by == SERVICE:
        text = order_text(head.stream, head.version, head.digest, act)
        return fact if service_key is None else with_order(fact, head, Signed(service_key.key, service_key.sign(text)))
    return with_order(fact, head, require_order(fact.by, act, head, offered, keys)) if keys else fact


def sign_together(facts: Sequence[R], head: StreamHead, offered: Signed | None, keys: tuple[str, ...]) -> tuple[R, ...]:
    """Return the orders of one official, all with one signature over them together, for example the rows of a file.

    Raise `OrderUnsigned` if the offered signature is missing or does not fit.
    """
    signed = require_order(facts[0].by, act_of_orders(facts), head, offered, keys)
    return tuple(replace(fact, signed=replace(signed, version=head.version)) for fact in facts)


def act_of_orders(facts: Iterable[Any]) -> bytes:
    """Return the bytes to sign for several orders: a JSON array of the bytes of each."""
    return b"[" + b",".join(map(act_of_order, facts)) + b"]"


def require_order(by: Actor, act: bytes, head: StreamHead, offered: Signed | None, keys: tuple[str, ...]) -> Signed:
    """Return the signature of an official over an act at `head`; raise `OrderUnsigned` if missing or wrong.

    The key must be one of `keys`.
    """
    if offered is None or offered.key not in keys:
        raise OrderUnsigned(f"{by!r} must sign this as an official", head.stream, head.version, head.digest, act)
    try:
        text = order_text(head.stream, head.version, head.digest, act)
        require_signature(offered.key, offered.signature, text)
    except SignatureFault as fault:
        sentence = f"the signature of {by!r} is for another act or an earlier version"
        raise OrderUnsigned(sentence, head.stream, head.version, head.digest, act) from fault
    return Signed(offered.key, offered.signature)


def with_order(fact: Any, head: StreamHead, signed: Signed) -> Any:
    """Return the fact with its signature, which names version and digest of a stream other than the fact's own."""
    if head.is_elsewhere:
        signed = replace(signed, version=head.version, head=head.digest.hex())
    return replace(fact, signed=signed)


def check_order(fact: Any, head: StreamHead, *others: object) -> None:
    """Raise `BadSignature` unless the signature of a stored order verifies; its signer's role is not checked.

    `others` are orders that were signed together with it, in order.
    """
    assert fact.signed is not None
    act = act_of_orders((fact, *others)) if others else act_of_order(fact)
    text = order_text(head.stream, head.version, head.digest, act)
    try:
        require_signature(fact.signed.key, fact.signed.signature, text)
    except SignatureFault as fault:
        raise BadSignature(str(fault)) from fault


def head_of_ruling(fact: RulingGiven) -> StreamHead:
    """Return the head of the dispute over which a ruling was signed; raise `BadSignature` if it is malformed."""
    assert fact.signed is not None
    try:
        digest, stream = bytes.fromhex(fact.signed.head), UUID(fact.dispute)
    except ValueError as error:
        raise BadSignature(f"the ruling {fact.ruling} does not name the dispute that its signature covers") from error
    if len(digest) != 32 or fact.signed.version < 1:
        raise BadSignature(f"the ruling {fact.ruling} does not name the record that its signature covers")
    return StreamHead(stream, fact.signed.version, digest, is_elsewhere=True)
