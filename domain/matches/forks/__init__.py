"""Forks of a match, and lines that replace it after rulings."""
