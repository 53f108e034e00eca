"""Tables of the accounts database: a module for each subject with tables there."""
