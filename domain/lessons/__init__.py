"""Lessons: practice matches guided by a script."""
