"""Tournaments, leagues and ratings: who plays whom, what it counts, and how they stand."""
