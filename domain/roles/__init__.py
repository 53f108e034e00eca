"""Roles, and the audit trail of what was done with them."""
