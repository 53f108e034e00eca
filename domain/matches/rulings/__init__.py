"""Rulings in the log of a match, what officials sign, and the outcome that counts."""
