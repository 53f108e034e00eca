"""Errors of contests that tournaments and leagues share."""


class ContestRefused(Exception):
    """A command that does not fit the state of a contest; the message gives the reason."""


class PlanRefused(Exception):
    """A plan that contradicts itself; the message names the contradiction."""
