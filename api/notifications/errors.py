"""What is refused about notifications."""

from __future__ import annotations


class BadAddress(Exception):
    """The word is no mail address."""


class BadToken(Exception):
    """A link that this service has not made, or not as it is."""


class BadDevice(Exception):
    """What a browser sent is no subscription that anything can be pushed to."""


class TooManyLetters(Exception):
    """As many letters of confirmation as are allowed were sent today."""
