"""Forks of a match, and the lines that rulings put in its place."""
