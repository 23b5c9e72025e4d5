"""Scripted stories: the worked examples of the rules, which `dreadclock demo` plays, and the story of demo rooms."""
