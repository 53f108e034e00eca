"""Errors of results; each message contains the offending value."""


class WrongResult(Exception):
    """The places or points are impossible at a table."""


class PlacesContradict(Exception):
    """The places contradict the points, which needs confirmation because it is possible but usually a mistake."""


class ImportRefused(Exception):
    """The file cannot be parsed; the message names the line."""
