"""Jobs name the version of a contest they were made for, and change nothing at any other."""

from domain.matches.errors import StaleVersion
from domain.matches.log.records import S, Stream


def require_version(stream: Stream[S], expected_version: int | None, noun: str) -> None:
    """Raise `StaleVersion` if a contest, called `noun` in the message, is not at the expected version; None passes."""
    if expected_version not in (None, stream.version):
        raise StaleVersion(f"the {noun} is at version {stream.version}, not {expected_version}", stream.version)
