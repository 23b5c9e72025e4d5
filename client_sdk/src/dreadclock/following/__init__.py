"""What follows from what: the one engine of consequences.

Something happens, and other things follow by the rules: a clock that is empty ends its scene, a pool that falls to a
stage has its effect, a triumph brings momentum. That is written once, here, over `Telling`: the server's draft adds
each event that follows, and the offline referee expects it as the next record of the log. Nothing here refuses, rolls
or asks who may do what; the view that it goes by is always as the events so far leave it.

A mistake here is made by both, so that neither finds it in the other: `tests/kit/model` is a second reading of the
rules that shares no code with this one.
"""
