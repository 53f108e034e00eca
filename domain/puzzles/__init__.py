"""Puzzles: positions of ended matches in which one choice is clearly better than all others. No facts."""
