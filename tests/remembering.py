"""What Litestar reads from the signature of a function, and the model it makes of that, are made once in a process.

Tests start some hundred services, each with the same handlers: half of every start went into their signatures.
"""

from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

from litestar._signature.model import SignatureModel
from litestar.utils.signature import ParsedSignature


def identity_of(fn: Any) -> Any:
    """What the signature follows from: the function, or the code of one that is made anew for every route and has only
    words for annotations; nothing where that cannot be told."""
    if not isinstance(fn, FunctionType):
        return None
    if fn.__closure__ is None:
        return fn
    has_defaults = fn.__defaults__ or fn.__kwdefaults__
    is_plain = not has_defaults and all(isinstance(each, str) for each in fn.__annotations__.values())
    return fn.__code__ if is_plain else None


def remember_signatures() -> None:
    """From now on."""
    read, make = ParsedSignature.from_fn, SignatureModel.create
    known: dict[tuple[Any, ...], ParsedSignature] = {}
    models: dict[tuple[Any, ...], type[SignatureModel]] = {}
    identities: dict[int, Any] = {}

    def from_fn(fn: Any, signature_namespace: Mapping[str, Any]) -> ParsedSignature:
        if (identity := identity_of(fn)) is None:
            return read(fn, dict(signature_namespace))
        key = (identity, *signature_namespace.items())
        if key not in known:
            known[key] = read(fn, dict(signature_namespace))
            identities[id(known[key])] = key
        return known[key]

    def create(
        dependency_name_set: set[str],
        fn: Any,
        parsed_signature: ParsedSignature,
        type_decoders: Sequence[Any],
        data_dto: Any = None,
    ) -> type[SignatureModel]:
        key = (identities.get(id(parsed_signature)), frozenset(dependency_name_set), *type_decoders, data_dto)
        if key[0] is None:
            return make(dependency_name_set, fn, parsed_signature, type_decoders, data_dto)
        if key not in models:
            models[key] = make(dependency_name_set, fn, parsed_signature, type_decoders, data_dto)
        return models[key]

    ParsedSignature.from_fn = staticmethod(from_fn)  # type: ignore[method-assign]
    SignatureModel.create = staticmethod(create)  # type: ignore[method-assign]
