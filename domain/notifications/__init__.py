"""Notifications to people who are away from the site."""
