"""Errors of lessons."""


class NoSuchLesson(Exception):
    """The title has no lesson of that name."""


class NotInLesson(Exception):
    """A legal action that the lesson does not offer now."""
