"""Pure functions of the export of an evening: `verify` checks the rules, `recap` writes a page about it."""
