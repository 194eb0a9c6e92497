"""The pytest plugin. It does nothing unless a test uses `record` or `run_of`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from .. import Dokima, DokimaError
from .results import Labels, Result, Score, Session, as_json, is_score, labels_of, write_results
from .upload import Uploaded, mark_run, upload
from .verdict import compare

TRIAL = "_dokima_trial"
#: Parameters that repeat a test: ours, and the one of pytest-repeat.
REPEATS = (TRIAL, "__pytest_repeat_step_number")
PASSES = "passes"


class Inconclusive(AssertionError):
    """The data does not decide."""


class Record:
    """The data of a testcase that a test records. `inputs` are by default the parameters of the test."""

    def __init__(self, result: Result) -> None:
        self._result = result
        self.inputs: dict[str, Any] = result.inputs
        self.expected: dict[str, Any] = result.expected
        self.outputs: dict[str, Any] = {}
        #: Cost of the call of the system.
        self.cost_usd: float | None = None

    def score(self, metric: str, value: Score, reasoning: str | None = None, *, labels: Labels | None = None) -> None:
        """Scores the record: True or False, 1 to 5 as an int, 0.0 to 1.0 as a float, or a label. The test does not fail by it.

        `labels` says which labels there are, unless the project has the metric: `items`, those that are `passing`, and `ordered`.
        """
        if labels is not None:
            known = labels_of(labels)
            if value not in known["items"]:
                raise ValueError(f"The score of {metric} must be one of {', '.join(map(repr, known['items']))}, not {value!r}.")
            self._result.labels[metric] = known
        elif not is_score(value) or (isinstance(value, float) and value > 1):
            raise ValueError(f"The score of {metric} must be True, False, 1 to 5, 0.0 to 1.0 or a label, not {value!r}.")
        self._result.scores[metric] = value
        if reasoning is not None:
            self._result.reasons[metric] = reasoning


class RunOf:
    """The run that a test function makes in this session."""

    def __init__(self, plugin: Plugin, group: str) -> None:
        self._plugin, self._group = plugin, group

    def assert_better(
        self, than: str, *, margin: float = 0.0, metric: str | None = None, level: float = 0.95, timeout: float = 600.0
    ) -> None:
        """Passes if the run is better than another one; with a margin, if it is not worse by the margin.

        `than` is a mark, the id of a run, or `merge-base:BRANCH`. Fails if the run is worse. Otherwise it is inconclusive, and says
        how many testcases more are needed.
        """
        __tracebackhide__ = True
        verdict, text = self._plugin.compare(self._group, than, margin, metric, level, timeout)
        if verdict == "fail":
            pytest.fail(text, pytrace=False)
        if verdict == "inconclusive":
            if self._plugin.config.getoption("--dokima-inconclusive") == "skip":
                pytest.skip(text)
            raise Inconclusive(text)


class Plugin:
    """Gathers results, and uploads them at the end of the session or when a test asks for a verdict."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.session = Session.start("pytest")
        self.results: list[Result] = []
        self.uploaded: dict[str, Uploaded] = {}
        self.verdicts: list[tuple[str, str]] = []
        self.problem: str | None = None
        self.project: str | None = config.getoption("--dokima-project") or os.environ.get("DOKIMA_PROJECT")
        self.file: str | None = config.getoption("--dokima-file")
        needed = {"DOKIMA_API_KEY": os.environ.get("DOKIMA_API_KEY"), "DOKIMA_PROJECT": self.project}
        #: The missing settings of an upload, if one was requested.
        self.unset = [] if self.file else [name for name, value in needed.items() if not value]
        self.client: Dokima | None = None
        if self.file is None and not self.unset:
            self.client = Dokima()

    def record(self, node: pytest.Item) -> Result:
        marker = node.get_closest_marker("dokima")
        given: dict[str, Any] = dict(marker.kwargs) if marker else {}
        params, trial = dict(getattr(getattr(node, "callspec", None), "params", {})), 1
        case = node.name
        for name in REPEATS:
            if name in params:
                trial = int(params.pop(name)) + 1
        repeats = trial > 1 or any(name in getattr(getattr(node, "callspec", None), "params", {}) for name in REPEATS)
        if repeats:
            # The number of the trial is the last part of the id, or all of it.
            case = re.sub(r"-?(trial\d+|\d+-\d+)\]$", "]", case).removesuffix("[]")
        # A parametrized or repeated test is a separate run. The other tests of a file share one.
        path, function = node.nodeid.split("::", 1)
        own = bool(params) or repeats
        group = given.get("group") or (f"{path}::{function.split('[')[0]}" if own else path)
        if own and case.endswith("]"):
            case = case.split("[", 1)[1][:-1]
        expected = params.pop("expected", {})
        result = Result(
            group=group,
            case=case,
            trial=trial,
            inputs=as_json(params),
            expected=as_json(expected if isinstance(expected, dict) else {"expected": expected}),
            metrics=list(given.get("metrics", [])),
        )
        self.results.append(result)
        return result

    def upload(self, group: str | None = None) -> None:
        assert self.client and self.project
        missing = [one for one in self.results if one.group not in self.uploaded and group in (None, one.group)]
        for made in upload(self.client, self.project, self.session, missing):
            self.uploaded[made.group] = made

    def compare(
        self, group: str, than: str, margin: float, metric: str | None, level: float, timeout: float
    ) -> tuple[str, str]:
        if not any(result.group == group for result in self.results):
            pytest.skip(f"{group} gave no record in this session")
        if self.client is None or self.project is None:
            pytest.skip("offline: nothing to compare with. Upload the results, or set DOKIMA_API_KEY and DOKIMA_PROJECT")
        self.upload(group)
        verdict = compare(
            self.client,
            self.project,
            self.uploaded[group],
            than=than,
            margin=margin,
            metric=metric,
            level=level,
            timeout=timeout,
        )
        if verdict.outcome != "fail":  # pytest shows a failure itself
            self.verdicts.append((group, verdict.text))
        return verdict.outcome, verdict.text

    def write(self, path: str) -> None:
        write_results(Path(path), self.session, self.results)

    def finish(self, passed: bool) -> None:
        """Uploads what is not uploaded yet, or writes the file. Results are never lost: if the upload fails, there is a file."""
        if not self.results:
            return
        if self.client is None:
            self.file = self.file or "dokima-results.jsonl"
            self.write(self.file)
            return
        try:
            self.upload()
            mark = self.config.getoption("--dokima-mark")
            if mark and passed:
                for made in self.uploaded.values():
                    mark_run(self.client, made.run_id, mark)
        except (DokimaError, ValueError) as error:
            self.problem, self.file = str(error), "dokima-results.jsonl"
            self.write(self.file)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Verdicts come after the tests that they are about."""
        items.sort(key=lambda item: "run_of" in getattr(item, "fixturenames", ()))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        output = getattr(self.config, "workeroutput", None)
        if output is not None:  # a process of pytest-xdist: the main one uploads
            output["dokima"] = [asdict(result) for result in self.results]
        else:
            self.finish(passed=exitstatus == 0)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.results += [Result(**one) for one in getattr(node, "workeroutput", {}).get("dokima", [])]

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
        if getattr(report, "dokima_inconclusive", False):
            return "inconclusive", "?", ("INCONCLUSIVE", {"yellow": True})
        return None

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if not self.results:
            return
        write = terminalreporter.write_line
        terminalreporter.section("dokima")
        if self.problem:
            write(f"The results could not be uploaded: {self.problem}")
        if self.unset:
            write(f"{' and '.join(self.unset)} not set, so nothing is uploaded.")
        if self.file:
            write(f"{len(self.results)} results are in {self.file}. Upload them with: dokima-upload {self.file}")
        for made in self.uploaded.values():
            write(f"{made.group}: {_rates(self.client, made)}{made.num_records} records, {made.url}")
        for group, text in self.verdicts:
            write(f"{group}: {text}")


def _rates(client: Dokima | None, made: Uploaded) -> str:
    """Returns the rate of each metric with its interval."""
    try:
        metrics = client.summarize_run(made.run_id)["metrics"] if client else []
    except DokimaError:
        return ""
    texts = []
    for metric in metrics:
        estimate = metric["mean"] or metric["passRate"]
        value, interval = estimate["estimate"], estimate["interval"]
        if value is not None and interval:
            texts.append(f"{metric['metricName']} {value:.3g} ({interval['low']:.3g} … {interval['high']:.3g}), ")
    return "".join(texts)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("dokima", "evaluations with Dokima")
    group.addoption("--dokima-project", metavar="ID", help="Project of the runs. Default: DOKIMA_PROJECT.")
    group.addoption("--dokima-file", metavar="FILE", help="Write the results to this file and upload nothing.")
    group.addoption("--dokima-mark", metavar="MARK", help="Mark the runs if all tests pass, so that later ones compare with them.")
    group.addoption(
        "--dokima-inconclusive",
        choices=["fail", "skip"],
        default="fail",
        help="Effect of an inconclusive verdict. Default: fail.",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "dokima(trials, metrics, group): repeat a test, name metrics that the service scores, name the run."
    )
    config.pluginmanager.register(Plugin(config), "dokima-plugin")


def _plugin(config: pytest.Config) -> Plugin:
    plugin = config.pluginmanager.get_plugin("dokima-plugin")
    assert isinstance(plugin, Plugin)
    return plugin


@pytest.hookimpl(trylast=True)  # the number of the trial then ends the id
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("dokima")
    trials = marker.kwargs.get("trials", 1) if marker else 1
    if trials > 1:
        metafunc.fixturenames.append(TRIAL)
        metafunc.parametrize(TRIAL, range(trials), ids=[f"trial{number + 1}" for number in range(trials)])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    report = yield
    if call.excinfo is not None and call.excinfo.errisinstance(Inconclusive):
        report.dokima_inconclusive = True
    record: Record | None = getattr(item, "_dokima_record", None)
    if record is not None and call.when == "call":
        result = record._result
        result.inputs, result.expected = as_json(record.inputs), as_json(record.expected)
        result.outputs, result.cost_usd = as_json(record.outputs), record.cost_usd
        failed = call.excinfo is not None and call.excinfo.errisinstance(AssertionError)
        # A test that breaks has not answered no: its record has no score.
        if not result.scores and not result.metrics and (call.excinfo is None or failed):
            result.scores[PASSES] = not failed
            if failed and call.excinfo is not None:
                result.reasons[PASSES] = call.excinfo.exconly()[:2000]
    return report


@pytest.fixture
def record(request: pytest.FixtureRequest) -> Record:
    """The record of this test. The test is a testcase; parametrized and repeated tests make one run."""
    made = Record(_plugin(request.config).record(request.node))
    request.node._dokima_record = made
    return made


@pytest.fixture
def run_of(request: pytest.FixtureRequest) -> Callable[[Callable[..., Any] | str], RunOf]:
    """Returns the run that a test function, or a group by its name, makes in this session."""
    path = request.node.nodeid.split("::", 1)[0]

    def find(test: Callable[..., Any] | str) -> RunOf:
        plugin = _plugin(request.config)
        if isinstance(test, str):
            return RunOf(plugin, test)
        groups = {result.group for result in plugin.results}
        marks = getattr(test, "pytestmark", [])
        named = next((mark.kwargs["group"] for mark in marks if mark.name == "dokima" and "group" in mark.kwargs), None)
        own = f"{path}::{'::'.join(test.__qualname__.split('.'))}"
        return RunOf(plugin, named or (own if own in groups else path))

    return find


__all__ = ["Inconclusive", "Record", "RunOf"]
