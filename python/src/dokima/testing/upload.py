"""Uploads results of tests: a testset and a run for each group, a testcase for each test."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from .. import Dokima, DokimaError
from .results import Result, Score, Session, as_json, read_results

#: Largest number of records or testcases in one request.
BATCH = 500
FIELDS = {"boolean": "binaryScore", "int": "intScore", "float": "floatScore"}


@dataclass
class Uploaded:
    """A run that was made from a group of tests."""

    group: str
    run_id: str
    testset_id: str
    url: str
    num_records: int
    cost_usd: float | None
    #: Metrics that the service scores.
    awaited: list[str]


def _data(result: Result) -> dict[str, Any]:
    """Returns a testcase's fields. An expected field that has the name of an input is renamed."""
    expected = {f"expected_{key}" if key in result.inputs else key: value for key, value in result.expected.items()}
    return dict(as_json({"case": result.case, **result.inputs, **expected}))


def _testset(client: Dokima, project: str, group: str, results: Sequence[Result]) -> str:
    inputs = list(dict.fromkeys(key for result in results for key in result.inputs))
    every = list(dict.fromkeys(key for result in results for key in _data(result)))
    mapping = {"inputs": inputs, "expected": [key for key in every if key not in ("case", *inputs)], "metadata": ["case"]}
    for testset in client.list_testsets(project):
        if testset["name"] == group:
            return testset["id"]
    body: Any = {"name": group, "description": "Made by tests.", "json_schema": {"type": "object"}, "field_mapping": mapping}
    return client.create_testset(project, **body)["id"]


def _testcases(client: Dokima, testset: str, results: Sequence[Result]) -> dict[str, str]:
    """Returns the id of each case's testcase. A testcase whose fields differ becomes a new revision of it."""
    wanted = {result.case: _data(result) for result in results}
    ids: dict[str, str] = {}
    for testcase in client.list_testcases(testset):
        case = testcase["jsonData"].get("case")
        if case not in wanted or case in ids:
            continue
        ids[case] = testcase["id"]
        if testcase["jsonData"] != wanted[case]:
            client.update_testcase(testcase["id"], json_data=wanted[case])
    new = [case for case in wanted if case not in ids]
    for some in _batched(new):
        made = client.create_testcases(testset, items=[{"jsonData": wanted[case]} for case in some])["items"]
        ids.update(zip(some, (testcase["id"] for testcase in made)))
    return ids


def _batched(items: Sequence[Any]) -> Iterable[Sequence[Any]]:
    return (items[start : start + BATCH] for start in range(0, len(items), BATCH))


def _output_type(values: Iterable[Score]) -> str:
    kinds = list(values)
    if all(isinstance(value, bool) for value in kinds):
        return "boolean"
    return "int" if all(isinstance(value, int) and not isinstance(value, bool) and value >= 1 for value in kinds) else "float"


def _metrics(client: Dokima, project: str, results: Sequence[Result]) -> tuple[list[str], dict[str, tuple[str, str]]]:
    """Returns the ids of all metrics, and for each name that tests score: its id and the kind of score."""
    known = list(client.list_metrics(project))
    ids: list[str] = []
    for name in dict.fromkeys(name for result in results for name in result.metrics):
        found = next((metric for metric in known if name in (metric["name"], metric["id"])), None)
        if found is None:
            raise ValueError(f"The project has no metric '{name}'. Create it, or leave it out of metrics=[…].")
        ids.append(found["id"])
    scored: dict[str, tuple[str, str]] = {}
    for name in dict.fromkeys(name for result in results for name in result.scores):
        kind = _output_type(result.scores[name] for result in results if name in result.scores)
        body: Any = {"name": name, "evalType": "heuristic", "outputType": kind}
        found = next((metric for metric in known if all(metric.get(key) == value for key, value in body.items())), None)
        scored[name] = ((found or client.create_metric(project, body))["id"], kind)
    return list(dict.fromkeys([*ids, *(metric for metric, _ in scored.values())])), scored


def _upload_group(client: Dokima, project: str, session: Session, group: str, results: Sequence[Result]) -> Uploaded:
    testset = _testset(client, project, group, results)
    testcases = _testcases(client, testset, results)
    metrics, scored = _metrics(client, project, results)
    tag = f"session:{session.id}"
    # A second upload of the same session continues its run.
    run = client.list_runs(project, tag=tag, testset_id=testset).first() or client.create_run(
        project, testset_id=testset, metric_ids=metrics, tags=[*session.tags, tag]
    )
    configs = dict(zip(run["metricIds"], run["metricVersionIds"]))

    def record(result: Result) -> Any:
        scores = []
        for name, value in result.scores.items():
            metric, kind = scored[name]
            score: dict[str, Any] = {FIELDS[kind]: float(value) if kind == "float" else value}
            if name in result.reasons:
                score["reasoning"] = result.reasons[name]
            scores.append({"metricConfigId": configs[metric], "score": score})
        return {
            "testcaseId": testcases[result.case],
            "inputs": as_json(result.inputs),
            "expected": as_json(result.expected),
            "outputs": as_json(result.outputs),
            "otelLinkId": f"{session.id}/{result.case}/{result.trial}"[-256:],
            "scores": scores,
        }

    for some in _batched(results):
        client.create_records(run["id"], items=[record(result) for result in some])
    costs = [result.cost_usd for result in results if result.cost_usd is not None]
    url = f"{client.base_url}/projects/{project}/runs/{run['id']}"
    awaited = [metric for metric in metrics if metric not in {metric for metric, _ in scored.values()}]
    return Uploaded(group, run["id"], testset, url, len(results), sum(costs) if costs else None, awaited)


def upload(client: Dokima, project: str, session: Session, results: Iterable[Result]) -> list[Uploaded]:
    """Uploads results. The same session can be uploaded again: nothing is stored twice."""
    groups = groupby(sorted(results, key=lambda result: result.group), lambda result: result.group)
    return [_upload_group(client, project, session, group, list(some)) for group, some in groups]


def mark_run(client: Dokima, run_id: str, mark: str) -> None:
    """Marks a run, as `dokima gate --mark` does."""
    marks = client.get_run_details(run_id)["marks"]
    if mark not in marks:
        client.update_run_details(run_id, marks=[*marks, mark])


def main() -> int:
    """The program `dokima-upload`."""
    parser = argparse.ArgumentParser(description="Upload results that tests wrote to a file while they were offline.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--project", default=os.environ.get("DOKIMA_PROJECT"), help="Default: DOKIMA_PROJECT.")
    parser.add_argument("--mark", help="Mark the runs, so that later ones are compared with them.")
    given = parser.parse_args()
    if not given.project:
        parser.error("--project is missing")
    try:
        session, results = read_results(given.file)
        with Dokima() as client:
            for one in upload(client, given.project, session, results):
                if given.mark:
                    mark_run(client, one.run_id, given.mark)
                print(f"{one.group}: run {one.run_id}, {one.num_records} records, {one.url}")
    except (DokimaError, ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
