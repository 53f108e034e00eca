"""Leagues: seasons of groups that play a schedule."""
