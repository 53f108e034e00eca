"""What can be wrong with an address among rules and cards."""


class NoSuchPiece(Exception):
    """The rules have no such paragraph, or the title no such card, tile or building."""
