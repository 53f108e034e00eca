"""Evaluations by title: a module named like the title with its `WEIGHTS`; optional."""
