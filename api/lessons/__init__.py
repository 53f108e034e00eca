"""Lessons: practice matches with a guide beside the board."""
