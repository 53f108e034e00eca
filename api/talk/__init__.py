"""Chats at tables and in events, with moderation."""
