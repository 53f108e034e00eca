"""Read models that follow the log: one file per model saying what it keeps, how it follows and how it is read."""
