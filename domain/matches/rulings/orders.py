"""What officials sign: rulings, grants, results by hand, closings of rounds. `docs/specifications/signatures.md` is
the specification.

An order is signed over the stream that it is about, as it stood when the official gave it.
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
class Place:
    """Where an order is given: the stream it is about, and its newest record (version 0, zeros: there is none).

    `is_elsewhere`: what is signed stands in another stream, and so says where this one stood: a ruling is signed over
    its dispute, a dispute over the entry it is about.
    """

    stream: UUID
    version: int
    digest: bytes
    is_elsewhere: bool = False


def act_of_order(fact: Any) -> bytes:
    """The bytes that are signed: the body of the record less its signature; of a ruling also less the ids that the
    service gives to it and to the line that goes on."""
    if isinstance(fact, RulingGiven):
        measures = tuple(
            replace(measure, line="") if isinstance(measure, LineResumed) else measure for measure in fact.measures
        )
        return encode_fact(replace(fact, signed=None, ruling="", measures=measures))
    return msgspec.json.encode(replace(fact, signed=None), order="deterministic")


def is_order(fact: Any) -> bool:
    """Whether facts of this kind are signed by whoever is responsible for them."""
    return "signed" in fact.__struct_fields__


def sign_order(fact: Any, place: Place, offered: Signed | None, keys: tuple[str, ...], house: ServiceKey | None) -> Any:
    """The fact as it will be stored: signed by the service, or with one of the official's `keys`; `OrderUnsigned` says
    what has to be signed where nothing fitting has been."""
    act = act_of_order(fact)
    if fact.by == SERVICE:
        text = order_text(place.stream, place.version, place.digest, act)
        return fact if house is None else with_order(fact, place, Signed(house.key, house.sign(text)))
    return with_order(fact, place, require_order(fact.by, act, place, offered, keys)) if keys else fact


def sign_together(facts: Sequence[R], place: Place, offered: Signed | None, keys: tuple[str, ...]) -> tuple[R, ...]:
    """Orders of one official that come together, as the rows of a file do: they are signed together, once."""
    signed = require_order(facts[0].by, act_of_orders(facts), place, offered, keys)
    return tuple(replace(fact, signed=replace(signed, version=place.version)) for fact in facts)


def act_of_orders(facts: Iterable[Any]) -> bytes:
    """What is signed of orders that come together: a JSON array of what would be of each."""
    return b"[" + b",".join(map(act_of_order, facts)) + b"]"


def require_order(by: Actor, act: bytes, place: Place, offered: Signed | None, keys: tuple[str, ...]) -> Signed:
    """The signature of an official over this act, there."""
    if offered is None or offered.key not in keys:
        raise OrderUnsigned(f"{by!r} signs what an official does", place.stream, place.version, place.digest, act)
    try:
        text = order_text(place.stream, place.version, place.digest, act)
        require_signature(offered.key, offered.signature, text)
    except SignatureFault as fault:
        sentence = f"{by!r} has signed something else than this, or before something else was decided"
        raise OrderUnsigned(sentence, place.stream, place.version, place.digest, act) from fault
    return Signed(offered.key, offered.signature)


def with_order(fact: Any, place: Place, signed: Signed) -> Any:
    """The fact with its signature."""
    if place.is_elsewhere:
        signed = replace(signed, version=place.version, head=place.digest.hex())
    return replace(fact, signed=signed)


def check_order(fact: Any, place: Place, *others: object) -> None:
    """A stored signature of an order is good; `BadSignature` otherwise. Whose key it is shows in the grants. `others`:
    those that were signed together with it, in their order."""
    assert fact.signed is not None
    act = act_of_orders((fact, *others)) if others else act_of_order(fact)
    text = order_text(place.stream, place.version, place.digest, act)
    try:
        require_signature(fact.signed.key, fact.signed.signature, text)
    except SignatureFault as fault:
        raise BadSignature(str(fault)) from fault


def place_of_ruling(fact: RulingGiven) -> Place:
    """Where the dispute stood, as the ruling says it."""
    assert fact.signed is not None
    try:
        digest, stream = bytes.fromhex(fact.signed.head), UUID(fact.dispute)
    except ValueError as error:
        raise BadSignature(f"the ruling {fact.ruling} does not say over which dispute it is signed") from error
    if len(digest) != 32 or fact.signed.version < 1:
        raise BadSignature(f"the ruling {fact.ruling} does not say over which record it is signed")
    return Place(stream, fact.signed.version, digest, is_elsewhere=True)
