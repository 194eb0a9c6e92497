"""evaluate(): from a system and its data to a verdict, with a service or without one."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ._answers import Asked, Case, Journal, as_object, ask, cases_of, in_own_loop, source_of
from ._evaluation import Evaluation
from ._own_service import OwnService, temporary_access
from .testing.reading import read_lines, read_results
from .testing.results import Labels, Result, Session, canonical, labels_of
from .testing.upload import Uploaded, upload
from .testing.verdict import await_scores, find_baseline

FOLDER = Path("dokima-results")


def _named(scores: Any) -> tuple[dict[str, Callable[..., Any]], list[str]]:
    """Returns the functions by the names of their metrics, and the names of metrics that the service scores."""
    scorers: dict[str, Callable[..., Any]] = {}
    metrics: list[str] = []
    for one in [scores] if isinstance(scores, (str, Mapping)) or callable(scores) else scores:
        if isinstance(one, str):
            metrics.append(one)
        elif isinstance(one, Mapping):
            scorers.update(one)
        else:
            name = getattr(one, "__name__", type(one).__name__)
            if name == "<lambda>":
                raise ValueError('A metric needs a name: def a function, or give {"Right city": lambda outputs, expected: …}.')
            scorers[name] = one
    if not scorers and not metrics:
        raise ValueError("scores names no metric.")
    return scorers, metrics


def _labelled(given: Mapping[str, Labels], scorers: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the labels of functions. Raises ValueError for labels that no metric can have, or of another function."""
    found = {}
    for name, one in given.items():
        if name not in scorers:
            raise ValueError(f"labels names '{name}', which is no function of scores.")
        try:
            found[name] = labels_of(one)
        except (KeyError, ValueError) as error:
            raise ValueError(f"labels of '{name}': {error}") from None
    return found


def _files(folder: Path, note: Callable[[str], None] = lambda _: None) -> list[tuple[Path, dict[str, Any], list[Result], bool]]:
    """Returns the readable files of a folder, newest first."""
    found = []
    for path in sorted(folder.glob("*.jsonl"), reverse=True):
        try:
            found.append((path, *read_lines(path)))
        except (ValueError, OSError) as error:
            note(f"Left out: {error}")
    return found


def _open(
    folder: Path,
    file: str | Path | None,
    session: Session,
    about: dict[str, Any],
    wanted: Callable[[Result], bool],
    note: Callable[[str], None],
) -> tuple[Journal, list[Result], Session, dict[tuple[str, int], Result]]:
    """Returns the file to write, what of it is there after a crash, its session, and answers of the same version to reuse."""
    cache: dict[tuple[str, int], Result] = {}
    is_changed = False
    given = Path(file) if file else None
    for path, head, results, is_whole in _files(folder, note) if given is None else []:
        if head.get("system") != about["system"]:
            continue
        answered = [result for result in results if result.error is None]
        if not is_whole and all(head.get(name) == about[name] for name in ("scores", "source")):
            done = [result for result in answered if wanted(result)]
            note(f"{path} was interrupted. Its {len(done)} answers are kept.")
            there = Session(head["id"], head.get("tags", []), session.marks)
            return Journal(path, there, about, done), done, there, cache
        if about["cached"]:
            for result in answered:
                # A file of an older program does not say how its answers were stored.
                if result.bare is not None and (result.case, result.trial) not in cache:
                    cache[result.case, result.trial] = result
                    is_changed = is_changed or head.get("source") != about["source"]
    if is_changed:
        note(f"The source of the system is not that of the answers to '{about['system']}'. If it answers otherwise now, give cache another name.")
    if given is None:
        # Sorts by time.
        now = time.time()
        given = folder / f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now))}{int(now % 1 * 1000):03d}-{session.id[:4]}.jsonl"
    return Journal(given, session, about), [], session, cache


class _Bar:
    """Shows the progress on a terminal."""

    def __init__(self, name: str, total: int, wanted: bool | Callable[[int, int], None] | None) -> None:
        self._name, self._total, self._done = name, total, 0
        self._call = wanted if callable(wanted) else None
        self._shown = wanted is True or (wanted is None and sys.stderr.isatty())

    def step(self, more: int = 1) -> None:
        self._done += more
        if self._call:
            self._call(self._done, self._total)
        elif self._shown:
            filled = 24 * self._done // max(self._total, 1)
            sys.stderr.write(f"\r{self._name} [{'#' * filled}{'-' * (24 - filled)}] {self._done}/{self._total}")
            sys.stderr.flush()

    def end(self) -> None:
        if self._shown and not self._call:
            sys.stderr.write("\r\033[2K")


def _project_of(client: Any, name: str, project: str | None) -> str:
    """Returns the id of the project: the one that is named, else DOKIMA_PROJECT, else the one with the evaluation's name."""
    wanted = project or os.environ.get("DOKIMA_PROJECT") or name
    if wanted.isdigit():
        return wanted
    found = next((one["id"] for one in client.list_projects() if one["name"] == wanted), None)
    return found or str(client.create_project(name=wanted, description="Made by evaluate().")["id"])


def _file_of(than: str, folder: Path, own: Path) -> Path | None:
    """Returns the earlier file that `than` names: its path, `previous`, or a mark."""
    if Path(than).is_file():
        return Path(than)
    for path, head, _, is_whole in _files(folder):
        if is_whole and path.resolve() != own.resolve() and (than == "previous" or than in head.get("marks", [])):
            return path
    return None


def _baseline(client: Any, project: str, run: Uploaded, than: str, folder: Path, own: Path, offline: bool) -> str | None:
    path = _file_of(than, folder, own) if offline or Path(than).is_file() else None
    if path is not None:
        session, results = read_results(path)
        same = [result for result in results if result.group == run.group] or results
        for result in same:
            result.group = run.group
        return upload(client, project, session, same)[0].run_id
    if offline:
        return None
    if than == "previous":
        runs = client.list_runs(project, testset_id=run.testset_id)
        return next((one["id"] for one in runs if int(one["id"]) < int(run.run_id)), None)
    return find_baseline(client, project, run, than)


def _service(client: Any, offline: bool | None) -> tuple[Any, OwnService | None, bool]:
    """Returns the client of the service, or what is about to become one, and whether the service is our own."""
    from . import Dokima

    if client is not None:
        return client, None, False
    if offline is not True and (os.environ.get("DOKIMA_API_KEY") or offline is False):
        return Dokima(), None, False
    given = temporary_access()
    return (Dokima(*given), None, True) if given else (None, OwnService.start(), True)


def evaluate(
    name: str,
    *,
    data: Any,
    system: Callable[..., Any],
    scores: Any,
    labels: Mapping[str, Labels] | None = None,
    trials: int = 1,
    than: str | None = None,
    mark: str | None = None,
    project: str | None = None,
    client: Any = None,
    offline: bool | None = None,
    concurrency: int = 8,
    retries: int = 2,
    cache: str | None = None,
    file: str | Path | None = None,
    tags: Sequence[str] = (),
    level: float = 0.95,
    timeout: float = 600.0,
    progress: bool | Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Calls a system with each row of data, scores its answers, and returns each metric with its interval, and a verdict.

    name: of the evaluation and its testset. data: rows or a frame; `expected` is the expected answer, the other fields are the
    inputs. system: a function, also an async one, of the fields by their names, or of the whole row. scores: functions, whose names
    are those of their metrics, or names of the project's metrics and ids of ready ones. labels: for functions that return labels, the
    `items` of each, those that are `passing`, and whether they are `ordered` from worst to best. than: a mark, the id of a run,
    `merge-base:BRANCH`, `previous`, or a file. mark: marks this run, for a later `than`. cache: a name of the system's version;
    answers of an earlier evaluation with the same name are reused. Without a key (DOKIMA_API_KEY) nothing leaves this machine: the
    numbers come from a service that the command `dokima` starts for this program, and the file can be sent with `dokima push`.
    """
    if trials < 1 or concurrency < 1 or retries < 0:
        raise ValueError("trials and concurrency must be at least 1, and retries at least 0.")
    cases, (scorers, metrics) = cases_of(data), _named(scores)
    labelled = _labelled(labels or {}, scorers)
    found, own, is_offline = _service(client, offline)
    folder = FOLDER / "".join(one if one.isalnum() or one in "-_. " else "_" for one in name)
    session = Session.start("evaluate")
    session.tags += tags
    session.marks = [mark] if mark else []
    source = source_of(system)
    of_scores = source_of(*scorers, *scorers.values(), *metrics, *([canonical(labelled)] if labelled else []))
    about = {"name": name, "system": cache or source, "scores": of_scores, "cached": bool(cache), "source": source}
    expected = {case.id: canonical(as_object(case.expected)) for case in cases}

    def wanted(one: Result) -> bool:
        return one.trial <= trials and expected.get(one.case) == canonical(one.expected)

    def note(text: str) -> None:
        print(f"dokima: {text}", file=sys.stderr)

    journal, done, session, known = _open(folder, file, session, about, wanted, note)
    results = _answers(Asked(name, system, scorers, metrics, trials, concurrency, retries, labelled), cases, done, known, journal, progress, note)
    made = Evaluation(name, results, journal.path, level=level)
    if all(result.error for result in results):
        raise RuntimeError(f"The system gave no answer. The first error: {results[0].error}")
    if own is not None:
        from . import Dokima

        found = Dokima(*own.access())
    if found is None:
        return made
    project_id = _project_of(found, name, None if is_offline else project)
    (run,) = upload(found, project_id, session, results)
    await_scores(found, run, timeout)
    made._with_run(found, project_id, run, is_offline)
    if than is not None:
        made._compare(found, project_id, than, _baseline(found, project_id, run, than, folder, journal.path, is_offline))
    return made


def _answers(
    asked: Asked,
    cases: Sequence[Case],
    done: list[Result],
    known: Mapping[tuple[str, int], Result],
    journal: Journal,
    progress: bool | Callable[[int, int], None] | None,
    note: Callable[[str], None],
) -> list[Result]:
    """Returns the results of all testcases and trials in their order, with those that are there."""
    wanted = {(case.id, trial): case for case in cases for trial in range(1, asked.trials + 1)}
    there = {(result.case, result.trial): result for result in done if (result.case, result.trial) in wanted}
    todo = [(case, key[1], known.get(key)) for key, case in wanted.items() if key not in there]
    reused = sum(result is not None for _, _, result in todo)
    if reused:
        note(f"{reused} answers are reused.")
    bar = _Bar(asked.name, len(wanted), progress)
    bar.step(len(there))
    try:
        made: Iterable[Result] = in_own_loop(ask(asked, todo, journal, bar.step))
    except BaseException:
        journal.close(is_whole=False)
        raise
    finally:
        bar.end()
    journal.close(is_whole=True)
    whole = {**there, **{(result.case, result.trial): result for result in made}}
    return [whole[key] for key in wanted]
