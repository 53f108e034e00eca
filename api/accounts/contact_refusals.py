"""Errors about contacting other accounts by invitations, challenges, shared studies and roles."""

from __future__ import annotations


class Blocked(Exception):
    """The person has blocked the sender."""


class OwnBlock(Exception):
    """The sender has blocked the person."""
