"""The result of evaluate()."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import reduce
from html import escape
from operator import add
from pathlib import Path
from typing import Any

from ._figures import amount, points, significant
from ._score_value import value_of_score
from .testing.results import Result
from .testing.upload import Uploaded
from .testing.verdict import Verdict, judge, more_to_tell


HOW = "install the npm package dokima, or name its command in DOKIMA_COMMAND"


class NotBetter(AssertionError):
    """The run is worse than it may be (`outcome` is `fail`), or the data does not decide (`inconclusive`)."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.text)
        self.outcome = verdict.outcome


def _percent(value: float) -> str:
    return significant(100 * value)


def _shown(name: str, values: Sequence[Any]) -> str:
    labels = [value for value in values if isinstance(value, str)]
    if labels:
        order = sorted(set(labels), key=lambda label: label.encode("utf-16-be", "surrogatepass"))
        counts = ", ".join(f"{label} {labels.count(label)}" for label in order)
        return f"{name} {counts} of {len(labels)} scores"
    # Not sum(): from Python 3.12 on it adds more exactly than JavaScript does.
    mean = reduce(add, map(float, values), 0.0) / len(values)
    return f"{name} {significant(mean)} of {len(values)} scores"


class Evaluation:
    """The results of an evaluation: printed, it is a line for each metric with its interval and the verdict."""

    def __init__(self, name: str, results: list[Result], file: Path, *, level: float) -> None:
        self.name, self.results, self.file, self.level = name, results, file, level
        #: The run of the service; None without statistics.
        self.run_id: str | None = None
        #: Address of the run, or of the comparison; None offline.
        self.url: str | None = None
        #: Summary of the run, as `GET /runs/{runId}/summary` gives it.
        self.summary: Any = None
        #: Comparison with the run that `than` names, as `GET /comparisons` gives it.
        self.comparison: Any = None
        self.than: str | None = None
        self._scores: dict[tuple[str, int], dict[str, Any]] = {}

    @property
    def failures(self) -> list[Result]:
        """The results without an answer, each with its `error`."""
        return [result for result in self.results if result.error is not None]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A dict for each testcase and trial: its inputs, what was expected and answered, and a field for each metric."""
        return [
            {
                **{f"inputs.{key}": value for key, value in one.inputs.items()},
                **{f"expected.{key}": value for key, value in one.expected.items()},
                **{f"outputs.{key}": value for key, value in one.outputs.items()},
                "trial": one.trial,
                **dict.fromkeys([name for result in self.results for name in result.scores]),
                **self._scores.get((one.case, one.trial), {}),
                **one.scores,
                "error": one.error,
            }
            for one in self.results
        ]

    def to_pandas(self) -> Any:
        """Returns the rows as a frame of pandas."""
        return importlib.import_module("pandas").DataFrame(self.rows)

    @property
    def metrics(self) -> list[dict[str, Any]]:
        """Each metric with its estimate, its interval and the difference to the run that `than` names."""
        compared = {one["metricId"]: one for one in self._pairs}
        found = []
        for one in self.summary["metrics"] if self.summary else []:
            estimate, is_rate = one["mean"] or one["passRate"], one["mean"] is None
            judge = one.get("judge")
            interval, other = estimate["interval"] or {"low": None, "high": None}, compared.get(one["metricId"])
            found.append(
                {
                    "metric": one["metricName"],
                    "measure": "rate" if is_rate else "mean",
                    "estimate": estimate["estimate"],
                    "low": interval["low"],
                    "high": interval["high"],
                    "n": estimate["n"],
                    "reason": estimate["reason"],
                    "difference": other and other["difference"],
                    "difference_low": other and other["interval"] and other["interval"]["low"],
                    "difference_high": other and other["interval"] and other["interval"]["high"],
                    "verdict": other and other["verdict"],
                    "sentence": other and other["sentence"],
                    "judge": judge and judge["trust"],
                }
            )
        return found

    @property
    def _pairs(self) -> list[Any]:
        return self.comparison["pairs"][0]["metrics"] if self.comparison else []

    def require_better(self, margin: float = 0.0, metric: str | None = None) -> Evaluation:
        """Returns itself if the run is better than the one that `than` names; with a margin, if it is not worse by the margin.

        Raises NotBetter if it is worse, or if the data does not decide. Passes while there is no run to compare with.
        """
        if self.than is None:
            raise ValueError("There is nothing to be better than: give than=… to evaluate().")
        if self.summary is None:
            raise RuntimeError(f"There are no statistics without the command dokima: {HOW}.")
        if self.comparison is None:
            return self
        chosen = [one for one in self._pairs if metric in (None, one["metricName"], one["metricId"])]
        if not chosen:
            raise ValueError(f"The two runs have no {metric or 'metric'} in common.")
        verdicts = [judge(one, margin) for one in chosen]
        for outcome in ("fail", "inconclusive"):
            if any(verdict.outcome == outcome for verdict in verdicts):
                texts = [verdict.text for verdict in verdicts if verdict.outcome != "pass"]
                raise NotBetter(Verdict(outcome, "\n".join(texts)))
        return self

    def __str__(self) -> str:
        link = self.url or f"dokima push {self.file}"
        lines = [" · ".join(filter(None, (self._rate(one), self._difference(one)))) for one in self.metrics] or self._counts()
        failed = [f"{len(self.failures)} of {len(self.results)} calls failed: {self.failures[0].error}"] if self.failures else []
        return "\n".join([*lines[:-1], f"{lines[-1]} · {link}", *failed])

    def __repr__(self) -> str:
        return str(self)

    def _counts(self) -> list[str]:
        names = dict.fromkeys(name for one in self.results for name in one.scores)
        of = {name: [one.scores[name] for one in self.results if name in one.scores] for name in names}
        means = [_shown(name, values) for name, values in of.items()]
        return [f"{', '.join(means) or 'no scores'}, no interval: {HOW}"]

    @staticmethod
    def _rate(one: dict[str, Any]) -> str:
        write = _percent if one["measure"] == "rate" else significant
        if one["estimate"] is None:
            return f"{one['metric']}: {one['reason'] or 'no scores'}"
        unit = " %" if one["measure"] == "rate" else ""
        interval = f"{write(one['low'])} … {write(one['high'])}" if one["low"] is not None else one["reason"]
        trust = f" · judge: {one['judge']}" if one["judge"] else ""
        return f"{one['metric']} {write(one['estimate'])}{unit} ({interval}), n {one['n']}{trust}"

    def _difference(self, one: dict[str, Any]) -> str:
        if self.than is None:
            return ""
        if self.comparison is None:
            return f"nothing is {self.than} yet"
        pair = next((pair for pair in self._pairs if pair["metricName"] == one["metric"]), None)
        if pair is None or pair["difference"] is None or pair["interval"] is None:
            return f"than {self.than}: {pair['reason'] if pair and pair['reason'] else 'nothing to compare'}"
        is_rate = one["measure"] == "rate"
        write = points if is_rate else amount
        low, high = pair["interval"]["low"], pair["interval"]["high"]
        verdict = pair["verdict"]
        if verdict == "cannot tell":
            verdict = f"{verdict}: {more_to_tell(pair)}"
        return f"than {self.than}: {write(pair['difference'])}{' points' if is_rate else ''} ({write(low)} … {write(high)}), {verdict}"

    def _repr_html_(self) -> str:
        cells = [(self._rate(one), self._difference(one), one["verdict"] or "") for one in self.metrics]
        rows = cells or [(text, "", "") for text in self._counts()]
        color = {"better": "#1a7f37", "worse": "#cf222e"}
        body = "".join(
            f"<tr><td>{escape(rate)}</td><td style='color:{color.get(verdict, 'inherit')}'>{escape(difference)}</td></tr>"
            for rate, difference, verdict in rows
        )
        link = f"<a href='{escape(self.url)}'>{escape(self.url)}</a>" if self.url else f"<code>dokima push {escape(str(self.file))}</code>"
        failed = f"<p>{len(self.failures)} of {len(self.results)} calls failed.</p>" if self.failures else ""
        return f"<p><b>{escape(self.name)}</b></p><table>{body}</table>{failed}<p>{link}</p>"

    def _with_run(self, client: Any, project: str, run: Uploaded, offline: bool) -> None:
        self.run_id, self.url = run.run_id, None if offline else run.url
        self.summary = client.summarize_run(run.run_id, level=self.level)
        if run.awaited:
            self._read_scores(client, project, run, self.summary["metrics"])

    def _read_scores(self, client: Any, project: str, run: Uploaded, metrics: Sequence[Any]) -> None:
        """Reads the scores that the service gave, for the rows."""
        names = {one["metricConfigId"]: one["metricName"] for one in metrics if one["metricId"] in run.awaited}
        results = {f"/{one.case}/{one.trial}": (one.case, one.trial) for one in self.results}
        for record in client.list_project_records(project, run_id=run.run_id):
            key = results.get("/" + "/".join((record["otelLinkId"] or "").split("/")[1:]))
            if key is None:
                continue
            given: dict[str, Any] = {name: None for name in names.values()}
            for score in record["scores"]:
                if score["metricConfigId"] in names:
                    given[names[score["metricConfigId"]]] = value_of_score(score["score"])
            self._scores[key] = given

    def _compare(self, client: Any, project: str, than: str, baseline: str | None) -> None:
        self.than = than
        if baseline is None or self.run_id is None:
            return
        self.comparison = client.compare_runs(runs=[baseline, self.run_id], level=self.level)
        if self.url:
            self.url = f"{client.base_url}/projects/{project}/compare?runs={baseline},{self.run_id}"
