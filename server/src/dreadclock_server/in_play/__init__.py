"""Tables in play: rooms that play a story by themselves, to be watched and then taken over."""
