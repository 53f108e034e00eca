"""What the document of the API says of files: in which forms one is taken, in which forms one is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, Operation, RequestBody, Schema

CSV: Final = "text/csv"
JSON: Final = "application/json"


def with_file(*, takes: tuple[str, ...] = (), gives: tuple[str, ...] = ()) -> type[Operation]:
    """The documented operation of a handler that takes or gives bytes of these media types."""

    @dataclass
    class WithFile(Operation):
        def __post_init__(self) -> None:
            if takes:
                self.request_body = RequestBody(content=contents(takes), required=True)
            if gives:
                answer = (self.responses or {})["200"]
                assert isinstance(answer, OpenAPIResponse)
                answer.content = contents(gives)

    return WithFile


def contents(kinds: tuple[str, ...]) -> dict[str, OpenAPIMediaType]:
    """Any bytes of these kinds: what is wrong with them the refusal says."""
    return {kind: OpenAPIMediaType(schema=Schema()) for kind in kinds}
