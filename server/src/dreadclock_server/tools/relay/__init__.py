"""The relay: tells a table elsewhere, from one link, to any number of targets that never wait for each other."""
