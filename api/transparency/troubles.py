"""The problems of witnesses."""

from __future__ import annotations

from typing import Final, Literal

AHEAD: Final = "ahead"
AWAY: Final = "away"
REFUSES: Final = "refuses"
OTHER_HISTORY: Final = "other_history"
Trouble = Literal["ahead", "away", "refuses", "other_history"]
"""Kinds of problems.

`other_history` is alarming: the witness has seen a tree that is no prefix of the current one. `ahead` stops the log:
that tree was signed with the key of this server.
"""
CONTRADICTIONS: Final = frozenset({AHEAD, OTHER_HISTORY})
