"""Ranking lists: their rules, their members, and the list of each month, which never changes."""
