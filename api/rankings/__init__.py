"""Ranking lists: live, and frozen each month."""
