"""What people say to each other at tables and in events, and what becomes of it."""
