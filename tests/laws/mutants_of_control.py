"""Mutants of the control flow's rules: regions, effects, statements, calls, `try`, patterns, comprehensions."""

from __future__ import annotations

from tests.laws.mutant import mutants

_MONITOR = mutants(
    "language.machine",
    ("W: names are not upgraded", "Machine.leave", "names[variable.name] = restrict(names[variable.name], gain)", "pass"),
    ("N: objects are not upgraded", "Machine.leave", "upgrade(region.objects, gain)", "pass"),
    ("unbound names are not doubted", "Machine.leave", "doubts[place.name] = steered(doubts.get(place.name, NOTHING), gain)", "pass"),
    ("the context does not return", "Machine.leave", "self.control = region.before", "pass"),
    ("escape: to loops and calls", "Machine.leave", "self._escape(_targets(region, self.regions), gain)", "pass"),
    ("escape: raise", "Machine.leave", "RAISE in effects.escapes and self._escape_raising(gain)", "False"),
    ("escape: what no try catches", "Machine.leave", "self.halt = steered(self.halt, gain)", "pass"),
    ("halt: raise where no try is", "Machine._escape_raising", "self.halt = self.halt.selects[gain]", "pass"),
    ("try: raise stays in no region", "Machine._escape_raising", "self._escape([self.catching[-1]], gain)", "pass"),
    ("try: the outermost one", "Machine._escape_raising", "self.catching[-1]", "self.catching[0]"),
    ("escape: the target gains nothing", "Machine._escape", "target.gain = steered(target.gain, gain)", "pass"),
    ("escape: regions between return too far", "Machine._escape", "region.before = steered(region.before, gain)", "pass"),
    ("escape: the context is not kept", "Machine._escape", "self.control = steered(self.control, gain)", "pass"),
    ("may raise: operands", "Machine.may_raise", "self._escape_raising(gain)", "pass"),
    ("may stop: the try's region", "Machine.may_stop", "gain is not NOTHING and self._escape_raising(gain)", "False"),
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
    ("a function's variable without a value is not doubted", "Machine.capture", ", *(changed for changed in region.objects if isinstance(changed, Place))", ""),
    ("targets: loops", "_targets", "found.append(each)", "pass"),
    ("targets: calls", "_targets", "return [*found, each] if wants_call else found", "return found"),
    ("targets: another function's loop", "_targets", " and each.frame is region.frame", ""),
    ("spread", "Machine.spread", "upgrade(self.reachable(values), gain)", "pass"),
    ("rule 7: objects", "Machine.spread_everywhere", "self.spread([value for frame in frames for value in frame.names.values()], gain)", "pass"),
    ("rule 7: variables", "Machine.spread_everywhere", "upgrade_name(frame, name, gain)", "pass"),
    ("unbound names are not watched", "Machine.load", "self.may_raise(doubt)", "pass"),
    ("told: control is forgotten", "Machine.raised", "(decided_by, self.control, self.halt)", "(decided_by, self.halt)"),
    ("told: halt is forgotten", "Machine.raised", "(decided_by, self.control, self.halt)", "(decided_by, self.control)"),
    ("told: operands are forgotten", "Machine.raised", "(decided_by, self.control, self.halt)", "(self.control, self.halt)"),
    ("told: secrets are told", "Machine.raised", " and part.readers.names is None and part.steer.names is None", ""),
    ("failures: what decided them", "Machine.failed", "decided_by = construct(*operands)", "decided_by = NOTHING"),
)  # fmt: skip

_EFFECTS = mutants(
    "language.effects",
    ("E: unbound names do not raise", "_Finder.of", "node in self._unsure or ", ""),
    ("E: nothing raises", "_Finder.of", "total = total.escaping(RAISE)", "pass"),
    ("E: break", "_Finder._own", "Effects(escapes=frozenset({BREAK}))", "NO_EFFECTS"),
    ("E: continue", "_Finder._own", "Effects(escapes=frozenset({CONTINUE}))", "NO_EFFECTS"),
    ("E: return", "_Finder._own", "Effects(escapes=frozenset({RETURN}))", "NO_EFFECTS"),
    ("W: assigned names are not found", "_Finder._own", "case _ if bound_name(node) is not None:\n                return Effects(here, here)", "case _ if bound_name(node) is not None:\n                return NO_EFFECTS"),
    ("W: handlers' names", "_Finder._own", " | ast.ExceptHandler()", ""),
    ("W: deleted names", "_Finder._own", "Effects(here, here, deletes=here)", "Effects(here, here)"),
    ("N: read names are not found", "_Finder._own", "return Effects(mentions=here)", "return NO_EFFECTS"),
    ("N: a function's free names, where it is defined", "_Finder._definition", "Effects(frozenset(scope.assigned), frozenset(scope.free))", "NO_EFFECTS"),
    ("E: a loop's else leaves the loop around", "_Finder._inside", "return united([total.without(BREAK, CONTINUE), after])", "return total.without(BREAK, CONTINUE)"),
    ("E: handlers, else and finally", "_Finder._try", ".escaping(*rest.escapes)", ""),
    ("E: any handler takes all", "_Finder._try", "any(catches_all(handler) for handler in node.handlers)", "bool(node.handlers)"),
    ("W: a walrus in a comprehension", "_Finder._inside", "return Effects(seen, total.mentions", "return Effects(frozenset(), total.mentions"),
)  # fmt: skip

_STATEMENTS = mutants(
    "language.statements",
    ("guard of if", "_if", "machine.guard(region, label)", "pass"),
    ("if: no region", "_if", "if label.steers[1] is NOTHING:", "if True:"),
    ("guard of while", "_while", "machine.guard(region, truth_label(test))", "pass"),
)  # fmt: skip

_LOOPS = mutants(
    "language.loops",
    ("guard of a loop: a next element", "guarded_walk", "machine.guard(region, label)", "pass"),
    ("guard of a loop: a next character", "guarded_walk", "            machine.guard(region, walk_label(iterable))\n            yield", "            yield"),
    ("guard of a loop: no next element", "guarded_walk", "    machine.guard(region, walk_label(iterable))\n    region", "    region"),
    ("guard of a loop: a shape that changes meanwhile", "guarded_walk", "raw.shape is not shape", "False"),
    ("loop: what it goes through is not held", "guarded_walk", "region.held.append(iterable)", "region.held.append(Value(None, NOTHING))"),
)  # fmt: skip

_EXPRESSIONS = mutants(
    "language.expressions",
    ("guard of ternary", "_ternary", "machine.guard(region, label)", "pass"),
    ("ternary: no region", "_ternary", "if label.steers[1] is NOTHING:", "if True:"),
    ("ternary: the value is not steered", "_ternary", "restrict(value, gain)", "value"),
    ("guard of and/or", "_and_or", "machine.guard(region, truth_label(value))", "pass"),
    ("and/or: no region", "_and_or", "truth_label(value).steers[1] is not NOTHING", "False"),
    ("and/or: the value is not steered", "_and_or", "restrict(value, gain)", "value"),
    ("chain: links after the first", "_compare", "tested(*(link.label for link in links))", "links[0].label"),
    ("f-string: pieces", "_joined", "construct(*[value.label for value in values])", "NOTHING"),
    ("star in a list: the shape", "_starred", "shape = construct(shape, walk_label(value))", "pass"),
    ("star in a dict: the shape", "_put_all", "made.shape = construct(made.shape, given.label, raw.shape)", "pass"),
    ("star in a dict: may raise", "_put_all", "machine.may_raise(given.label)", "pass"),
    ("a member by its name", "_member_by_name", "pick(machine, found, sequence(listed, NOTHING), label, listed)", "found"),
    ("a member by its name: may raise", "_member_by_name", "machine.may_raise(label)", "pass"),
)  # fmt: skip

_COMPREHENSIONS = mutants(
    "language.comprehensions",
    ("guard of a comprehension's if", "_compile_conditions", "machine.guard(region, truth_label(test))", "pass"),
    ("list comprehension: shape", "compile_list", "made_of(gain)", "NOTHING"),
    ("generator: shape", "compile_generator", "made_of(gain)", "NOTHING"),
    ("set and dict comprehension: shape", "_compile_keyed", "made_of(steered(made.shape, gain))", "made.shape"),
)  # fmt: skip

_FUNCTIONS = mutants(
    "language.functions",
    ("a call's value is not steered", "_call_program", "restrict(value, left)", "value"),
    ("rule 7: the call is no guard", "_call_program", "machine.gain(region, gain)", "pass"),
    ("rule 7: candidates", "call_value", "machine.spread_everywhere(picked)", "pass"),
    ("rule 7: what the call is given", "call_value", "machine.spread([*given.positional, *given.named.values()], gain)", "pass"),
    ("rule 7: a function of the language is no guard", "call_value", "restrict(call_path(machine, raw.name, given), gain)", "call_path(machine, raw.name, given)"),
    ("rule 7: may raise", "call_value", "machine.may_raise(function.label)", "pass"),
    ("star in a call: how many", "_bind", "make(TupleObject(more, given.doubt), NOTHING)", "make(TupleObject(more, NOTHING), NOTHING)"),
    ("star in a call: may raise", "_bind", "machine.may_raise(given.doubt)", "pass"),
    ("star in a call of the language: how many", "call_path", "restrict(result, given.doubt)", "result"),
)  # fmt: skip

_CALLS = mutants(
    "language.calls",
    ("isinstance", "_isinstance", "tested(value.label)", "NOTHING"),
    ("a call's control", "_tool", "machine.site(node), machine.control, machine.halt", "machine.site(node), NOTHING, machine.halt"),
    ("a call's halt", "_tool", "machine.site(node), machine.control, machine.halt", "machine.site(node), machine.control, NOTHING"),
    ("an answer's control", "_answer", "machine.site(node), machine.control", "machine.site(node), NOTHING"),
    ("answer: a piece that is no text", "_shown_now", "text_label(value)", "value.label"),
    ("star in a call: what it steers", "compile_arguments", "doubt = steered(doubt, picking(walk_label(value)))", "pass"),
    ("star in a method: what it steers", "_method", "result if arguments.doubt is NOTHING else _doubted(machine, result, arguments)", "result"),
    ("a member by its value", "_member", "pick(machine, member, sequence(listed, NOTHING), label, listed)", "member"),
    ("a member by its value: may raise", "_member", "machine.may_raise(label)", "pass"),
)  # fmt: skip

_HANDLING = mutants(
    "language.handling",
    ("try: noted too late", "compile_try", "machine.capture(region)", "pass"),
    ("try: does not catch", "_attempt", "machine.catching.append(region)", "pass"),
    ("try: else is caught too", "_attempt", "machine.stop_catching(region)", "pass"),
    ("try: which exception it was", "_handle", "machine.gain(region, steering(decided_by, _KINDS_OF_FAILURE))", "pass"),
    ("try: calls are not waited for", "_attempt", "_ = kept.label", "pass"),
    ("try: what was caught", "_run_handler", "steered(construct(decided_by), machine.control)", "NOTHING"),
    ("try: which was caught", "_run_handler", "steered(construct(decided_by), machine.control)", "construct(decided_by)"),
    ("raise: control", "_raised", "construct(machine.control, *decided_by)", "construct(*decided_by)"),
    ("raise: which exception", "_raised", "construct(machine.control, *decided_by)", "construct(machine.control)"),
    ("raise: may raise otherwise", "_caught", "machine.may_raise(raw_value.label)", "pass"),
    ("raise again: what decided it", "again", "decided_by=cause.decided_by", "decided_by=construct()"),
    ("assert: may raise", "compile_assert", "machine.may_raise(decided_by)", "pass"),
    ("assert: what decided it", "compile_assert", "decided_by=construct(decided_by)", "decided_by=construct()"),
)  # fmt: skip

_MATCHING = mutants(
    "language.matching",
    ("guard of a pattern", "compile_match", "machine.guard(region, found.decided_by)", "pass"),
    ("guard of a case's if", "compile_match", "machine.guard(region, truth_label(test))", "pass"),
    ("match: the subject is not held", "compile_match", "region.held.append(value)", "pass"),
    ("pattern of a value", "_equal", "answer.label", "NOTHING"),
    ("or-pattern", "_any", "decided_by = construct(decided_by, found.decided_by)", "pass"),
    ("parts of a pattern", "_all", "decided_by = tested(decided_by, found.decided_by)", "pass"),
    ("pattern of a sequence: the reference", "_sequence", "tested(value.label, shape_of(value))", "tested(shape_of(value))"),
    ("pattern of a sequence: the shape", "_sequence", "tested(value.label, shape_of(value))", "tested(value.label)"),
    ("pattern of a sequence: elements", "_sequence", "read(item, value) for item", "item for item"),
    ("pattern of a sequence: the rest", "_sequence", "construct(walk_label(value))", "NOTHING"),
    ("pattern of a mapping: the shape", "_mapping", "tested(value.label, shape_of(value))", "NOTHING"),
    ("pattern of a mapping: the rest", "_without", "DictObject(construct(walk_label(value), *map(key_label, keys)))", "DictObject(NOTHING)"),
    ("pattern of a mapping: elements of the rest", "_without", "read(entry.value, value)", "entry.value"),
    ("pattern of a class: the kind", "_plain", "tested(value.label)", "NOTHING"),
    ("pattern of a record: the kind", "_record", "tested(value.label)", "NOTHING"),
)  # fmt: skip

_TARGETS = mutants(
    "language.targets",
    ("unpacking: may raise", "_parts", "machine.may_raise(label)", "pass"),
    ("unpacking: what a star takes", "_parts", "construct(label)", "NOTHING"),
)  # fmt: skip

_SLICES = mutants(
    "language.slices",
    ("slice written: may raise", "write_slice", "machine.may_raise(*labels)", "pass"),
    ("slice written: candidates", "write_slice", "mingle(machine, container, coming)", "pass"),
    ("slice written: what comes in", "coming_list", "walk_label(value)", "NOTHING"),
    ("slice written: its end", "_after", "upper.label, ", ""),
    ("slice written: its start", "_after", "[lower.label]", "[]"),
)  # fmt: skip

_ATTRIBUTES = mutants(
    "language.attributes",
    ("a member's value: which member", "read_attribute", "restrict(raw.value, picking(owner.label))", "raw.value"),
    ("a member's name: which member", "read_attribute", "restrict(make(raw.name, LITERAL), picking(owner.label))", "make(raw.name, LITERAL)"),
    ("an exception's arguments: which exception", "read_attribute", "restrict(each, picking(owner.label))", "each"),
)  # fmt: skip

_BINDING = mutants(
    "language.binding",
    ("unsure: free names", "_Finder._read", "variable.depth or ", ""),
    ("unsure: what a try's body bound", "_Finder._try", "at_worst = bound - frozenset().union(*map(self._deleted, node.body))", "at_worst = self.block(node.body, bound) or bound"),
    ("unsure: what a handler took away", "_Finder._try", "end - own", "end"),
    ("unsure: deleted names", "_Finder._statement", "bound - frozenset().union(*map(self._deleted, targets))", "bound"),
    ("unsure: a loop's body may not run", "_Finder._loop", "        self.block(node.body, inside)\n", "        bound = self.block(node.body, inside) or bound\n"),
)  # fmt: skip

OF_CONTROL = (
    *_MONITOR, *_EFFECTS, *_STATEMENTS, *_LOOPS, *_EXPRESSIONS, *_COMPREHENSIONS, *_FUNCTIONS, *_CALLS, *_HANDLING, *_MATCHING, *_TARGETS,
    *_SLICES, *_ATTRIBUTES, *_BINDING,
)  # fmt: skip
