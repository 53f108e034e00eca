"""Disputes: raised by a player at an entry of a match, ruled on by an arbiter, appealed once."""
