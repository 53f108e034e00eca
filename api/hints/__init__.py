"""Hints at tables of one person and bots: the best action, and the cost of the last choice."""
