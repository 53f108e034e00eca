"""Clubs: members, roles, admission, and the tournaments and leagues that are opened for them."""
