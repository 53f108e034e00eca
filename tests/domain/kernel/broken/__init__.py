"""A package that cannot be imported, for the test of parts."""

from no_such_library import PART  # type: ignore[import-not-found]  # that is what is tested

__all__ = ["PART"]
