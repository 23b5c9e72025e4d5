"""A second, small reading of the rules: who may do what, and the numbers that come of it.

It is written from the rules and the list of commands, and knows nothing of the server. It has no words, odds, proofs
or ids of its own. Faces and ids are taken from what the server shows; how many faces there must be, it says itself.
"""

from kit.model.room import Model
from kit.model.things import Shown

__all__ = ["Model", "Shown"]
