"""How the secrets of the prepared evening are found in a page."""

# What only the gm knows, and what is under a seal: in ids and in texts, never by chance in a token or a room's id.
GMS_ALONE = ("gm-zz", " zz")
MARKS = (*GMS_ALONE, "gm-yy", " yy-")
