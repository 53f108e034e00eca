"""The pages people see: one file per page; how a title is drawn stands in a folder of its name."""
