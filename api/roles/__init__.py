"""Roles and the audit trail."""
