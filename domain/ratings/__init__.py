"""Ratings, computed by folding results."""
