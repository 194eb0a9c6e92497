"""Says whether a run is better than another. The service computes; this reads its answer."""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any, Literal

from .. import Dokima, types
from .._figures import amount, points, significant
from .upload import Uploaded

Outcome = Literal["pass", "fail", "inconclusive"]


@dataclass
class Verdict:
    """Outcome of a comparison, with the reason in words."""

    outcome: Outcome
    text: str


def _history(branch: str) -> list[str]:
    """Returns the commits of a branch from where HEAD left it, newest first."""
    for name in (f"origin/{branch}", branch):
        base = subprocess.run(["git", "merge-base", "HEAD", name], capture_output=True, text=True)
        if base.returncode == 0:
            command = ["git", "rev-list", "--first-parent", "--max-count=500", base.stdout.strip()]
            return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    raise ValueError(f"git knows no common commit of HEAD and {branch}. In CI, fetch the whole history of both.")


def find_baseline(client: Dokima, project: str, run: Uploaded, than: str) -> str | None:
    """Returns the run that `than` names: an id, `merge-base:BRANCH`, or a mark."""
    if than.isdigit():
        return than
    if than.startswith("merge-base:"):
        history = _history(than.removeprefix("merge-base:"))
        found: dict[str, str] = {}
        for one in client.list_run_details(project, testset_id=run.testset_id):
            if one["id"] != run.run_id and one["status"] == "completed":
                for tag in one["tags"]:
                    found.setdefault(tag, one["id"])
        return next((found[f"commit:{commit}"] for commit in history if f"commit:{commit}" in found), None)
    runs = client.list_runs(project, mark=than, testset_id=run.testset_id)
    return next((one["id"] for one in runs if int(one["id"]) < int(run.run_id)), None)


def await_scores(client: Dokima, run: Uploaded, timeout: float) -> None:
    """Waits until the service has scored what it was asked to, or until it cannot go on."""
    end = time.monotonic() + timeout
    while run.awaited and time.monotonic() < end:
        progress = client.get_run_details(run.run_id)["progress"]
        pending = [one for one in progress["metrics"] if one["pending"] and one["metricId"] in run.awaited]
        if not pending or progress["reason"] or progress["stoppedBy"]:
            return
        if client.get_run(run.run_id)["status"] == "awaiting_human_scoring":
            return
        time.sleep(0.5)


# Standard normal quantile of .8, the power that the service plans with.
_Z_OF_POWER = 0.8416212335729143


def _odds(share: float) -> float:
    return share / (1 - share)


# Beyond this multiple of its testcases, a comparison is not decided by more of them in practice.
_MOST_TIMES = 100


def _rounded_up(count: int) -> int:
    """Two digits, upwards: the figure it comes from is an estimate."""
    unit: int = 10 ** max(0, floor(log10(count)) - 1)
    return ceil(count / unit) * unit


def _is_mean(metric: Any) -> bool:
    return metric["outputType"] in ("int", "float")


def _size(metric: Any, value: float, digits: int = 3) -> str:
    """Writes an amount of a metric: shares in points, means as they are."""
    return significant(value, digits) if _is_mean(metric) else f"{significant(100 * value, digits)} points"


def _more_needed(metric: Any, margin: float, wanted: str) -> str:
    """Says about how many more testcases decide if the difference stays as it is, as the gate does."""
    n, difference, interval = metric["n"], metric["difference"], metric["simultaneousInterval"]
    error = metric["standardError"]
    if error is None:
        return "how many more are needed is not known"
    distance = difference + margin
    if distance < 1e-9:
        detectable = metric["minimumDetectable"]
        seen = f"; n = {n} can show only a difference of {_size(metric, detectable)} or more" if detectable else ""
        return f"if the difference stays so, no number of testcases shows that it is {wanted}{seen}"
    half = difference - interval["low"]
    if error > 0:  # Miller 2024
        times = ((half + _Z_OF_POWER * error) / distance) ** 2
    elif half < 1 and distance < 1:  # no pair differs: the ends of Tango's interval are z²/(n + z²) away
        times = _odds(half) / _odds(distance)
    else:
        times = half / distance
    if times > _MOST_TIMES:
        return f"more than {_MOST_TIMES} times as many testcases are needed"
    return f"about {_rounded_up(max(ceil(n * times) - n, 1)):,} more needed"


def more_to_tell(metric: Any) -> str:
    """Says about how many more testcases tell the two runs apart, if the difference stays as it is."""
    difference, interval = metric["difference"], metric["simultaneousInterval"]
    if difference is None or not interval or metric["standardError"] is None:
        return "how many more are needed is not known"
    if difference < 0:
        mirrored = {"low": -interval["high"], "high": -interval["low"]}
        metric = {**metric, "difference": -difference, "simultaneousInterval": mirrored}
    if metric["difference"] < 1e-9:
        detectable = metric["minimumDetectable"]
        if not detectable:
            return "no pair differs"
        shown = f"shows only {significant(100 * detectable)} points or more"
        return f"n = {metric['n']} {'does not show it' if _is_mean(metric) else shown}"
    return _more_needed(metric, 0.0, "different")


def _decisive(metric: Any) -> Any:
    """Returns what decides: the difference as people would judge it, if they scored a random sample of both runs."""
    if metric["conclusion"]["basis"] != "people" or metric["corrected"] is None:
        return metric
    return {**metric, **metric["corrected"], "minimumDetectable": None}


def judge(compared: Any, margin: float) -> Verdict:
    """Decides one metric as the rules superiority and nonInferiority of a gate do."""
    metric = _decisive(compared)
    name, n, difference = metric["metricName"], metric["n"], metric["difference"]
    interval = metric["simultaneousInterval"]
    if interval is None or difference is None:
        return Verdict("inconclusive", f"{name}: {metric['reason'] or 'there are no scores to compare'}")
    level = f"{significant(100 * metric['simultaneousLevel'], 4)} %"
    write, unit = (amount, "") if _is_mean(metric) else (points, " points")
    seen = f"{name}: {write(difference)}{unit} ({level}: {write(interval['low'])} … {write(interval['high'])}, n = {n})"
    missing = f" {metric['missing']['sentence']}" if metric["missing"] else ""
    # Without a margin the service's own verdict counts, which needs the interval and the test.
    better = metric["verdict"] == "better" if margin == 0 else interval["low"] > -margin
    worse = metric["verdict"] == "worse" if margin == 0 else interval["high"] < -margin
    size = _size(metric, abs(margin), 4)
    wanted = "better" if margin == 0 else f"{'not worse' if margin > 0 else 'better'} by {size}"
    # Missing scores are no passes: they may not be able to undo what is shown.
    lacks = metric["missing"]
    safe = not lacks or (lacks["holds"] is True if margin == 0 else lacks["range"]["low"] > -margin)
    if better and safe:
        return Verdict("pass", f"{seen}{missing}")
    if better:
        return Verdict("inconclusive", f"{seen}; the missing scores may undo it.{missing}")
    if worse:
        return Verdict("fail", f"{seen}; wanted: {wanted}.{missing}")
    more = _more_needed(metric, margin, wanted)
    return Verdict("inconclusive", f"{seen}; {more}.{missing}")


def _cost(summary: types.RunSummary, run: Uploaded) -> str:
    costs = [metric["cost"]["costUsd"] for metric in summary["metrics"] if metric["cost"]]
    known = [cost for cost in costs if cost is not None]
    parts = [f"judges ${significant(sum(known), 4)}" if known else "judges: cost not known"] if costs else ["no judge was called"]
    if run.cost_usd is not None:
        parts.append(f"system ${significant(run.cost_usd, 4)}")
    return f"Cost of {run.num_records} records: {', '.join(parts)}."


def compare(
    client: Dokima,
    project: str,
    run: Uploaded,
    *,
    than: str,
    margin: float = 0.0,
    metric: str | None = None,
    level: float = 0.95,
    timeout: float = 600.0,
) -> Verdict:
    """Compares a run with an earlier one.

    pass: every metric is better, or with a margin: not worse than by the margin. fail: one is shown to be worse. Otherwise inconclusive.
    """
    await_scores(client, run, timeout)
    cost = _cost(client.summarize_run(run.run_id, level=level), run)
    baseline = find_baseline(client, project, run, than)
    if baseline is None:
        return Verdict("pass", f"There is no run to compare with yet: no earlier run is {than}. {cost}")
    answer = client.compare_runs(runs=[baseline, run.run_id], level=level)
    metrics = [one for one in answer["pairs"][0]["metrics"] if metric in (None, one["metricName"], one["metricId"])]
    if not metrics:
        return Verdict("inconclusive", f"Run {run.run_id} and run {baseline} have no {metric or 'metric'} in common. {cost}")
    verdicts = [judge(one, margin) for one in metrics]
    outcome = next((one for one in ("fail", "inconclusive") if any(v.outcome == one for v in verdicts)), "pass")
    order = ("fail", "inconclusive", "pass")
    lines = [v.text for v in sorted(verdicts, key=lambda v: order.index(v.outcome))]
    head = f"{outcome}: run {run.run_id} against run {baseline} ({than})"
    return Verdict(outcome, "\n".join([head, *lines, cost, run.url.replace(f"runs/{run.run_id}", f"compare?runs={baseline},{run.run_id}")]))  # type: ignore[arg-type]
