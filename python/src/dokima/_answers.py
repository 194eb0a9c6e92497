"""Asks a system for its answers and scores them, with a file that keeps each of them at once."""

from __future__ import annotations

import asyncio
import contextvars
import hashlib
import inspect
import math
import threading
import types
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from .testing.results import END, Result, Score, Session, as_json, canonical, head_of, is_score, line_of
from .testing.upload import BY_CONTENT

#: Field of a record that holds an answer, or an expected one, that is not an object. The ready metrics read it.
ANSWER = "answer"
#: Longest value that a reason quotes, in characters.
LONGEST_SAID = 200


@dataclass
class Case:
    """A testcase: what the system gets, and what a good answer is."""

    id: str
    inputs: dict[str, Any]
    #: As the caller gave it, for the metrics.
    expected: Any


def cases_of(data: Any) -> list[Case]:
    """Returns the testcases of rows or of a frame. `expected` is the expected answer, all other fields are inputs."""
    rows: Iterable[Any] = data.to_dict("records") if hasattr(data, "to_dict") else data
    cases: dict[str, Case] = {}
    for row in rows:
        if not isinstance(row, Mapping):
            raise TypeError(f"A row of data must be a dict, such as {{'country': 'Peru', 'expected': 'Lima'}}, not {row!r}.")
        if set(row) <= {"inputs", "expected"} and isinstance(row.get("inputs"), Mapping):
            inputs, expected = dict(row["inputs"]), row.get("expected")
        else:
            inputs, expected = {key: value for key, value in row.items() if key != "expected"}, row.get("expected")
        id = BY_CONTENT + hashlib.sha256(canonical(inputs).encode()).hexdigest()[:16]
        # Equal rows are one testcase; its trials repeat it. Two expected answers to one question are a mistake in the data.
        if id in cases and canonical(cases[id].expected) != canonical(expected):
            raise ValueError(f"Two rows have the inputs {canonical(inputs)} and different expected answers.")
        cases.setdefault(id, Case(id, inputs, expected))
    if not cases:
        raise ValueError("data has no rows.")
    return list(cases.values())


def as_object(value: Any) -> dict[str, Any]:
    """Returns an answer as the service stores it: an object as it is, anything else under `answer`."""
    if value is None:
        return {}
    json = as_json(value)
    return json if isinstance(json, dict) else {ANSWER: json}


def is_bare(value: Any) -> bool:
    """Whether an answer is stored under `answer`, or is nothing."""
    return not isinstance(as_json(value), dict)


def given_of(result: Result) -> Any:
    """Returns the answer of an earlier evaluation as the system gave it, as far as JSON can hold it."""
    return result.outputs.get(ANSWER) if result.bare else result.outputs


def _code_of(code: types.CodeType) -> str:
    """Returns what a function does as a text that is the same in each process: the repr of a function within has an address."""
    consts = [_code_of(one) if isinstance(one, types.CodeType) else one for one in code.co_consts]
    return repr((code.co_code, code.co_names, consts))


def source_of(*parts: Any) -> str:
    """Returns a digest of texts and of the source of functions, which tells whether they were changed between two starts of a program."""
    texts = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
            continue
        try:
            texts.append(inspect.getsource(inspect.unwrap(part)))
        except (OSError, TypeError):
            code = getattr(part, "__code__", None)
            texts.append(_code_of(code) if code else type(part).__qualname__)
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def _system_call(system: Callable[..., Any], inputs: dict[str, Any]) -> Callable[[], Any]:
    """Calls a system with its fields as keywords if its parameters are their names, else with the whole row."""
    parameters = _parameters(system)
    named = [one for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    required = [one.name for one in named if one.default is one.empty]
    takes_all = inspect.Parameter.VAR_KEYWORD in [one.kind for one in parameters]
    is_by_name = len(named) + takes_all == len(parameters) and set(required) <= set(inputs)
    if is_by_name and (required or takes_all):
        taken = {one.name for one in named}
        return lambda: system(**{key: value for key, value in inputs.items() if takes_all or key in taken})
    return lambda: system(dict(inputs))


def _scorer_call(scorer: Callable[..., Any], case: Case, outputs: Any) -> Callable[[], Any]:
    """Calls a metric with those of inputs, outputs and expected that its parameters name; else with outputs and expected."""
    known = {"inputs": case.inputs, "outputs": outputs, "output": outputs, "expected": case.expected}
    parameters = [one for one in _parameters(scorer) if one.default is one.empty]
    names = [one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    if names and len(names) == len(parameters) and set(names) <= set(known):
        return lambda: scorer(**{name: known[name] for name in names})
    if len(parameters) == 1:
        return lambda: scorer(outputs)
    return lambda: scorer(outputs, case.expected) if len(parameters) < 3 else scorer(case.inputs, outputs, case.expected)


def _said(value: Any) -> str:
    """Returns a value for people, in words that no language has for itself."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    text = canonical(value)
    return text if len(text) <= LONGEST_SAID else f"{text[:LONGEST_SAID]}…"


def _score_of(value: Any, labels: Mapping[str, Any] | None) -> Score | None:
    """Returns the score that a metric gave; None if the value is no score."""
    if labels is not None:
        return value if isinstance(value, str) and value in labels["items"] else None
    if not is_score(value) or (isinstance(value, float) and value > 1):
        return None
    return value + 0.0 if isinstance(value, float) else value


def _no_score(name: str, value: Any, labels: Mapping[str, Any] | None) -> str:
    """Says what a metric must return. The TypeScript client says the same."""
    if labels is None:
        wanted = "yes or no, 1 to 5 as a whole number, 0 to 1, a label or nothing"
    else:
        items = [f"'{item}'" for item in labels["items"][:12]]
        more = len(labels["items"]) - len(items)
        wanted = f"one of the labels {', '.join(items)}{f' and {more} more' if more else ''}, or nothing"
    return f"{name} must return {wanted}, not {_said(value)}."


def _plain(value: Any) -> Any:
    """Returns what stands for a number of numpy, and for a text as a member of an enumeration."""
    value = value.item() if hasattr(value, "item") else value
    return value.value if isinstance(value, Enum) and isinstance(value.value, str) else value


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:2000]


Calls = Callable[[Callable[[], Any]], Coroutine[Any, Any, Any]]


async def _score(result: Result, case: Case, outputs: Any, asked: Asked, call: Calls) -> None:
    for name, scorer in asked.scorers.items():
        try:
            value = await call(_scorer_call(scorer, case, outputs))
            value, reason = value if isinstance(value, (tuple, list)) and len(value) == 2 else (value, None)
            value, labels = _plain(value), asked.labels.get(name)
            score = None if value is None else _score_of(value, labels)
            if score is not None:
                result.scores[name] = score
            if value is not None and score is None:
                result.reasons[name] = _no_score(name, value, labels)
            elif reason is not None:
                result.reasons[name] = reason if isinstance(reason, str) else _said(reason)
            elif value is None:
                result.reasons[name] = f"{name} gave no score."
        except Exception as error:  # a metric that breaks has not answered no
            result.reasons[name] = _reason(error)


class Journal:
    """The file of results. Each line is written as soon as it is known, so that a crash loses nothing."""

    def __init__(self, path: Path, session: Session, about: Mapping[str, Any], done: Sequence[Result] = ()) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        # After an interruption the whole file is replaced, so that no testcase stands there twice.
        part = path.with_name(f"{path.name}.part")
        part.write_text("".join([head_of(session, **about), *map(line_of, done)]), encoding="utf-8")
        part.replace(path)
        self._file = path.open("a", encoding="utf-8")

    def add(self, result: Result) -> None:
        self._file.write(line_of(result))
        self._file.flush()

    def close(self, *, is_whole: bool) -> None:
        if is_whole:
            self._file.write(END)
        self._file.close()


@dataclass
class Asked:
    """What is asked: the system, the metrics, and how."""

    name: str
    system: Callable[..., Any]
    scorers: Mapping[str, Callable[..., Any]]
    metrics: list[str]
    trials: int
    concurrency: int
    retries: int
    #: The labels of metrics that give some.
    labels: dict[str, Any]


async def ask(
    asked: Asked, todo: Sequence[tuple[Case, int, Result | None]], journal: Journal, progress: Callable[[], None]
) -> list[Result]:
    """Asks for each testcase and trial, unless its answer is known, and returns the scored results."""
    loop = asyncio.get_running_loop()
    places = asyncio.Semaphore(asked.concurrency)
    results: list[Result] = []

    with ThreadPoolExecutor(asked.concurrency, thread_name_prefix="dokima") as threads:

        async def call(function: Callable[[], Any]) -> Any:
            context = contextvars.copy_context()
            value = await loop.run_in_executor(threads, context.run, function)
            return await value if inspect.isawaitable(value) else value

        async def answer(case: Case, result: Result) -> Any:
            for attempt in range(asked.retries + 1):
                try:
                    given = await call(_system_call(asked.system, case.inputs))
                    result.outputs = as_object(given)
                    return given
                except Exception as error:
                    if attempt == asked.retries:
                        result.error = _reason(error)
                        return None
                await asyncio.sleep(0.25 * 2**attempt)

        async def one(case: Case, trial: int, known: Result | None) -> None:
            async with places:
                expected = as_object(case.expected)
                result = Result(asked.name, case.id, trial, as_json(case.inputs), expected, metrics=asked.metrics, labels=asked.labels)
                if known is None:
                    given = await answer(case, result)
                else:
                    given = given_of(known)
                    result.outputs, result.cost_usd = known.outputs, known.cost_usd
                result.bare = is_bare(given)
                if result.error is None:
                    await _score(result, case, given, asked, call)
                journal.add(result)
                results.append(result)
                progress()

        await asyncio.gather(*(one(*each) for each in todo))
    return results


def in_own_loop(work: Coroutine[Any, Any, Any]) -> Any:
    """Runs a coroutine to its end, also where a loop is running already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append((True, asyncio.run(work)))
        except BaseException as error:
            outcome.append((False, error))

    thread = threading.Thread(target=run, name="dokima-evaluate")
    thread.start()
    thread.join()
    ok, value = outcome[0]
    if not ok:
        raise value
    return value
