"""How each family of events changes a channel's view."""
