"""Why there is no analysis."""


class NotAnalysed(Exception):
    """Of this match no analysis can be made; the text says why."""
