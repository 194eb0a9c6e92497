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

    @classmethod
    def start(cls, runner: str) -> Session:
        commit = current_commit()
        return cls(secrets.token_hex(8), [runner, *([f"commit:{commit}"] if commit else [])])


def write_results(path: Path, session: Session, results: Iterable[Result]) -> None:
    """Writes a session to a file, one JSON value a line."""
    lines = [{"dokima": "results", "version": 1, **asdict(session)}, *(asdict(result) for result in results)]
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def read_results(path: Path) -> tuple[Session, list[Result]]:
    """Reads a file of `write_results`. Raises ValueError for any other file."""
    head, *lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    if not isinstance(head, dict) or head.get("dokima") != "results" or head.get("version") != 1:
        raise ValueError(f"{path} is not a file of results of tests.")
    return Session(head["id"], head["tags"]), [Result(**line) for line in lines]
