"""The pages and the files that they load."""
