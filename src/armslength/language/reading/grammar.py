"""What Python's parser takes and its compiler refuses: such a program has no meaning in Python, and is refused here with its reason."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from armslength.language.reading.refused import refuse
from armslength.language.reading.trees import children


def check_grammar(node: ast.AST, parts: Sequence[ast.AST]) -> None:
    """Refuse a node whose parts do not go together. Looks at one node and its direct parts; patterns are looked through.

    Raises:
        ProgramRefused: with the line, the reason and the way out.
    """
    check = _CHECKERS.get(type(node))
    if check is not None:
        check(node)
    if type(node) not in _TAKE_STARS:
        for part in parts:
            if isinstance(part, ast.Starred):
                raise refuse(part, "* stands in a list, tuple, set, call or several targets", "write [*x]")


_TAKE_STARS = (ast.List, ast.Tuple, ast.Set, ast.Call)


def _check_targets(node: ast.Assign) -> None:
    for target in node.targets:
        _check_target(target)


def _check_loop(node: ast.For | ast.comprehension) -> None:
    _check_target(node.target)


def _check_target(target: ast.expr) -> None:
    if not isinstance(target, ast.Tuple | ast.List):
        return
    stars = [part for part in target.elts if isinstance(part, ast.Starred)]
    if len(stars) > 1:
        raise refuse(stars[1], "only one * may stand on the left", "take the rest once")
    for part in target.elts:
        _check_target(part.value if isinstance(part, ast.Starred) else part)


def _check_keywords(node: ast.Call) -> None:
    seen: set[str | None] = set()
    for keyword in node.keywords:
        if keyword.arg in seen and keyword.arg is not None:
            raise refuse(node, f"the argument {keyword.arg} stands here twice", "give it once")
        seen.add(keyword.arg)


def _check_handlers(node: ast.Try) -> None:
    for handler in node.handlers[:-1]:
        if handler.type is None:
            raise refuse(handler, "except: without an exception stands last", "move it behind the others")


def _check_nonlocal(node: ast.FunctionDef) -> None:
    """`nonlocal` comes before the name is used in the same function."""
    used: set[str] = set()
    for part in _own(node.body):
        match part:
            case ast.Nonlocal(names=names):
                for name in names:
                    if name in used:
                        raise refuse(part, f"{name} is used before nonlocal {name}", "write nonlocal first")
            case ast.Name(id=name):
                used.add(name)


def _own(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a function's body without those of functions within."""
    for node in nodes:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            yield from _own(children(node))


# Walrus


def _check_walrus(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
    """A walrus is no part of what a comprehension goes through, and does not assign to the comprehension's own names."""
    own = {part.id for each in node.generators for part in ast.walk(each.target) if isinstance(part, ast.Name)}
    for generator in node.generators:
        for walrus in _walruses([generator.iter]):
            raise refuse(walrus, ":= does not stand in what a comprehension goes through", "assign before it")
    elements = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    for walrus in _walruses([*elements, *(condition for each in node.generators for condition in each.ifs)]):
        if walrus.target.id in own:
            raise refuse(walrus, f"{walrus.target.id} is the comprehension's own name", "choose another name")


def _walruses(nodes: Iterable[ast.AST]) -> Iterator[ast.NamedExpr]:
    """Those whose name lands in the scope around: not those of functions within."""
    for node in nodes:
        if isinstance(node, ast.NamedExpr):
            yield node
        if not isinstance(node, ast.Lambda):
            yield from _walruses(children(node))


# Patterns


def _check_cases(node: ast.Match) -> None:
    for case in node.cases:
        _captured(case.pattern)
        if case is not node.cases[-1] and case.guard is None and _takes_all(case.pattern):
            raise refuse(case.pattern, "this case takes everything, and others follow", "move it behind the others")


def _takes_all(pattern: ast.pattern) -> bool:
    match pattern:
        case ast.MatchAs(pattern=None):
            return True
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return _takes_all(inner)
        case ast.MatchOr(patterns=patterns):
            return any(map(_takes_all, patterns))
        case _:
            return False


def _captured(pattern: ast.pattern) -> list[str]:
    """The names that a pattern binds, each once."""
    match pattern:
        case ast.MatchOr(patterns=patterns):
            return _alternatives(pattern, patterns)
        case ast.MatchAs(name=name, pattern=inner):
            names = [] if inner is None else _captured(inner)
            names += [] if name is None else [name]
        case ast.MatchStar(name=name):
            names = [] if name is None else [name]
        case ast.MatchSequence(patterns=patterns):
            if sum(isinstance(part, ast.MatchStar) for part in patterns) > 1:
                raise refuse(pattern, "only one * may stand in a pattern", "take the rest once")
            names = _all_captured(patterns)
        case ast.MatchMapping(keys=keys, patterns=patterns, rest=rest):
            _check_keys(keys)
            names = _all_captured(patterns) + ([] if rest is None else [rest])
        case ast.MatchClass(patterns=patterns, kwd_attrs=attrs, kwd_patterns=named):
            if len(set(attrs)) != len(attrs):
                raise refuse(pattern, "a field stands twice in this pattern", "name it once")
            names = _all_captured([*patterns, *named])
        case _:
            return []
    if len(set(names)) != len(names):
        raise refuse(pattern, "a name stands twice in this pattern", "choose another, and compare them with if")
    return names


def _all_captured(patterns: Iterable[ast.pattern]) -> list[str]:
    return [name for pattern in patterns for name in _captured(pattern)]


def _alternatives(pattern: ast.pattern, patterns: Sequence[ast.pattern]) -> list[str]:
    names = [_captured(part) for part in patterns]
    if any(_takes_all(part) for part in patterns[:-1]):
        raise refuse(pattern, "an alternative takes everything, and others follow", "move it behind the others")
    if any(set(each) != set(names[0]) for each in names):
        raise refuse(pattern, "the alternatives of a pattern bind different names", "write a case for each")
    return names[0]


def _check_keys(keys: Sequence[ast.expr]) -> None:
    seen: list[object] = []
    for key in keys:
        if isinstance(key, ast.Constant):
            if key.value in seen:
                raise refuse(key, "a key stands twice in this pattern", "name it once")
            seen.append(key.value)


_CHECKERS: Mapping[type[ast.AST], Callable[..., None]] = {
    ast.Assign: _check_targets,
    ast.For: _check_loop,
    ast.comprehension: _check_loop,
    ast.Call: _check_keywords,
    ast.Try: _check_handlers,
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp), _check_walrus),
    ast.FunctionDef: _check_nonlocal,
    ast.Match: _check_cases,
}
