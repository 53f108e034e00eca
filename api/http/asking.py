"""What a page asks once more before it is done: its form comes back as it was filled in, with the question."""


class Unconfirmed(Exception):
    """Nothing has been done yet; the form says what would be, and is sent again to say that it is meant."""
