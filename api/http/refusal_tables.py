"""The type of an error table; each subject declares one."""

from __future__ import annotations

from collections.abc import Mapping

Refusals = Mapping[type[Exception], tuple[int, str]]
"""HTTP status and code by exception type."""
