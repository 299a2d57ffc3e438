"""Mutants of the control flow's rules: regions, escapes, effects, and when what may change is noted."""

from __future__ import annotations

from tests.laws.mutant import mutants

_MONITOR = mutants(
    "language.machine",
    ("W: names are not upgraded", "Machine.leave", "names[variable.name] = restrict(names[variable.name], gain)", "pass"),
    ("N: objects are not upgraded", "Machine.leave", "upgrade(region.objects, gain)", "pass"),
    ("unbound names are not doubted", "Machine.leave", "doubts[place.name] = steered(doubts.get(place.name, NOTHING), gain)", "pass"),
    ("escape: to loops and calls", "Machine.leave", "self._escape(_targets(region, self.regions), gain)", "pass"),
    ("escape: raise", "Machine.leave", "RAISE in effects.escapes and self.risk(gain)", "False"),
    ("escape: what no try catches", "Machine.leave", "self.halt = steered(self.halt, gain)", "pass"),
    ("escape: the target gains nothing", "Machine._escape", "target.gain = steered(target.gain, gain)", "pass"),
    ("escape: regions between return too far", "Machine._escape", "region.before = steered(region.before, gain)", "pass"),
    ("escape: the context is not kept", "Machine._escape", "self.control = steered(self.control, gain)", "pass"),
    ("halt: raise where no try is", "Machine.risk", "self.halt = self.halt.selects[gain]", "pass"),
    ("try: raise stays in no region", "Machine.risk", "self._escape([self.catching[-1]], gain)", "pass"),
    ("places: what a picked function's variable is assigned", "Machine.store", "restrict(value, frame.shared.get(name, NOTHING))", "value"),
    ("places: what is under what it is assigned", "Machine.store", "self.spread([value], frame.reached.get(name, NOTHING))", "pass"),
    ("places: variables of functions defined in a region", "Machine.capture", "[*self.reachable(values), *captured]", "self.reachable(values)"),
    ("may raise: operands", "Machine.may_raise", "self.risk(gain)", "pass"),
    ("may stop: the try's region", "Machine.may_stop", "gain is not NOTHING and self.risk(gain)", "False"),
    ("may stop: halt inside a try", "Machine.may_stop", "self.halt = steered(self.halt, gain)", "pass"),
    ("guards do not raise control", "Machine.gain", "self.control = self.control.selects[gain]", "pass"),
    ("guards do not raise the region's gain", "Machine.gain", "region.gain = region.gain.selects[gain]", "pass"),
    ("N: noted too late", "Machine.gain", "self.capture(region)", "pass"),
    ("N: what the targets of an escape reach is not noted", "Machine.capture", "self.capture(target)", "pass"),
    ("N: what a loop goes through is not seen", "Machine.capture", "for iterable in each.held", "for iterable in ()"),
    ("N: names are not seen", "Machine.capture", "values.append(names[variable.name])", "pass"),
    ("a doubted name stays unbound quietly", "Machine.capture", " or place.name in place.frame.doubts", ""),
    ("a deleted name is not doubted", "Machine.capture", " or place in deleted", ""),
    ("a name without a value is not doubted", "Machine.capture", "place.name not in place.frame.names or ", ""),
    ("a function's variable without a value is not doubted", "Machine.capture", "[*written, *assigned]", "written"),
    ("targets: loops", "_targets", "found.append(each)", "pass"),
    ("targets: calls", "_targets", "return [*found, each] if wants_call else found", "return found"),
    ("targets: another function's loop", "_targets", " and each.frame is region.frame", ""),
    ("values: what leaves a region", "Machine.leave_with", "return restrict(value, region.gain)", "return value"),
    ("shapes: what a region made", "Machine.leave_made", "upgrade_shape(made, region.gain)", "pass"),
    ("told: what may be trusted and is not public", "Machine.raised", "part.is_trusted and ", ""),
    ("spread", "Machine.spread", "upgrade(self.reachable(values), gain)", "pass"),
    ("unbound names are not watched", "Machine.load", "self.may_raise(doubt)", "pass"),
    ("told: control is forgotten", "Machine.raised", "(decided_by, self.control, self.halt)", "(decided_by, self.halt)"),
    ("told: halt is forgotten", "Machine.raised", "(decided_by, self.control, self.halt)", "(decided_by, self.control)"),
    ("told: operands are forgotten", "Machine.raised", "(decided_by, self.control, self.halt)", "(self.control, self.halt)"),
    ("told: secrets are told", "Machine.raised", " and part.readers.names is None and part.steer.names is None", ""),
    ("failures: what decided them", "Machine.failed", "decided_by = construct(*operands)", "decided_by = NOTHING"),
)  # fmt: skip

_EFFECTS = mutants(
    "language.reading.effects",
    ("E: unbound names do not raise", "_Finder.of", "node in self._unsure or ", ""),
    ("E: nothing raises", "_Finder.of", "total = total.escaping(RAISE)", "pass"),
    ("E: break", "_Finder._own", "Effects(escapes=frozenset({BREAK}))", "NO_EFFECTS"),
    ("E: continue", "_Finder._own", "Effects(escapes=frozenset({CONTINUE}))", "NO_EFFECTS"),
    ("E: return", "_Finder._own", "Effects(escapes=frozenset({RETURN}))", "NO_EFFECTS"),
    ("W: assigned names are not found", "_Finder._own", "case _ if bound_name(node) is not None:\n                return Effects(here, here)", "case _ if bound_name(node) is not None:\n                return NO_EFFECTS"),
    ("W: handlers' names", "_Finder._own", " | ast.ExceptHandler()", ""),
    ("W: deleted names", "_Finder._own", "Effects(here, here, deletes=here)", "Effects(here, here)"),
    ("N: read names are not found", "_Finder._own", "return Effects(mentions=here)", "return NO_EFFECTS"),
    ("N: a function's free names, where it is defined", "_Finder._definition", "Effects(frozenset(scope.assigned), frozenset(scope.free), captures=frozenset(scope.free))", "NO_EFFECTS"),
    ("N: variables of functions defined there", "_Finder._definition", ", captures=frozenset(scope.free)", ""),
    ("E: a loop's else leaves the loop around", "_Finder._inside", "return united([total.without(BREAK, CONTINUE), after])", "return total.without(BREAK, CONTINUE)"),
    ("E: handlers, else and finally", "_Finder._try", ".escaping(*rest.escapes)", ""),
    ("E: any handler takes all", "_Finder._try", "any(catches_all(handler) for handler in node.handlers)", "bool(node.handlers)"),
    ("W: a walrus in a comprehension", "_Finder._inside", "replace(total, writes=seen)", "replace(total, writes=frozenset())"),
)  # fmt: skip

_STATEMENTS = mutants(
    "language.running.statements",
    ("if: no region", "_if", "if label.guards is NOTHING:", "if True:"),
)  # fmt: skip

_EXPRESSIONS = mutants(
    "language.running.expressions",
    ("ternary: no region", "_ternary", "if label.guards is NOTHING:", "if True:"),
    ("and/or: no region", "_and_or", "truth_label(value).guards is not NOTHING", "False"),
)  # fmt: skip

_HANDLING = mutants(
    "language.running.handling",
    ("try: does not catch", "_attempt", "machine.catching.append(region)", "pass"),
    ("raise again: what decided it", "again", "decided_by=cause.decided_by", "decided_by=construct()"),
)  # fmt: skip

_BINDING = mutants(
    "language.reading.binding",
    ("unsure: free names", "_Finder._read_name", "variable.depth or ", ""),
    ("unsure: what a try's body bound", "_Finder._try", "at_worst = bound - frozenset().union(*map(self._deleted, node.body))", "at_worst = self.block(node.body, bound) or bound"),
    ("unsure: what a handler took away", "_Finder._try", "end - own", "end"),
    ("unsure: deleted names", "_Finder._statement", "bound - frozenset().union(*map(self._deleted, targets))", "bound"),
    ("unsure: a loop's body may not run", "_Finder._loop", "        self.block(node.body, inside)\n", "        bound = self.block(node.body, inside) or bound\n"),
)  # fmt: skip

_LOOPS = mutants(
    "language.running.loops",
    ("guard of a loop: a shape that changes meanwhile", "_followed", "raw.shape is not shape", "shape is None"),
    ("loop: what it goes through is not held", "guarded_walk", "region.held = (*held, iterable)", "pass"),
)  # fmt: skip

_PATTERNS = mutants(
    "language.running.matching",
    ("match: the subject is not held", "compile_match", "region.held = (value,)", "pass"),
)  # fmt: skip

_SLOTS = mutants(
    "language.reading.slots",
    ("slots: what a region gained is not kept", "Slots.steer", "steered(self.gained(slot), gain)", "self.gained(slot)"),
    ("slots: what functions may set is not known", "Slots.steer", "(self._called if may_call else ())", "()"),
)  # fmt: skip

OF_CONTROL = (*_MONITOR, *_EFFECTS, *_BINDING, *_STATEMENTS, *_LOOPS, *_EXPRESSIONS, *_PATTERNS, *_HANDLING, *_SLOTS)
