"""Accounts that reach other accounts: by invitations, challenges, shared studies and roles in events."""

from __future__ import annotations


class Blocked(Exception):
    """The person has blocked the account that wants to reach them."""


class OwnBlock(Exception):
    """The account wants to reach a person whom it has blocked itself."""
