"""The text of a policy file, cut into its rules before Cedar parses each, so that an error has a line and no text is too deep to parse.

Cedar's own parser names no place, and ends the process on brackets nested a thousand deep.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from armslength.errors import ConfigError

MOST_CHARACTERS = 500_000
_DEEPEST = 40
_TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n\r]*)|(?P<text>"(?:\\.|[^"\\])*")|(?P<word>[^\W\d]\w*)|(?P<mark>::|==|!=|<=|>=|&&|\|\||.)""",
    re.DOTALL,
)
_OPENING, _CLOSING = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Token:
    """One word, text or mark. `text` is as it stands in the file, quotation marks included; `end` is its end in the file."""

    text: str
    line: int
    end: int


@dataclass(frozen=True, slots=True)
class Statement:
    """The text of one rule, its semicolon included, and where it begins."""

    file: str
    line: int
    text: str
    start: int
    tokens: tuple[Token, ...]

    def line_of(self, name: str) -> int:
        """The line where a name first stands, as a word or as a text; where it does not stand, the rule's first."""
        return next((token.line for token in self.tokens if token.text.strip('"') == name), self.line)

    def error(self, line: int, said: str) -> ConfigError:
        """An error at a line of the file."""
        return ConfigError(f"{self.file}: line {line}: {said}")

    def misread(self, parse: Callable[[str], object], error: ValueError) -> ConfigError:
        """What Cedar's parser says, at the first token that it cannot go on with.

        A text that only ends too early is not wrong so far, so the first wrong token is found by halving.
        """
        said = _SAID_OF_A_NAME.search(str(error))
        if said is not None:
            return self.error(self.line_of(said[1]), f"{error}; {_THERE_IS['effect' in str(error)]}")
        good, bad = 0, len(self.tokens) - 1
        while good < bad:
            middle = (good + bad) // 2
            if _is_good_so_far(parse, self.text[: self.tokens[middle].end - self.start]):
                good = middle + 1
            else:
                bad = middle
        return self.error(self.tokens[bad].line, f"{error}; see the rules of default.cedar for the form")


_SAID_OF_A_NAME = re.compile(r"(?:effect: |`)(\w+)(?:`? is not a valid| *$)")
_THERE_IS = ("there are: contains, containsAll, containsAny, isEmpty", "a rule begins with forbid")


def _is_good_so_far(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except ValueError as error:
        return "unexpected end of input" in str(error)
    return True


def statements(text: str, file: str) -> Iterator[Statement]:
    """The rules of a file in order.

    Raises:
        ConfigError: one does not end, is nested too deep, or the file is too long.
    """
    if len(text) > MOST_CHARACTERS:
        raise ConfigError(f"{file}: this is longer than {MOST_CHARACTERS:,} characters; a policy is read by people")
    tokens: list[Token] = []
    depth = 0
    for token in _tokens(text):
        tokens.append(token)
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if depth > _DEEPEST:
            raise ConfigError(f"{file}: line {token.line}: brackets are nested too deep; write several rules")
        if token.text == ";":
            yield _statement(text, file, tokens)
            tokens, depth = [], 0
    if tokens:
        raise ConfigError(f"{file}: line {tokens[0].line}: the rule that begins here does not end with ;")


def _statement(text: str, file: str, tokens: list[Token]) -> Statement:
    start = tokens[0].end - len(tokens[0].text)
    return Statement(file, tokens[0].line, text[start : tokens[-1].end], start, tuple(tokens))


def _tokens(text: str) -> Iterator[Token]:
    line = 1
    for found in _TOKEN.finditer(text):
        if found["blank"] is None:
            yield Token(found[0], line, found.end())
        line += found[0].count("\n")
