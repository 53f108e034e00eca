"""Tournaments: registration, rounds and their results, as an ever-growing stream of facts."""
