"""Notifications by mail and push: recipients, preferences, outbox and delivery."""
