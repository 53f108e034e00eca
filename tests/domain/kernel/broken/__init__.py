"""A package that cannot be imported, for the test of parts."""

from no_such_library import PART  # type: ignore[import-not-found]  # the import must fail

__all__ = ["PART"]
