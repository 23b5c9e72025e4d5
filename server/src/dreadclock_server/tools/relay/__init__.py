"""The relay: posts the events of a room to any number of targets. A slow target does not delay the others."""
