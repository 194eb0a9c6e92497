"""Results of tests, and the file that keeps them until they are uploaded."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

Score = bool | int | float


def as_json(value: Any) -> Any:
    """Returns the value as JSON can hold it. What JSON cannot hold becomes its repr."""
    return json.loads(json.dumps(value, default=repr, allow_nan=False))


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
    return json.dumps({"dokima": "results", "version": 1, **asdict(session), **more}, ensure_ascii=False) + "\n"


def line_of(result: Result) -> str:
    """Returns the line of a result."""
    return json.dumps(asdict(result), ensure_ascii=False) + "\n"


#: Last line of an evaluation that came to its end.
END = '{"dokima": "end"}\n'


def write_results(path: Path, session: Session, results: Iterable[Result]) -> None:
    """Writes a session to a file, one JSON value a line."""
    path.write_text("".join([head_of(session), *map(line_of, results)]), encoding="utf-8")


def read_lines(path: Path) -> tuple[dict[str, Any], list[Result], bool]:
    """Returns the head of a file, its results, and whether the last line says that these are all. Raises ValueError for any other file."""
    texts = [text for text in path.read_text(encoding="utf-8").splitlines() if text.strip()]
    lines: list[Any] = []
    for i, text in enumerate(texts):
        try:
            lines.append(json.loads(text))
        except ValueError:
            # A process that was killed leaves half a line at the end.
            if i < len(texts) - 1 or i == 0:
                raise ValueError(f"{path} is not a file of results.") from None
    head = lines[0] if lines else None
    if not isinstance(head, dict) or head.get("dokima") != "results" or head.get("version") != 1:
        raise ValueError(f"{path} is not a file of results.")
    results = [line for line in lines[1:] if "dokima" not in line]
    return head, [Result(**line) for line in results], len(results) < len(lines) - 1


def read_results(path: Path) -> tuple[Session, list[Result]]:
    """Reads a file of `write_results` or of `evaluate`. Raises ValueError for any other file."""
    head, results, _ = read_lines(path)
    return Session(head["id"], head["tags"], head.get("marks", [])), results
