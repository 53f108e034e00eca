"""Accounts: people, passwords, sessions and tokens, with their API and pages."""
