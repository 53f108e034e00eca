"""Invitations of accounts to tournaments and leagues: state and decisions."""
