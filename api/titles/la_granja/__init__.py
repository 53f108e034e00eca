"""Pages of La Granja: drawing of the table, gallery and rules."""
