"""Lessons: practice matches with a guide next to the board."""
