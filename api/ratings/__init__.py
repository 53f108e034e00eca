"""Ranking lists and players."""
