"""Accounts that reach other accounts: by invitations, challenges, shared studies and roles in events."""

from __future__ import annotations

from typing import Literal

Approach = Literal["invitation", "challenge"]
"""The kinds of ways to reach a person; each has its own bound (`api/web/limits.py`)."""


class Blocked(Exception):
    """The person has blocked the account that wants to reach them."""


class OwnBlock(Exception):
    """The account wants to reach a person whom it has blocked itself."""
