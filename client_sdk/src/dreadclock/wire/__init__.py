"""The shared messages: commands, events, views and frames, as they travel and as they are stored."""
