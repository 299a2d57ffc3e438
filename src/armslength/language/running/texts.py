"""f-strings: row "construct" over the pieces."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from armslength.labels import LITERAL, Label, construct, made_of
from armslength.language.operations.formatting import Conversion, written
from armslength.language.reading.refused import refuse_node
from armslength.language.running.compiler import Compiler, Evaluate
from armslength.values import (
    Frame,
    Value,
    make,
)


def compile_joined(c: Compiler, node: ast.JoinedStr) -> Evaluate:
    """Row "construct" over the pieces."""
    machine, pieces, nothing = c.machine, [_piece(c, part) for part in node.values], construct()
    c.cost += len(pieces)

    def run(frame: Frame) -> Value:
        texts: list[str] = []
        label = nothing
        for piece in pieces:
            text, by = piece(frame)
            texts.append(text)
            label = label.constructs[by]
        whole = "".join(texts)
        machine.spend(len(whole))
        return make(whole, label)

    return run


def compile_formatted(c: Compiler, node: ast.FormattedValue) -> Evaluate:
    """A piece that stands alone, as `answer` takes them."""
    piece = _replaced(c, node)

    def run(frame: Frame) -> Value:
        text, label = piece(frame)
        return make(text, made_of(label))

    return run


Piece = Callable[[Frame], tuple[str, Label]]
"""A part of an f-string: its text, and the label of what that is the text of."""


def _piece(c: Compiler, node: ast.expr) -> Piece:
    match node:
        case ast.Constant(value=str(text)):
            return lambda frame: (text, LITERAL)
        case ast.FormattedValue():
            return _replaced(c, node)
        case _:
            raise refuse_node(node)


def _replaced(c: Compiler, node: ast.FormattedValue) -> Piece:
    machine, conversion = c.machine, _CONVERSIONS[node.conversion]
    if node.format_spec is None and conversion != "r":
        return _plainly(c, node.value)
    evaluate = c.expression(node.value)
    match node.format_spec:
        case None:
            return lambda frame: written(machine, evaluate(frame), "", conversion)
        case ast.JoinedStr(values=[ast.Constant(value=str(text))]):
            return lambda frame: written(machine, evaluate(frame), text, conversion)
        case spec:
            computed = c.expression(spec)

    def run(frame: Frame) -> tuple[str, Label]:
        value = evaluate(frame)
        return written(machine, value, computed(frame), conversion)

    return run


_CONVERSIONS: Mapping[int, Conversion] = {-1: "", ord("s"): "s", ord("r"): "r"}


def _plainly(c: Compiler, node: ast.expr) -> Piece:
    """The text of a value, which a text or number needs not be for it."""
    machine, draft = c.machine, c.draft(node)

    def run(frame: Frame) -> tuple[str, Label]:
        raw, label = draft(frame)
        if type(raw) is str or type(raw) is int:
            text = str(raw)
            machine.spend(len(text))
            return text, label
        return written(machine, make(raw, label))

    return run
