"""Measures that may point to outside help or collusion, each with its base rate among other people."""
