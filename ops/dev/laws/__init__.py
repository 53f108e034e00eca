"""The laws of matches, as functions: tests and `esporles bench --laws` hold them at every node of random play."""
