"""What each command brings about, a module for each family of things; `DECIDE` is its table."""
