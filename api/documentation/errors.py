"""The refusals of the documentation site."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals


class NotBuilt(Exception):
    """The documentation site has not been built in this checkout."""


REFUSALS: Final[Refusals] = {NotBuilt: (404, "documentation/not_built")}
"""The status and the code on the wire for each refusal."""
