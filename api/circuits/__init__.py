"""The API and pages of circuits."""
