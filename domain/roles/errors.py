"""What is refused about roles: each a named exception whose sentence holds the bad value."""

from domain.matches.errors import MatchError


class RoleRefused(MatchError):
    """The role cannot be given or taken."""


class NoSuchPerson(MatchError):
    """Nobody has that id or name."""


class ConflictOfInterest(MatchError):
    """Who plays there does not use a role there."""


class RoleMissing(MatchError):
    """The caller does not hold the role this needs."""


class RatedWithoutOrganiser(MatchError):
    """Rated events are opened by organisers of the service."""
