"""The recap: a self-contained page about an evening, made from an export.

`page.page` writes the page: a poster, and below it the folded log and numbers. `things`, `story`, `ending`,
`moments` and `dice` extract the contents from the export. `chances` computes probabilities. `drawing`, `cards`,
`telling` and `markup` write HTML and SVG.
"""
