"""The tables of the store of people, declared once: a file for each subject that has tables there."""
