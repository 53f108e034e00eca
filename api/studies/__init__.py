"""The API and pages of studies."""
