"""Accounts: people, their passwords, sessions and tokens, and the pages where they sign in."""
