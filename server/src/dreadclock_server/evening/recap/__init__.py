"""The recap: a self-contained page about an evening, made from an export.

`page.page` writes the page: an overview, and below it collapsed sections with the story and numbers. `things`,
`story`, `ending`, `moments` and `dice` extract the contents from the export. `chances` computes probabilities.
`drawing`, `cards`, `telling` and `markup` write HTML and SVG.
"""
