"""HTTP status and code of chat errors."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain import talk

REFUSALS: Final[Refusals] = {
    talk.TalkRefused: (422, "talk/refused"),
    talk.SaidAlready: (409, "talk/said_already"),
    talk.TalkOff: (409, "talk/off"),
    talk.NotInRoom: (403, "talk/not_yours"),
    talk.NoSuchMessage: (404, "talk/message_unknown"),
}
"""Error -> HTTP status and code."""
