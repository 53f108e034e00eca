"""Ratings: a fold of results."""
