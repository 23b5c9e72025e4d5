"""Write pages/js/app/beginnings.js: the events at which an action of the log begins, and those that may go before them.

Read from the sources of the server's core. An event begins an action if no command tells it after another event, and
if no consequence brings it about. Events that may go before the record that tells of a command, as `dreadclock verify`
knows them, do not count as another event: a roll of an effort, for example, begins with a tick of the threat.
"""

import ast
import json
from typing import Any, Final

from generate_events import EVENTS, MODELS, Place, Sources, _assigned

from dreadclock.wire import events as e
from dreadclock_server.core.decide import _DECIDERS
from dreadclock_server.core.draft import WITHOUT_NOTE, Draft
from dreadclock_server.evening.verify.commands import _BEFORE, _REBUILD

NAMES: Final = {model.__name__: str(model.model_fields["type"].default) for model in MODELS}
_FIRST_ONCE: Final = e.VentureLapsed  # older servers told it before a roll
BEFORE: Final = {model.__name__ for model in {*_BEFORE, *WITHOUT_NOTE, _FIRST_ONCE}}


class Order:
    """What a command tells as its first event, and what after another event."""

    def __init__(self, sources: Sources) -> None:
        self.first, self.later = set[str](), set[str]()
        self._sources = sources
        self._made: dict[str, ast.AST] = {}
        self._told: set[str] = {told.event for place in sources.nodes for told in sources.told(place)}
        self._done: dict[tuple[Place, bool], bool] = {}

    def follow(self, place: Place, after: bool) -> bool:
        """Follow a function, or a value with functions. `after`: whether an event was told before; return it anew."""
        if (place, after) not in self._done:
            self._done[place, after] = after  # until it is known: a function may call itself
            outer, self._made = self._made, {}
            ends = [self._body(place.module, node, after) for node in self._sources.nodes[place]]
            self._made, self._done[place, after] = outer, any(ends)
        return self._done[place, after]

    def _body(self, module: str, node: ast.AST, after: bool) -> bool:
        if isinstance(node, ast.ClassDef):
            return max(self._body(module, part, after) for part in node.body)
        if not isinstance(node, ast.FunctionDef):
            return self._part(module, node, after)
        self._made |= _assigned(node)
        ends: list[bool] = []
        end = self._block(module, node.body, after, ends)
        return any(ends) or bool(end)

    def _block(self, module: str, body: list[ast.stmt], after: bool, ends: list[bool]) -> bool | None:
        """Follow statements; `ends` gets what holds where the function returns. Return None if it goes no further."""
        for statement in body:
            branches: list[Any] = [getattr(statement, "body", None), getattr(statement, "orelse", None)]
            if isinstance(statement, ast.Match):
                branches = [*(case.body for case in statement.cases), []]
            for head in ast.iter_child_nodes(statement):
                if isinstance(head, ast.expr | ast.withitem):
                    after = self._part(module, head, after)
            if isinstance(statement, ast.Return | ast.Raise):
                ends += [after] if isinstance(statement, ast.Return) else []
                return None
            if isinstance(statement, ast.If | ast.Match):
                went = [self._block(module, branch or [], after, ends) for branch in branches]
                if all(end is None for end in went):
                    return None
                after = any(went)
            elif branches[0] is not None:  # a loop, whose second round comes after its first; or a block of try or with
                for _ in range(1 + isinstance(statement, ast.For | ast.While)):
                    after = self._block(module, branches[0], after, ends) or after
        return after

    def _part(self, module: str, node: ast.AST, after: bool) -> bool:
        """Follow an expression in the order in which it is evaluated."""
        if isinstance(node, ast.Dict | ast.IfExp):  # one of several
            return max((self._part(module, part, after) for part in ast.iter_child_nodes(node)), default=after)
        parts = list(ast.iter_child_nodes(node))
        for part in parts[1:] + parts[:1] if isinstance(node, ast.Call) else parts:
            after = self._part(module, part, after)
        if isinstance(node, ast.Call):
            events = list(self._sources._events_in(module, node, self._made))
        else:
            full = self._sources._place(module, node) or ""
            home, _, name = full.rpartition(".")
            events = [name] if home == EVENTS and name in NAMES and name not in self._told else []
            if Place(home, name) in self._sources.nodes and home != Draft.__module__:
                went = self.follow(Place(home, name), after)
                after = after if name == "tick_threat" else went  # what an emptied threat ends goes before a roll
        for event in events:
            (self.later if after else self.first).add(event)
        return after or any(event not in BEFORE for event in events)


def beginnings() -> list[str]:
    """Return the types of the events at which an action begins, sorted."""
    order = Order(Sources())
    for decide in _DECIDERS.values():
        order.follow(Place(str(decide.__module__), decide.__name__), after=False)
    for place in order._sources.nodes:
        if place.name in ("EFFECTS", "apply_effects"):
            order.follow(place, after=True)
    rebuilt = {model.__name__ for model in _REBUILD}
    return sorted(NAMES[event] for event in (order.first - order.later) & rebuilt - BEFORE)


def files() -> dict[str, str]:
    """Return the file."""
    before = sorted(NAMES[event] for event in BEFORE)
    text = f"""// Written by scripts/generate_beginnings.py, from the server's core.

/**
 * The types of events that begin an action of the log (what a command did). A command writes them first, or only after
 * events of types in `BEFORE`.
 */
export const BEGINNINGS = new Set({json.dumps(beginnings())});

/** The types of the events that a command may write before an event of a type in `BEGINNINGS`. */
export const BEFORE = new Set({json.dumps(before)});

/** The types of events that do not say what a command did, such as the public record of a secret start. */
export const ANNOUNCING = new Set({json.dumps(sorted(NAMES[model.__name__] for model in WITHOUT_NOTE))});
"""
    return {"server/src/dreadclock_server/pages/js/app/beginnings.js": text}
