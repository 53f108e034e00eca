"""Tournaments: registration, rounds and results, stored as a stream of facts."""
