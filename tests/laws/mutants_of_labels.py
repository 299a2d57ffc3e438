"""Mutants of labels and values: each operand of each row of the label table, and what is remembered of it."""

from __future__ import annotations

from tests.laws.mutant import mutants

_LABELS = mutants(
    "labels",
    ("saturated choice stays choice", "label", "data = data | choice", "data = data"),
    ("construct: data of the first", "_construct_two", "a.data | b.data", "b.data"),
    ("construct: data of the second", "_construct_two", "a.data | b.data", "a.data"),
    ("construct: choice of the first", "_construct_two", "a.choice | b.choice", "b.choice"),
    ("construct: choice of the second", "_construct_two", "a.choice | b.choice", "a.choice"),
    ("construct: bits are not added", "_construct_two", "a.bits + b.bits", "max(a.bits, b.bits)"),
    ("construct: readers of the second", "_construct_two", "a.readers.intersect(b.readers)", "a.readers"),
    ("construct: steer of the second", "_construct_two", "a.steer.intersect(b.steer)", "a.steer"),
    ("construct: readers of the first", "_construct_two", "a.readers.intersect(b.readers)", "b.readers"),
    ("construct: steer of the first", "_construct_two", "a.steer.intersect(b.steer)", "b.steer"),
    ("construct: stays intact", "_construct_two", "intact=False", "intact=b.intact"),
    ("steering: data steers nothing", "_steering", "choice=a.data | a.choice", "choice=a.choice"),
    ("steering: choice steers nothing", "_steering", "choice=a.data | a.choice", "choice=a.data"),
    ("steering: no bits", "_steering", "bits=bits", "bits=0"),
    ("steering: readers do not steer", "_steering", "steer=a.readers.intersect(a.steer)", "steer=a.steer"),
    ("steering: steer does not steer", "_steering", "steer=a.readers.intersect(a.steer)", "steer=a.readers"),
    ("steering: trusted secrets steer nothing", "_steering", "a.is_trusted and a.readers.names is None and a.steer.names is None", "a.is_trusted"),
    ("picking: untrusted data has few bits", "_picking", "a.bits if a.is_chosen and a.readers.names is None else SATURATED", "a.bits"),
    ("steered: choice of the gain", "_steered", "a.choice | gain.choice", "a.choice"),
    ("steered: bits of the gain", "_steered", "a.bits + gain.bits", "a.bits"),
    ("steered: steer of the gain", "_steered", "a.steer.intersect(gain.steer)", "a.steer"),
    ("steered: choice of what is steered", "_steered", "a.choice | gain.choice", "gain.choice"),
    ("steered: bits of what is steered", "_steered", "a.bits + gain.bits", "gain.bits"),
    ("steered: steer of what is steered", "_steered", "a.steer.intersect(gain.steer)", "gain.steer"),
    ("steered: data of what is steered", "_steered", "a.data | gain.data", "gain.data"),
    ("steered: readers of what is steered", "_steered", "a.readers.intersect(gain.readers)", "gain.readers"),
    ("join: choice of the first", "_join", "a.choice | b.choice", "b.choice"),
    ("join: bits of the first", "_join", "max(a.bits, b.bits)", "b.bits"),
    ("join: steer of the first", "_join", "a.steer.intersect(b.steer)", "b.steer"),
    ("join: choice of the second", "_join", "a.choice | b.choice", "a.choice"),
    ("join: bits of the second", "_join", "max(a.bits, b.bits)", "a.bits"),
    ("join: steer of the second", "_join", "a.steer.intersect(b.steer)", "a.steer"),
    ("tested: the first operand", "_test_two", ".joins[a.guards]", ""),
    ("tested: the second operand", "_test_two", ".joins[b.guards]", ""),
    ("tested: more than two operands", "tested", "result.joins[operand.tests[operand]]", "result"),
    ("bits_for: a bit less", "bits_for", "(count - 1).bit_length()", "(count - 1).bit_length() - 1"),
)  # fmt: skip

_VALUES = mutants(
    "values.objects",
    ("names lose their gain", "restrict", "value.label.selects[gain]", "value.label"),
    ("functions: their defaults are not reached", "FunctionObject.captured", "found = list(self.defaults.values())", "found = []"),
    ("functions: their free variables are not reached", "FunctionObject.captured", "found.append(names[variable.name])", "pass"),
    ("promises: what steered them meanwhile", "restrict", "steered(value.gain, gain)", "value.gain"),
    ("promises: what steered them", "_Promise.__getattr__", "steered(value.label, self.gain)", "value.label"),
)  # fmt: skip

_REACHING = mutants(
    "values.reaching",
    ("sink: elements", "sink_label", "labels = parts(value)", "labels = parts(value)[:2]"),
    ("sink: several picks are one", "sink_label", "!= 1", "== 0"),
    ("sink: picked containers are picked things", "_around", "found.append(current.label)", "pass"),
    ("objects: nested ones are not found", "mutable_objects", "waiting.extend(_containers(children(raw), count))", "pass"),
    ("shapes stay intact", "upgrade_shape", "made_of(changed.shape.selects[gain])", "changed.shape"),
    ("parts: shapes", "parts", "found.append(shape)", "pass"),
    ("places: variables that functions assign are not found", "mutable_objects", "found.extend(places)", "pass"),
    ("places: their values", "_upgrade_place", "frame.names[name] = restrict(frame.names[name], gain)", "pass"),
    ("places: whether they have one", "_upgrade_place", "frame.doubts[name] = steered(frame.doubts.get(name, NOTHING), gain)", "pass"),
    ("places: what is assigned later", "_upgrade_place", "frame.reached[name] = steered(frame.reached.get(name, NOTHING), gain)", "pass"),
    ("places: the values assigned later", "_upgrade_place", "frame.shared[name] = steered(frame.shared.get(name, NOTHING), gain)", "pass"),
)  # fmt: skip

_REMEMBERED = mutants(
    "language.running.arithmetic",
    ("remembered: of another label than the last", "_of_one", "by is not known", "known is None"),
    ("remembered: the first of two has another label", "_of_two", "by_a is not known[0] or ", ""),
    ("remembered: the second of two has another label", "_of_two", " or by_b is not known[1]", ""),
    ("remembered: one that may have no value", "_of_one", " or frame.doubts", ""),
    ("remembered: two that may have no value", "_of_two", " or frame.doubts", ""),
    ("remembered: what may fail", "_labelled", "return made_of(node)[1], noting.halt", "return made_of(node)[1], NOTHING"),
)  # fmt: skip

OF_LABELS = (*_LABELS, *_VALUES, *_REACHING, *_REMEMBERED)
