"""What is made of a whole evening, from its export: `verify` checks the rules, `recap` writes a page. Pure."""
