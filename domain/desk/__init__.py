"""The desk: studies of annotators, disputes, rulings of arbiters, roles and the audit trail."""
