"""Parse the signatures of handlers once in a process, and build Litestar's models of them once.

Tests start some hundred services with the same handlers. Signatures took half of every start, the models of their
arguments a fifth.
"""

from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

from litestar._kwargs import KwargsModel
from litestar._signature.model import SignatureModel
from litestar.di import Provide
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
    read, make, build = ParsedSignature.from_fn, SignatureModel.create, KwargsModel.create_for_signature_model
    known: dict[tuple[Any, ...], ParsedSignature] = {}
    models: dict[tuple[Any, ...], type[SignatureModel]] = {}
    identities: dict[int, Any] = {}
    arguments: dict[tuple[Any, ...], tuple[KwargsModel, dict[str, Provide]]] = {}

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

    def create_for_signature_model(
        signature_model: type[SignatureModel],
        parsed_signature: ParsedSignature,
        dependencies: dict[str, Provide],
        path_parameters: set[str],
        layered_parameters: dict[str, Any],
        ctx: Any = None,
    ) -> KwargsModel:
        identity = identities.get(id(parsed_signature))
        if identity is None or layered_parameters:
            return build(signature_model, parsed_signature, dependencies, path_parameters, layered_parameters, ctx)
        provided = frozenset((name, id(provide)) for name, provide in dependencies.items())
        key = (identity, signature_model, provided, frozenset(path_parameters))
        if key not in arguments:
            # The dependencies are kept, so that no other object gets the id of one of them.
            built = build(signature_model, parsed_signature, dependencies, path_parameters, layered_parameters, ctx)
            arguments[key] = built, dependencies
        return arguments[key][0]

    KwargsModel.create_for_signature_model = staticmethod(  # type: ignore[method-assign]
        create_for_signature_model
    )
    ParsedSignature.from_fn = staticmethod(from_fn)  # type: ignore[method-assign]
    SignatureModel.create = staticmethod(create)  # type: ignore[method-assign]
