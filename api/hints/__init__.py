"""Hints at tables where one person plays against bots: what would be best, and what the last choice has cost."""
