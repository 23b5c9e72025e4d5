"""The recap: one evening, from an export, as one page that needs nothing else.

`page.page` makes it: a poster, and below it the log and the numbers, folded. What is read off the export is in
`things`, `story`, `ending`, `moments` and `dice`, what chance says of it in `chances`; `drawing`, `cards`, `telling`
and `markup` write it down.
"""
