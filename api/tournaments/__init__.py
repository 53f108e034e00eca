"""The API and pages of tournaments."""
