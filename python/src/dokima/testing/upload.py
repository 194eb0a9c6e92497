"""Uploads results of tests: a testset and a run for each group, a testcase for each test."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from .. import Dokima, DokimaError, types
from .._score_value import VALUE_FIELDS
from .reading import read_results
from .results import Result, Score, Session, as_json, canonical

#: Largest number of records or testcases in one request.
BATCH = 500


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


#: Begins the case of a result whose testcase is found by its content.
BY_CONTENT = "sha256:"


def _data(result: Result) -> dict[str, Any]:
    """Returns a testcase's fields. An expected field that has the name of an input is renamed."""
    case = {} if result.case.startswith(BY_CONTENT) else {"case": result.case}
    expected = {f"expected_{key}" if key in result.inputs else key: value for key, value in result.expected.items()}
    return dict(as_json({**case, **result.inputs, **expected}))


def _testset(client: Dokima, project: str, group: str, results: Sequence[Result]) -> types.Testset:
    inputs = list(dict.fromkeys(key for result in results for key in result.inputs))
    every = list(dict.fromkeys(key for result in results for key in _data(result)))
    by_name = [] if all(result.case.startswith(BY_CONTENT) for result in results) else ["case"]
    mapping = {"inputs": inputs, "expected": [key for key in every if key not in (*by_name, *inputs)], "metadata": by_name}
    for testset in client.list_testsets(project):
        if testset["name"] == group:
            return testset if by_name else _with_fields(client, testset, mapping)
    about = "Made by tests." if by_name else "Made by evaluate()."
    body: Any = {"name": group, "description": about, "json_schema": {"type": "object"}, "field_mapping": mapping}
    return client.create_testset(project, **body)


def _with_fields(client: Dokima, testset: types.Testset, mapping: dict[str, list[str]]) -> types.Testset:
    """Adds the fields that the testset does not know yet. Systems get only the inputs that it names."""
    known: Any = testset["fieldMapping"]
    every = {key for keys in known.values() for key in keys}
    added = {part: [key for key in keys if key not in every] for part, keys in mapping.items()}
    if not any(added.values()):
        return testset
    whole: Any = {part: [*known[part], *keys] for part, keys in added.items()}
    return client.update_testset(testset["id"], field_mapping=whole)


def _testcases(client: Dokima, testset: types.Testset, results: Sequence[Result]) -> dict[str, str]:
    """Returns the id of each case's testcase. A testcase whose fields differ becomes a new revision of it."""
    wanted = {result.case: _data(result) for result in results}
    by_content = {canonical(result.inputs): result.case for result in results if result.case.startswith(BY_CONTENT)}
    fields = testset["fieldMapping"]["inputs"]
    ids: dict[str, str] = {}
    for testcase in client.list_testcases(testset["id"]):
        data = testcase["jsonData"]
        inputs = canonical({key: data[key] for key in fields if key in data}) if by_content else ""
        case = by_content.get(inputs) or data.get("case")
        if case not in wanted or case in ids:
            continue
        ids[case] = testcase["id"]
        # A testcase that is found by its content may have fields, such as metadata, that the evaluation does not know.
        whole = {**data, **wanted[case]} if inputs in by_content else wanted[case]
        if canonical(data) != canonical(whole):
            client.update_testcase(testcase["id"], json_data=whole)
    new = [case for case in wanted if case not in ids]
    for some in _batched(new):
        made = client.create_testcases(testset["id"], items=[{"jsonData": wanted[case]} for case in some])["items"]
        ids.update(zip(some, (testcase["id"] for testcase in made)))
    return ids


def _batched(items: Sequence[Any]) -> Iterable[Sequence[Any]]:
    return (items[start : start + BATCH] for start in range(0, len(items), BATCH))


def _output_type(name: str, values: Iterable[Score]) -> str:
    kinds = list(values)
    texts = [value for value in kinds if isinstance(value, str)]
    if texts and len(texts) < len(kinds):
        raise ValueError(f"'{name}' gives labels, such as '{texts[0]}', and values that are none.")
    if texts:
        return "category"
    if all(isinstance(value, bool) for value in kinds):
        return "boolean"
    return "int" if all(isinstance(value, int) and not isinstance(value, bool) and value >= 1 for value in kinds) else "float"


def _asked(client: Dokima, project: str, known: list[Any], name: str) -> str:
    """Returns the id of the project's metric with this name or id, else of one that it makes of the ready metric."""
    found = next((metric for metric in known if name in (metric["name"], metric["id"])), None)
    if found is not None:
        return str(found["id"])
    ready = next((one["metric"] for one in client.list_metric_templates()["data"] if one["id"] == name), None)
    if ready is None:
        raise ValueError(f"The project has no metric '{name}', and no ready metric has this id. Create it, or leave it out.")
    there = next((metric for metric in known if metric["name"] == ready["name"]), None)
    return str((there or client.create_metric(project, ready))["id"])


def _category(client: Dokima, project: str, body: Any, found: Any, labels: Any) -> Any:
    """Returns the category, with the labels of the tests if they say them: other labels make another configuration of it."""
    name = body["name"]
    if found is None and labels is None:
        how = f"labels={{'{name}': {{'items': [...], 'passing': [...], 'ordered': True}}}}"
        raise ValueError(f"'{name}' gives labels, and nothing says which of them pass. Name them: {how}. Or create the metric first.")
    if found is None:
        whole: Any = {**body, "labels": labels}
        return client.create_metric(project, whole)
    if labels is not None and canonical(found["labels"]) != canonical(labels):
        change: Any = {"evalType": body["evalType"], "outputType": "category", "labels": labels}
        client.update_metric(found["id"], change)
    return found


def _metrics(client: Dokima, project: str, results: Sequence[Result]) -> tuple[list[str], dict[str, tuple[str, str]]]:
    """Returns the ids of all metrics, and for each name that tests score: its id and the kind of score."""
    known = list(client.list_metrics(project))
    asked = dict.fromkeys(name for result in results for name in result.metrics)
    ids = [_asked(client, project, known, name) for name in asked]
    scored: dict[str, tuple[str, str]] = {}
    # A reason without a score says why it is missing.
    for name in dict.fromkeys(name for result in results for name in (*result.scores, *result.reasons)):
        labels = next((result.labels[name] for result in reversed(results) if name in result.labels), None)
        kind = "category" if labels else _output_type(name, (result.scores[name] for result in results if name in result.scores))
        body: Any = {"name": name, "evalType": "heuristic", "outputType": kind}
        found = next((metric for metric in known if all(metric.get(key) == value for key, value in body.items())), None)
        if kind == "category":
            found = _category(client, project, body, found, labels)
        scored[name] = ((found or client.create_metric(project, body))["id"], kind)
    return list(dict.fromkeys([*ids, *(metric for metric, _ in scored.values())])), scored


def _missing(result: Result, scored: dict[str, tuple[str, str]], awaited: Sequence[str]) -> dict[str, str]:
    """Returns the reason for each metric that will have no score."""
    own = {scored[name][0]: reason for name, reason in result.reasons.items() if name not in result.scores}
    if result.error is None:
        return own
    return {**dict.fromkeys([*awaited, *(metric for metric, _ in scored.values())], result.error), **own}


def _upload_group(client: Dokima, project: str, session: Session, group: str, results: Sequence[Result]) -> Uploaded:
    testset = _testset(client, project, group, results)
    testcases = _testcases(client, testset, results)
    metrics, scored = _metrics(client, project, results)
    tag = f"session:{session.id}"
    # A second upload of the same session continues its run.
    run = client.list_runs(project, tag=tag, testset_id=testset["id"]).first() or client.create_run(
        project, testset_id=testset["id"], metric_ids=metrics, tags=[*session.tags, tag]
    )
    configs = dict(zip(run["metricIds"], run["metricVersionIds"]))
    awaited = [metric for metric in metrics if metric not in {metric for metric, _ in scored.values()}]

    def record(result: Result) -> Any:
        scores = []
        for name, value in result.scores.items():
            metric, kind = scored[name]
            score: dict[str, Any] = {VALUE_FIELDS[kind]: float(value) if kind == "float" else value}
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
        ids = client.create_records(run["id"], items=[record(result) for result in some])["ids"]
        reasons: list[Any] = [
            {"recordId": record_id, "metricConfigId": configs[metric], "reason": reason[:2000]}
            for record_id, result in zip(ids, some)
            for metric, reason in _missing(result, scored, awaited).items()
        ]
        for part in _batched(reasons):
            client.upsert_scores(run["id"], items=list(part))
    for mark in session.marks:
        mark_run(client, run["id"], mark)
    costs = [result.cost_usd for result in results if result.cost_usd is not None]
    url = f"{client.base_url}/projects/{project}/runs/{run['id']}"
    return Uploaded(group, run["id"], testset["id"], url, len(results), sum(costs) if costs else None, awaited)


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
