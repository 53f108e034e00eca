"""What is refused about results, each by a sentence with the value that does not fit."""


class WrongResult(Exception):
    """Places or points that no table could have come to."""


class PlacesContradict(Exception):
    """Somebody with fewer points stands before somebody with more: it may be so, but it is asked about."""


class ImportRefused(Exception):
    """The file cannot be read as it should; the sentence names the line."""
