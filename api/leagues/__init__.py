"""The API and pages of leagues."""
