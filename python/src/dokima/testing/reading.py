"""Reads files of results, and says what is wrong with one that is damaged. The TypeScript client reads and says the same (read-results.ts)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .results import Result, Session, is_score, labels_of


class ResultsError(ValueError):
    """A file that `evaluate` or a test runner did not write, or that was damaged since."""


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_labels(value: Any) -> bool:
    try:
        return isinstance(value, dict) and isinstance(value.get("ordered"), bool) and bool(labels_of(value))
    except (KeyError, TypeError, ValueError):
        return False


Field = tuple[Callable[[Any], bool], str]
TEXT: Field = (lambda one: isinstance(one, str), "a text")
TEXTS: Field = (_is_texts, "a list of texts")
OBJECT: Field = (lambda one: isinstance(one, dict), "an object")
#: The fields of a result.
FIELDS: dict[str, Field] = {
    "group": TEXT,
    "case": TEXT,
    "trial": (lambda one: _is_number(one) and one >= 1 and one == int(one), "a whole number from 1"),
    "inputs": OBJECT,
    "expected": OBJECT,
    "outputs": OBJECT,
    "scores": (
        lambda one: isinstance(one, dict) and all(map(is_score, one.values())),
        "an object of scores, each true, false, 1 to 5 as a whole number, 0 to 1, or a label",
    ),
    "reasons": (lambda one: isinstance(one, dict) and _is_texts(list(one.values())), "an object of texts"),
    "metrics": TEXTS,
    "cost_usd": (lambda one: one is None or (_is_number(one) and one >= 0), "a number from 0, or null"),
    "error": (lambda one: one is None or isinstance(one, str), "a text, or null"),
    "bare": (lambda one: one is None or isinstance(one, bool), "true, false or null"),
    "labels": (lambda one: isinstance(one, dict) and all(map(_is_labels, one.values())), "an object of labels"),
}
HEAD_FIELDS: dict[str, Field] = {"id": TEXT, "tags": TEXTS, "marks": TEXTS}


def _text_of(path: Path) -> str:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ResultsError(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise ResultsError(f"{path} is a directory, and no file of results.") from None
    # The bytes say that a file is UTF-16, as the twin reads it too.
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        # A process that was killed may leave half a character at the end of its half line.
        whole = data.rfind(b"\n") + 1
        if 0 < whole <= error.start:
            return data[:whole].decode(encoding) + "\ufffd"
        line = data.count(b"\n", 0, error.start) + 1
        raise ResultsError(f"{path} is not a file of results: line {line} is not text in UTF-8.") from None


def _not_json(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _lines_of(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """Returns the objects of a file with the numbers of their lines."""
    # Not splitlines: a text may hold separators of lines that are none in JSON.
    texts = [text.strip() for text in _text_of(path).split("\n")]
    lines: list[tuple[int, dict[str, Any]]] = []
    for line, text in enumerate(texts, 1):
        if not text:
            continue
        try:
            value = json.loads(text, parse_constant=_not_json)
        except (ValueError, RecursionError):
            # A process that was killed leaves half a line at the end.
            if lines and line == len(texts):
                break
            raise ResultsError(f"{path} is not a file of results: line {line} is not JSON.") from None
        if not isinstance(value, dict):
            raise ResultsError(f"{path} is not a file of results: line {line} is not an object.")
        lines.append((line, value))
    if not lines:
        raise ResultsError(f"{path} is not a file of results: it is empty.")
    return lines


def _require(path: Path, line: int, value: dict[str, Any], fields: dict[str, Field], needed: tuple[str, ...]) -> None:
    for name, (is_right, says) in fields.items():
        if name not in value and name in needed:
            raise ResultsError(f"{path} is not a file of results: line {line} has no field '{name}'.")
        if name in value and not is_right(value[name]):
            raise ResultsError(f"{path} is not a file of results: line {line} has a field '{name}' that is not {says}.")


def read_lines(path: Path) -> tuple[dict[str, Any], list[Result], bool]:
    """Returns the head of a file, its results, and whether the last line says that these are all. Raises ResultsError for any other file."""
    (first, head), *rest = _lines_of(path)
    if head.get("dokima") != "results":
        raise ResultsError(f'{path} is not a file of results: line {first} does not begin with {{"dokima": "results", …}}.')
    if head.get("version") not in (1, 1.0) or isinstance(head["version"], bool):
        version = json.dumps(head.get("version"))
        raise ResultsError(f"{path} has version {version} of the format, and this program reads version 1. Update the program.")
    _require(path, first, head, HEAD_FIELDS, ("id",))
    results: list[Result] = []
    for line, value in rest:
        if "dokima" in value:
            continue
        for name in value:
            if name not in FIELDS:
                raise ResultsError(f"{path} is not a file of results: line {line} has a field '{name}', which no result has.")
        _require(path, line, value, FIELDS, ("group", "case"))
        results.append(Result(**value))
    return head, results, len(results) < len(rest)


def read_results(path: Path) -> tuple[Session, list[Result]]:
    """Reads a file of `write_results` or of `evaluate`. Raises ResultsError for any other file."""
    head, results, _ = read_lines(path)
    return Session(head["id"], head.get("tags", []), head.get("marks", [])), results
