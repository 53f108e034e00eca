"""Names of the phases in the navigation of a replay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.kernel.messages import N_

PHASES: Final[Mapping[str, str]] = {
    "0": N_("setup"),
    "I": N_("farm phase"),
    "II": N_("revenue phase"),
    "III": N_("transport phase"),
    "IV": N_("scoring phase"),
}
