"""Demo rooms ("tables in play"): rooms that play a story by themselves. A watcher can take the room over."""
