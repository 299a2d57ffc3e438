"""The mutants: what each switches off, as words of one function and what stands in their place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """In `function` of `armslength.<module>`, `old` (which must be there once) becomes `new`."""

    name: str
    module: str
    function: str
    old: str
    new: str


def _mutants(module: str, *rows: tuple[str, str, str, str]) -> tuple[Mutant, ...]:
    return tuple(Mutant(name, module, function, old, new) for name, function, old, new in rows)


_LABELS = _mutants(
    "labels",
    ("saturated choice stays choice", "label", "data = data | choice", "data = data"),
    ("construct: data of the first", "_construct_two", "a.data | b.data", "b.data"),
    ("construct: data of the second", "_construct_two", "a.data | b.data", "a.data"),
    ("construct: choice of the first", "_construct_two", "a.choice | b.choice", "b.choice"),
    ("construct: choice of the second", "_construct_two", "a.choice | b.choice", "a.choice"),
    ("construct: bits are not added", "_construct_two", "a.bits + b.bits", "max(a.bits, b.bits)"),
    ("construct: readers of the second", "_construct_two", "a.readers.intersect(b.readers)", "a.readers"),
    ("construct: steer of the second", "_construct_two", "a.steer.intersect(b.steer)", "a.steer"),
    ("construct: stays intact", "_construct_two", "intact=False", "intact=b.intact"),
    ("steering: data steers nothing", "_steering", "choice=a.data | a.choice", "choice=a.choice"),
    ("steering: choice steers nothing", "_steering", "choice=a.data | a.choice", "choice=a.data"),
    ("steering: no bits", "_steering", "0 if a.is_trusted else bits", "0"),
    ("steering: readers do not steer", "_steering", "steer=a.readers.intersect(a.steer)", "steer=a.steer"),
    ("steering: steer does not steer", "_steering", "steer=a.readers.intersect(a.steer)", "steer=a.readers"),
    ("steering: trusted secrets steer nothing", "_steering", "a.is_trusted and a.readers.names is None and a.steer.names is None", "a.is_trusted"),
    ("picking: untrusted data has few bits", "picking", "a.bits if a.is_chosen else SATURATED", "a.bits"),
    ("steered: choice of the gain", "_steered", "a.choice | gain.choice", "a.choice"),
    ("steered: bits of the gain", "_steered", "a.bits + gain.bits", "a.bits"),
    ("steered: steer of the gain", "_steered", "a.steer.intersect(gain.steer)", "a.steer"),
    ("join: choice of the second", "_join", "a.choice | b.choice", "a.choice"),
    ("join: bits of the second", "_join", "max(a.bits, b.bits)", "a.bits"),
    ("join: steer of the second", "_join", "a.steer.intersect(b.steer)", "a.steer"),
    ("tested: the first operand", "_test_two", ".joins[a.steers[1]]", ""),
    ("tested: the second operand", "_test_two", ".joins[b.steers[1]]", ""),
    ("tested: more than two operands", "tested", "result.joins[operand.tests[operand]]", "result"),
    ("bits_for: a bit less", "bits_for", "(count - 1).bit_length()", "(count - 1).bit_length() - 1"),
)  # fmt: skip

_MONITOR = _mutants(
    "language.machine",
    ("W: names are not upgraded", "Machine._join", "restrict(self.names[name], gain)", "self.names[name]"),
    ("N: objects are not upgraded", "Machine._join", "upgrade(region.objects, gain)", "pass"),
    ("N: what a loop goes through is not seen", "Machine._capture", "for iterable in each.held", "for iterable in ()"),
    ("N: noted while an expression holds values", "Machine._gaining", "[innermost] if isinstance(innermost.node, ast.expr) else self._regions", "self._regions"),
    ("N: noted too late", "Machine.guard", "self._capture(region)", "pass"),
    ("unbound names are not doubted", "Machine._join", "steered(self.maybe_unbound.get(name, NOTHING), gain)", "NOTHING"),
    ("unbound names are not watched", "Machine.load", "self.may_raise(doubt)", "pass"),
    ("a doubted name stays unbound quietly", "Machine._capture", " or name in self.maybe_unbound", ""),
    ("escape: break", "Machine._join", "{BREAK, CONTINUE}", "{CONTINUE}"),
    ("escape: continue", "Machine._join", "{BREAK, CONTINUE}", "{BREAK}"),
    ("halt: raise in a region", "Machine._join", "self.halt = steered(self.halt, gain)", "pass"),
    ("halt: an operation that may raise", "Machine.may_raise", "steered(self.halt, steering(operand, 1))", "self.halt"),
    ("guards do not raise control", "Machine._raise_control", "self.control = steered(self.control, gain)", "pass"),
    ("guards do not raise the region's gain", "Machine._raise_control", "self._regions[-1].gain = steered(self._regions[-1].gain, gain)", "pass"),
    ("told: control is forgotten", "Machine.failed", "all(part.is_trusted for part in (*operands, self.control, self.halt))", "all(part.is_trusted for part in (*operands, self.halt))"),
    ("told: halt is forgotten", "Machine.failed", "all(part.is_trusted for part in (*operands, self.control, self.halt))", "all(part.is_trusted for part in (*operands, self.control))"),
    ("told: secrets are told", "Machine.failed", "part.readers.names is None and part.steer.names is None", "True"),
)  # fmt: skip

_STATIC = _mutants(
    "language.static",
    ("E: unbound names do not raise", "_compute", "node in unsure or ", ""),
    ("E: nothing raises", "_compute", "if node in unsure or not _cannot_raise(node):", "if False:"),
    ("E: break", "_compute", "total.escapes | {BREAK}", "total.escapes"),
    ("E: continue", "_compute", "total.escapes | {CONTINUE}", "total.escapes"),
    ("W: assigned names are not found", "_compute", "total.writes | {name}", "total.writes"),
    ("N: read names are not found", "_compute", "Effects(total.writes, total.mentions | {name}, total.escapes)", "total"),
)  # fmt: skip

_STATEMENTS = _mutants(
    "language.statements",
    ("guard of if", "_if", "machine.guard(truth_label(test))", "pass"),
    ("guard of for: a next element", "_for", "                machine.guard(walk_label(iterable))\n                assign", "                assign"),
    ("guard of for: no next element", "_for", "                _pass(machine, node.body)\n            machine.guard(walk_label(iterable))", "                _pass(machine, node.body)"),
)  # fmt: skip

_EXPRESSIONS = _mutants(
    "language.expressions",
    ("guard of ternary", "_ternary", "machine.guard(truth_label(test))", "pass"),
    ("ternary: the value is not steered", "_ternary", "restrict(value, region.gain)", "value"),
    ("guard of and/or", "_and_or", "machine.guard(truth_label(value))", "pass"),
    ("and/or: the value is not steered", "_and_or", "restrict(value, region.gain)", "value"),
    ("guard of a comprehension's if", "_passes", "machine.guard(truth_label(test))", "pass"),
    ("guard of a comprehension: a next element", "_loops", "        machine.guard(walk_label(iterable))\n        assign", "        assign"),
    ("guard of a comprehension: no next element", "_loops", "            yield\n    machine.guard(walk_label(iterable))", "            yield"),
    ("list comprehension: shape", "_list_comprehension", "made_of(region.gain)", "NOTHING"),
    ("set comprehension: shape", "_set_comprehension", "made_of(steered(made.shape, region.gain))", "made.shape"),
    ("dict comprehension: shape", "_dict_comprehension", "made_of(steered(made.shape, region.gain))", "made.shape"),
    ("chain: links after the first", "_compare", "tested(*(link.label for link in links))", "links[0].label"),
    ("f-string: pieces", "_joined", "construct(*(piece.label for piece in pieces))", "NOTHING"),
    ("isinstance", "_isinstance", "tested(subject.label)", "NOTHING"),
    ("a call's control", "_call_tool", "machine.site(node), machine.control, machine.halt", "machine.site(node), NOTHING, machine.halt"),
    ("a call's halt", "_call_tool", "machine.site(node), machine.control, machine.halt", "machine.site(node), machine.control, NOTHING"),
    ("an answer's control", "_answer", "machine.site(node), machine.control", "machine.site(node), NOTHING"),
    ("answer: a piece that is no text", "_shown", "text_label(value)", "value.label"),
    ("quarantined may raise", "_quarantined", "machine.may_raise(*(part for value in (*args[:1], *data) for part in parts(value)))", "pass"),
)  # fmt: skip

_ELEMENTS = _mutants(
    "language.elements",
    ("reading: the reference", "_reading", "picking(container.label)", "NOTHING"),
    ("reading: the shape", "_reading", "picking(shape_of(container))", "NOTHING"),
    ("picking: the key", "pick", "steering(key, bits_for(len(candidates)))", "NOTHING"),
    ("picking: candidates (rule 6)", "pick", "machine.spread(candidates, gain)", "pass"),
    ("picking: the element", "pick", "restrict(element, gain)", "element"),
    ("read: the element", "read", "restrict(element, _reading(container))", "element"),
    ("field: the reference", "read_field", "picking(record.label)", "NOTHING"),
    ("field: may raise", "read_field", "machine.may_raise(record.label)", "pass"),
    ("mingling (rule 6)", "mingle", "machine.spread([*children(raw), *coming], gain)", "pass"),
    ("mingling: what comes in", "mingle", "[*children(raw), *coming]", "[*children(raw)]"),
    ("mingling: what is there", "mingle", "[*children(raw), *coming]", "[*coming]"),
    ("key: a tuple's parts", "key_label", "construct(*parts(key)) if isinstance(unwrap(key), TupleObject) else key.label", "key.label"),
    ("key: may raise", "hashable", "machine.may_raise(label)", "pass"),
    ("character: the text", "read_item", "construct(container.label, by)", "construct(by)"),
    ("character: the place", "read_item", "construct(container.label, by)", "construct(container.label)"),
    ("read: may raise", "read_item", "machine.may_raise(*operands)", "pass"),
    ("slice of text: bounds", "slice_item", "make(text, construct(*labels))", "make(text, construct(container.label))"),
    ("slice of text: the text", "slice_item", "make(text, construct(*labels))", "make(text, construct(*labels[1:]))"),
    ("slice of a list: bounds", "slice_item", "made_of(steered(construct(container.label, raw.shape), gain))", "construct(container.label, raw.shape)"),
    ("slice of a list: reference", "slice_item", "construct(container.label, raw.shape)", "construct(raw.shape)"),
    ("slice of a list: shape", "slice_item", "construct(container.label, raw.shape)", "construct(container.label)"),
    ("slice of a list: candidates", "slice_item", "mingle(machine, container, (), gain)", "pass"),
    ("slice: may raise", "slice_item", "machine.may_raise(shape_of(container), *labels)", "pass"),
    ("slice: bits of a step", "_cut", "2 * size + 2", "size + 1"),
    ("write: candidates through a reference", "write_item", "mingle(machine, container, [value])", "pass"),
    ("write: may raise", "write_item", "machine.may_raise(*operands)", "pass"),
    ("keyed write: the shape", "_note_write", "upgrade([target], gain)", "pass"),
    ("keyed write: candidates", "_note_write", "machine.spread([*candidates, value], gain)", "pass"),
    ("set: a new member's data", "add", "target.shape = construct(target.shape, key_data(member))", "pass"),
    ("walk: elements of a list", "walk", "read(raw.items[position], iterable)", "raw.items[position]"),
    ("walk: characters", "walk", "construct(iterable.label)", "NOTHING"),
    ("walk: keys", "walk", "read(entry.key, iterable)", "entry.key"),
    ("walk: members", "walk", "read(member, iterable)", "member"),
    ("size: the reference", "walk_label", "construct(iterable.label, shape_of(iterable))", "construct(shape_of(iterable))"),
    ("size: the shape", "walk_label", "construct(iterable.label, shape_of(iterable))", "construct(iterable.label)"),
)  # fmt: skip

_OPERATORS = _mutants(
    "language.operators",
    ("arithmetic: left", "binary", "label = construct(left.label, right.label)", "label = construct(right.label)"),
    ("arithmetic: right", "binary", "label = construct(left.label, right.label)", "label = construct(left.label)"),
    ("arithmetic: may raise", "binary", "machine.may_raise(left.label, right.label)", "pass"),
    ("list +: shapes", "_concatenate", "construct(left.label, right.label, shape_of(left), shape_of(right))", "construct(left.label, right.label)"),
    ("list +: references", "_concatenate", "construct(left.label, right.label, shape_of(left), shape_of(right))", "construct(shape_of(left), shape_of(right))"),
    ("tuple +: shapes", "_concatenate", "construct(left.label, a.shape, right.label, b.shape)", "construct(left.label, right.label)"),
    ("list *: the number", "_repeat_items", "construct(repeated.label, shape_of(repeated), number.label)", "construct(repeated.label, shape_of(repeated))"),
    ("list *: the shape", "_repeat_items", "construct(repeated.label, shape_of(repeated), number.label)", "construct(repeated.label, number.label)"),
    ("list *: candidates", "_repeat_items", "machine.spread(items, steering(number.label, 1))", "pass"),
    ("- and +: the operand", "unary", "construct(operand.label)", "NOTHING"),
    ("- and +: may raise", "unary", "machine.may_raise(operand.label)", "pass"),
    ("truth: the reference", "truth_label", "tested(value.label, shape_of(value))", "tested(shape_of(value))"),
    ("truth: the shape", "truth_label", "tested(value.label, shape_of(value))", "tested(value.label)"),
    ("comparison: left", "compare", "compared = [*parts(left), *parts(right)]", "compared = [*parts(right)]"),
    ("comparison: right", "compare", "compared = [*parts(left), *parts(right)]", "compared = [*parts(left)]"),
    ("comparison: elements", "compare", "compared = [*parts(left), *parts(right)]", "compared = [left.label, shape_of(left), right.label, shape_of(right)]"),
    ("comparison: may raise", "compare", "machine.may_raise(label)", "pass"),
    ("text: elements", "text_label", "construct(*parts(value))", "construct(value.label, shape_of(value))"),
    ("text: all", "text_label", "construct(*parts(value))", "construct()"),
)  # fmt: skip

_ORDERING = _mutants(
    "language.ordering",
    ("sorting: what was compared", "arranged", "gain = compared(items)", "gain = NOTHING"),
    ("sorting: reverse", "arranged", "gain = steered(gain, steering(reverse.label, 1))", "pass"),
    ("sorting: may raise", "arranged", "machine.may_raise(*(text_label(item) for item in items))", "pass"),
    ("sorting: elements compared by their own label", "compared", "steering(text_label(item), bits)", "steering(item.label, bits)"),
    ("comparing: all but the last", "compared", "gain = join(gain, steering", "gain = join(NOTHING, steering"),
)  # fmt: skip

_FORMATTING = _mutants(
    "language.formatting",
    ("format: the value", "formatted", "label = construct(text_label(value))", "label = construct()"),
    ("format: elements", "formatted", "label = construct(text_label(value))", "label = construct(value.label)"),
    ("format: may raise", "formatted", "machine.may_raise(label)", "pass"),
)  # fmt: skip

_BUILTINS = _mutants(
    "language.builtins",
    ("builtins may raise", "call_builtin", "machine.may_raise(*(value.label for value in (*args, *named.values())))", "pass"),
    ("len: the size", "_len", "walk_label(args[0])", "NOTHING"),
    ("str: the value", "_str", "text_label(args[0])", "NOTHING"),
    ("int: the value", "_int", "label = construct(*(value.label for value in args))", "label = construct()"),
    ("float: the value", "_float", "label = construct(*(value.label for value in args))", "label = construct()"),
    ("bool: the reference", "_bool", "tested(args[0].label, shape_of(args[0]))", "tested(shape_of(args[0]))"),
    ("bool: the shape", "_bool", "tested(args[0].label, shape_of(args[0]))", "tested(args[0].label)"),
    ("list: the shape", "_list", "sequence(walk_all(machine, args[0]), walk_label(args[0]))", "sequence(walk_all(machine, args[0]), NOTHING)"),
    ("tuple: the shape", "_tuple", "TupleObject(walk_all(machine, args[0]), walk_label(args[0]))", "TupleObject(walk_all(machine, args[0]), NOTHING)"),
    ("set: the shape", "_set", "walk_label(args[0]) if args else NOTHING", "NOTHING"),
    ("dict: the shape of pairs", "_dict", "made.shape = walk_label(args[0])", "pass"),
    ("sorted: the shape", "_sorted", "sequence(items, walk_label(args[0]))", "sequence(items, NOTHING)"),
    ("sorted: candidates", "_sorted", "machine.spread(items, gain)", "pass"),
    ("min/max: what was compared", "_extreme", "join(compared(candidates), steering(shape, 1))", "steering(shape, 1)"),
    ("min/max: whether there is one", "_extreme", "join(compared(candidates), steering(shape, 1))", "compared(candidates)"),
    ("min/max: candidates", "_extreme", "machine.spread(candidates, gain)\n        return restrict(items[chosen], gain)", "return restrict(items[chosen], gain)"),
    ("min/max: may raise on elements", "_extreme", "machine.may_raise(*map(text_label, items))", "pass"),
    ("sum: the shape", "_sum", "construct(total.label, walk_label(args[0]))", "construct(total.label)"),
    ("sum: candidates", "_sum", "mingle(machine, args[0], [total])", "pass"),
    ("any/all: the shape", "_any_all", "tested(walk_label(args[0]), ", "tested("),
    ("any/all: the elements", "_any_all", "*(part for item in items for part in (item.label, shape_of(item)))", ""),
    ("enumerate: the shape", "_enumerate", "sequence(pairs, shape)", "sequence(pairs, NOTHING)"),
    ("enumerate: the index", "_enumerate", "counted = construct(shape, start.label)", "counted = construct(shape)"),
    ("zip: the shapes", "_zip", "construct(*map(walk_label, args))", "NOTHING"),
    ("zip: candidates", "_zip", "machine.spread([item for column in columns for item in column], gain)", "pass"),
    ("range: the items", "_range", "[make(number, label) for number in listed]", "[make(number, NOTHING) for number in listed]"),
    ("range: the shape", "_range", "for number in listed], label)", "for number in listed], NOTHING)"),
    ("range: is intact", "_range", "label = construct(*(bound.label for bound in args))", "label = args[0].label"),
    ("round: the value", "_round", "construct(args[0].label, places.label)", "construct(places.label)"),
    ("round: the places", "_round", "construct(args[0].label, places.label)", "construct(args[0].label)"),
    ("abs: the value", "_abs", "construct(args[0].label)", "NOTHING"),
)  # fmt: skip

_METHODS = _mutants(
    "language.methods",
    ("methods may raise", "call_method", "machine.may_raise(owner.label, *(value.label for value in (*args, *named.values())))", "pass"),
    ("text arguments may raise", "_call_text", "machine.may_raise(*map(text_label, (*args, *named.values())))", "pass"),
    ("text to text: the text", "_text_to_text", "(owner, *args, *named.values())", "(*args, *named.values())"),
    ("text to text: the arguments", "_text_to_text", "(owner, *args, *named.values())", "(owner,)"),
    ("text to bool: the text", "_text_to_bool", "tested(*map(text_label, (owner, *args, *named.values())))", "tested(*map(text_label, args))"),
    ("text to bool: the arguments", "_text_to_bool", "tested(*map(text_label, (owner, *args, *named.values())))", "tested(text_label(owner))"),
    ("text to list: the text", "_text_to_list", "label = construct(*map(text_label, (owner, *args, *named.values())))", "label = construct(*map(text_label, args))"),
    ("text to list: the arguments", "_text_to_list", "label = construct(*map(text_label, (owner, *args, *named.values())))", "label = construct(owner.label)"),
    ("split: the shape", "_text_to_list", "sequence(items, label)", "sequence(items, NOTHING)"),
    ("partition: the pieces", "_text_to_list", "[make(piece, label) for", "[make(piece, NOTHING) for"),
    ("join: the separator", "_join", "[owner.label, args[0].label, ", "[args[0].label, "),
    ("join: the shape", "_join", "shape_of(args[0]), *(", "*("),
    ("join: the pieces", "_join", ", *(piece.label for piece in pieces)]", "]"),
    ("append: candidates", "_append", "mingle(machine, owner, [item])", "pass"),
    ("extend: the shape", "_extend", "construct(target.shape, source.label, shape_of(source))", "target.shape"),
    ("extend: candidates", "_extend", "mingle(machine, owner, items)", "pass"),
    ("insert: the shape", "_insert", "upgrade([target], gain)", "pass"),
    ("insert: candidates", "_insert", "mingle(machine, owner, [args[1]], gain)", "pass"),
    ("pop: the shape", "_pop", "upgrade([target], steering(key.label, len(target.items).bit_length()))", "pass"),
    ("pop of a dict: the shape", "_pop_key", "upgrade([raw], steering(key_label(key), len(raw.entries).bit_length()))", "pass"),
    ("index: the list", "_index", "construct(text_label(owner), text_label(wanted))", "construct(text_label(wanted))"),
    ("index: the wanted", "_index", "construct(text_label(owner), text_label(wanted))", "construct(text_label(owner))"),
    ("index: may raise", "_index", "machine.may_raise(label)", "pass"),
    ("count: the list", "_count", "construct(text_label(owner), text_label(wanted))", "construct(text_label(wanted))"),
    ("count: the wanted", "_count", "construct(text_label(owner), text_label(wanted))", "construct(text_label(owner))"),
    ("copy: the shape", "_copy", "construct(owner.label, shape_of(owner))", "NOTHING"),
    ("copy of a dict: the shape", "copy_dict", "construct(owner.label, raw.shape)", "NOTHING"),
    ("sort: candidates", "_sort", "machine.spread(target.items, gain)", "pass"),
    ("get: the key", "_get", "by_key = steering(key_label(key), len(candidates).bit_length())", "by_key = NOTHING"),
    ("get: the shape", "_get", "steering(construct(owner.label, raw.shape), 1)", "NOTHING"),
    ("get: candidates", "_get", "machine.spread(candidates, gain)", "pass"),
    ("keys: the shape", "_keys", "construct(owner.label, shape_of(owner))", "NOTHING"),
    ("values: the shape", "_values", "construct(owner.label, shape_of(owner))", "NOTHING"),
    ("items: the shape", "_items", "construct(owner.label, shape_of(owner))", "NOTHING"),
    ("update: the shape", "_update", "construct(target.shape, source.label, given.shape)", "target.shape"),
    ("update: candidates", "_update", "mingle(machine, owner, children(given))", "pass"),
    ("setdefault: the shape", "_setdefault", "upgrade([target], doubt)", "pass"),
    ("setdefault: candidates", "_setdefault", "machine.spread([default, *(entry.value for entry in target.entries.values())], doubt)", "pass"),
)  # fmt: skip

_VALUES = _mutants(
    "values",
    ("names lose their gain", "restrict", "steered(value.label, gain)", "value.label"),
    ("sink: elements", "sink_label", "labels = parts(value)", "labels = parts(value)[:2]"),
    ("objects: nested ones are not found", "mutable_objects", "waiting.extend(_containers(children(raw), count))", "pass"),
    ("shapes stay intact", "upgrade", "made_of(steered(changed.shape, gain))", "changed.shape"),
    ("parts: shapes", "parts", "found.append(shape)", "pass"),
)  # fmt: skip

MUTANTS = (
    *_LABELS, *_MONITOR, *_STATIC, *_STATEMENTS, *_EXPRESSIONS, *_ELEMENTS, *_OPERATORS, *_ORDERING, *_FORMATTING, *_BUILTINS,
    *_METHODS, *_VALUES,
)  # fmt: skip
"""Each must be killed by a directed or random program."""
