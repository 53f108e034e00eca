"""Refusals of lessons."""


class NoSuchLesson(Exception):
    """The title has no lesson of that name."""


class NotInLesson(Exception):
    """The rules allow it, and the lesson asks for something else at this moment."""
