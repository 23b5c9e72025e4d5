"""What follows from what: the one engine of consequences.

Something happens, and other things follow by the rules: a clock that is empty ends its scene, a pool that falls to a
stage has its effect, a triumph brings momentum. That is written once, here, over `Telling`: a command's draft adds
each event that follows. Nothing here refuses, rolls or asks who may do what; the view that it goes by is always as the
events so far leave it.

The verifier decides logs again with this very code, and cannot find a mistake in it: `tests/kit/model` is a second
reading of the rules that shares no code with this one.
"""
