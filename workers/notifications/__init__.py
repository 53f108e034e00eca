"""Delivery of notifications by mail and web push."""
