"""Measures of matches and people that may point to help or collusion, each beside how often it happens to anybody."""
