"""The relay: posts the events of a room to any number of targets, which never wait for each other."""
