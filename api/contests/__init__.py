"""What forms and pages of tournaments and leagues share."""
