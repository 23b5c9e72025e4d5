"""Decides the commands of a room. Pure functions: commands and dice faces in, events out, without I/O."""
