"""The rules of a room, pure: commands and faces in, events out. Nothing here can do I/O."""
