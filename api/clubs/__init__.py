"""Clubs: their pages, members, roles, requests and invitations, and lists of events."""
