"""Lessons: practice matches that a script guides, and what of the script a position calls for."""
