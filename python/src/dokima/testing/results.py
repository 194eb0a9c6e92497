"""Results of tests, and the file that keeps them until they are uploaded."""

from __future__ import annotations

import json
import math
import os
import re
import secrets
import subprocess
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from datetime import date, time
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

#: True or False, 1 to 5 as an int, 0.0 to 1.0 as a float, or a label.
Score = bool | int | float | str
#: The labels of a metric: `items`, those that are `passing`, and whether they are `ordered` from worst to best.
Labels = Mapping[str, Any]

#: Longest label, in characters.
LONGEST_LABEL = 200


def is_score(value: Any) -> bool:
    """Whether a value is a score: yes or no, 1 to 5 as a whole number, 0 to 1, or a label."""
    if isinstance(value, str):
        return value.strip() != "" and len(value) <= LONGEST_LABEL
    if isinstance(value, bool):
        return True
    # In this order: infinity is no whole number, and says so with an error.
    return isinstance(value, (int, float)) and 0 <= value <= 5 and (value <= 1 or value == int(value))


def labels_of(given: Labels) -> dict[str, Any]:
    """Returns labels with all their fields in order. Raises ValueError for labels that no metric can have."""
    items: list[Any] = list(given["items"])
    passing: list[Any] = list(given["passing"])
    read = {unicodedata.normalize("NFKC", str(one)).lower() for one in items}
    is_text = all(isinstance(one, str) and is_score(one) and one == one.strip() for one in items)
    if not is_text or len(read) < len(items) or not 2 <= len(items) <= 100:
        raise ValueError(f"items must be 2 to 100 texts that differ in more than their case, not {items!r}.")
    if not passing or len(set(passing)) < len(passing) or not set(passing) < set(items):
        raise ValueError(f"passing must be some of the labels {items!r} and not all, not {passing!r}.")
    return {"items": items, "passing": passing, "ordered": bool(given.get("ordered", False))}


def as_json(value: Any) -> Any:
    """Returns the value as JSON can hold it: NaN is null, as in JavaScript. What JSON cannot hold becomes its repr."""
    if value is None or isinstance(value, (bool, int, str)):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, float):
        # JSON of JavaScript has no -0.
        return float(value) + 0.0 if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {_key(key): as_json(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(one) for one in value]
    if isinstance(value, (set, frozenset)):
        return [as_json(one) for one in sorted(value, key=repr)]
    return _as_json_of_object(value)


def _as_json_of_object(value: Any) -> Any:
    if isinstance(value, type):
        return repr(value)
    if is_dataclass(value):
        return {one.name: as_json(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Enum):
        return as_json(value.value)
    if type(value).__name__ in ("NaTType", "NAType"):
        return None
    if isinstance(value, (date, time)):
        return value.isoformat()
    # Models of pydantic; numbers and arrays of numpy.
    if callable(getattr(value, "model_dump", None)):
        return as_json(value.model_dump(mode="json"))
    return as_json(value.tolist()) if callable(getattr(value, "tolist", None)) else repr(value)


def _key(key: Any) -> str:
    return key if isinstance(key, str) else canonical(key) if key is None or isinstance(key, (bool, int, float)) else str(key)


def js_number(value: float) -> str:
    """Writes a number as JavaScript does."""
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(abs(value))).normalize().as_tuple()
    text, point = "".join(map(str, digits)), len(digits) + int(exponent)
    if 0 < point <= 21:
        written = text.ljust(point, "0") if len(text) <= point else f"{text[:point]}.{text[point:]}"
    elif -6 < point <= 0:
        written = f"0.{'0' * -point}{text}"
    else:
        written = f"{text[0]}{'.' if text[1:] else ''}{text[1:]}e{point - 1:+d}"
    return f"-{written}" if value < 0 else written


def _text(text: str) -> str:
    written = json.dumps(text, ensure_ascii=False)
    # Half of a surrogate pair is no character, and has no bytes in UTF-8.
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", written)


def to_text(value: Any) -> str:
    """Writes a value of JSON character by character as JavaScript does, but for 1.0: as a score it is a share, and 1 is a rating."""
    if isinstance(value, dict):
        return f"{{{','.join(f'{_text(key)}:{to_text(one)}' for key, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{','.join(map(to_text, value))}]"
    if isinstance(value, float):
        return f"{js_number(value)}{'' if value % 1 or abs(value) >= 1e21 else '.0'}"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def canonical(value: Any) -> str:
    """Writes a value so that neither the order of its keys nor the way in which a number is written matters.

    The TypeScript client writes the same text (canonical.ts), so that both find the same testcase.
    """
    value = as_json(value)
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        return f"{{{','.join(f'{to_text(key)}:{canonical(value[key])}' for key in keys)}}}"
    if isinstance(value, list):
        return f"[{','.join(map(canonical, value))}]"
    return js_number(value) if isinstance(value, float) else to_text(value)


@dataclass
class Result:
    """Result of one trial of one testcase."""

    #: Name of the tests that make up one run, and of their testset.
    group: str
    case: str
    trial: int = 1
    inputs: dict[str, Any] = field(default_factory=dict)
    expected: dict[str, Any] = field(default_factory=dict)
    outputs: dict[str, Any] = field(default_factory=dict)
    scores: dict[str, Score] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    #: Names of metrics that the service scores.
    metrics: list[str] = field(default_factory=list)
    cost_usd: float | None = None
    #: Why there is no answer. Such a result has no scores.
    error: str | None = None
    #: Whether the answer was no object, so that it stands under `answer`, or is nothing. None where a test wrote the outputs.
    bare: bool | None = None
    #: The labels of the scores that are texts, if the tests say them. Without them the metric of the project has them.
    labels: dict[str, Any] = field(default_factory=dict)


def current_commit() -> str | None:
    """Returns the commit that is tested, or None outside of a repository and if files were changed."""
    for name in ("DOKIMA_COMMIT", "GITHUB_SHA", "CI_COMMIT_SHA"):
        if os.environ.get(name):
            return os.environ[name]
    try:
        # Files that differ from their commit are not that commit.
        if _git("status", "--porcelain", "--untracked-files=no"):
            return None
        return _git("rev-parse", "HEAD") or None
    except (OSError, subprocess.SubprocessError):
        return None


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], capture_output=True, text=True, timeout=10, check=True)
    return done.stdout.strip()


@dataclass
class Session:
    """One start of the tests."""

    id: str
    tags: list[str]
    #: Marks that the runs get when they are uploaded.
    marks: list[str] = field(default_factory=list)

    @classmethod
    def start(cls, runner: str) -> Session:
        commit = current_commit()
        return cls(secrets.token_hex(8), [runner, *([f"commit:{commit}"] if commit else [])])


def head_of(session: Session, **more: Any) -> str:
    """Returns the first line of a file of results."""
    return to_text({"dokima": "results", "version": 1, **asdict(session), **more}) + "\n"


def line_of(result: Result) -> str:
    """Returns the line of a result."""
    fields = asdict(result)
    if not result.labels:
        del fields["labels"]
    return to_text(fields) + "\n"


#: Last line of an evaluation that came to its end.
END = '{"dokima": "end"}\n'


def write_results(path: Path, session: Session, results: Iterable[Result]) -> None:
    """Writes a session to a file, one JSON value a line."""
    path.write_text("".join([head_of(session), *map(line_of, results)]), encoding="utf-8")
