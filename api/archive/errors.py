"""What is wrong with a search."""


class SearchRefused(Exception):
    """The search cannot be made; the sentence names what is wrong with it."""


class NothingExplored(Exception):
    """No explorer is called so."""
