"""HTTP status and code of dispute errors."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.disputes import errors as disputes

REFUSALS: Final[Refusals] = {
    disputes.AppealRefused: (409, "appeal/refused"),
    disputes.ArbiterPlays: (403, "arbiter/plays"),
    disputes.CallRefused: (409, "call/refused"),
    disputes.CommitteeRefused: (422, "committee/refused"),
    disputes.VoteRefused: (409, "vote/refused"),
    disputes.DisputeRefused: (422, "dispute/refused"),
    disputes.DisputeSettled: (409, "dispute/settled"),
    disputes.NotAParty: (403, "dispute/not_a_party"),
}
"""Error -> HTTP status and code."""
