"""What is made of a whole evening, from its export: the recap, a page that tells the evening. Pure."""
