"""Enumerations: members, names, values, lookup both ways, iteration, comparison, in dicts, in tests."""
from enum import Enum


class Priority(Enum):
    """How soon."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


class Color(str, Enum):
    RED = "red"
    GREEN = "green"


answer(Priority.LOW, Priority.HIGH.value, Priority.HIGH.name, [Priority.LOW], repr(Priority.MEDIUM), f"{Priority.LOW.name.lower()}")
answer(Priority(2), Priority["HIGH"], Priority(3) is Priority.HIGH, Priority["LOW"] == Priority.LOW, Priority.LOW == 1, Priority.LOW != Priority.HIGH)
answer([p.name for p in Priority], [p.value for p in Color], len(Priority), list(Color), Priority.LOW in Priority, len(list(Priority)))
answer(Color.RED == "red", Color("green"), Color.RED.value.upper(), isinstance(Color.RED, Color), isinstance(Color.RED, str), isinstance(Priority.LOW, Priority))
weights = {Priority.LOW: "low", Priority.HIGH: "high"}
answer(weights[Priority.HIGH], weights.get(Priority.MEDIUM, "none"), Priority.LOW in weights, {Priority.LOW, Priority.LOW} == {Priority.LOW})
tasks = [("a", Priority.LOW), ("b", Priority.HIGH), ("c", Priority.MEDIUM)]
answer(sorted(tasks, key=lambda task: task[1].value, reverse=True), max(tasks, key=lambda task: task[1].value)[0])
def label(priority):
    if priority is Priority.HIGH:
        return "!"
    return "-" if priority == Priority.LOW else "="


answer([label(p) for p in Priority], {p.name: label(p) for p in Priority})
for bad in [9, "LOW"]:
    try:
        answer(Priority(bad))
    except ValueError:
        answer("no such value")
try:
    Priority["NONE"]
except KeyError:
    answer("no such name")
chosen = Priority.HIGH if len(tasks) > 2 else Priority.LOW
answer(chosen.name, bool(Priority.LOW), chosen in (Priority.HIGH, Priority.MEDIUM))
