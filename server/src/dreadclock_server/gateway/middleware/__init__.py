"""Middleware for every call: allowed hosts, security headers, the access log."""
