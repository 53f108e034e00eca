"""Roles, and the audit trail of their use."""
