"""The subject matches: services, wire structures, routes and pages."""
