"""Puzzles: selected by difficulty, rated by the first answer, with the match they are from."""
