"""The type of a table of refusals: each subject declares its own."""

from __future__ import annotations

from collections.abc import Mapping

Refusals = Mapping[type[Exception], tuple[int, str]]
"""The status and the code on the wire, by the kind of an exception."""
