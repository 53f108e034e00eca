"""Tables of refusals: each subject declares its own, and the composition root joins them."""

from __future__ import annotations

from collections.abc import Mapping

Refusals = Mapping[type[Exception], tuple[int, str]]
"""The status and the code on the wire, by the kind of an exception."""


def join_refusals(*tables: Refusals) -> Refusals:
    """Join the tables, and reject an exception or a code that two entries declare."""
    joined: dict[type[Exception], tuple[int, str]] = {}
    codes: dict[str, type[Exception]] = {}
    for kind, (status, code) in (row for table in tables for row in table.items()):
        if kind in joined:
            raise ValueError(f"the refusal {kind.__name__} is declared twice")
        other = codes.setdefault(code, kind)
        if other is not kind:
            raise ValueError(f"the code {code!r} is declared for {other.__name__} and for {kind.__name__}")
        joined[kind] = (status, code)
    return joined
