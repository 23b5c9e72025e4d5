"""A whole evening in a file: exports, the audit of their chain, dice and rules, and a page that tells them."""
