"""What every call passes through: allowed hosts, security headers, the access log."""
