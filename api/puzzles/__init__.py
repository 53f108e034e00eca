"""Puzzles: served by difficulty, answered once for a rating, with the match they are from."""
