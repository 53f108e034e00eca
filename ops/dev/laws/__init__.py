"""The laws of matches: checks that tests and `esporles bench --laws` run at every node of random play."""
