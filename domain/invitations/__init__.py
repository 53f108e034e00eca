"""Invitations of accounts to events, for tournaments and leagues: their state, and what may be decided about them."""
