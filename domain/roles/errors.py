"""Errors of role commands; each message holds the offending value."""

from domain.matches.errors import MatchError


class RoleRefused(MatchError):
    """The role cannot be granted or revoked."""


class NoSuchPerson(MatchError):
    """No person has that id or name."""


class ConflictOfInterest(MatchError):
    """A player of the match or event may not use a role there."""


class RoleMissing(MatchError):
    """The caller lacks the required role."""


class RatedWithoutOrganiser(MatchError):
    """Only organisers of the service may open rated events."""
