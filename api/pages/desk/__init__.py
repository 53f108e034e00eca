"""The desk's pages: studies, disputes, the tree of forks, roles and the audit trail."""
