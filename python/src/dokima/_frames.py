"""Records of a run as rows and frames, and frames as runs."""

from __future__ import annotations

import hashlib
import importlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._score_value import value_of_score
from .testing.results import Labels, Result, Session, as_json, canonical, labels_of
from .testing.upload import BY_CONTENT, upload

if TYPE_CHECKING:
    from . import Dokima

PARTS = ("inputs", "expected", "outputs", "scores")


class RunRows:
    """The records of a run. They are read page by page, so that a run of any size can be written to a file."""

    def __init__(self, client: Dokima, run_id: str) -> None:
        self._client, self.run_id = client, run_id

    @property
    def url(self) -> str:
        """Address of the run's page."""
        return f"{self._client.base_url}/projects/{self._project()}/runs/{self.run_id}"

    def _project(self) -> str:
        return self._client.get_run_details(self.run_id).project_id

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yields a flat dict for each record: its fields, and for each metric its value and the reason why it has none."""
        for record in self._client.list_project_records(self._project(), run_id=self.run_id):
            values = {one["metricConfigId"]: one["score"] for one in record["scores"]}
            row: dict[str, Any] = {
                "id": record["id"],
                "run": record["runId"],
                # Records of no testcase lack the field.
                "testcase": record.get("testcaseId"),
                "created": record["createdAt"],
            }
            parts: list[tuple[str, Mapping[str, Any]]] = [
                ("inputs", record["inputs"]),
                ("expected", record["expected"]),
                ("outputs", record["outputs"]),
            ]
            for part, fields in parts:
                row.update({f"{part}.{key}": value for key, value in fields.items()})
            for state in record["scoreStates"]:
                score: Mapping[str, Any] = values.get(state["metricConfigId"]) or {}
                metric = state["metricName"]
                row[f"scores.{metric}"] = value_of_score(score)
                row[f"reasoning.{metric}"] = score.get("reasoning") or state["reason"]
            yield row

    def to_pandas(self) -> Any:
        """Returns the records as a frame of pandas."""
        return importlib.import_module("pandas").DataFrame(list(self))


def _columns(names: Sequence[str], given: Mapping[str, Sequence[str] | None]) -> dict[str, dict[str, str]]:
    """Returns the columns of each part with the names of their fields: those that are named, else those that begin with the part."""
    columns: dict[str, dict[str, str]] = {}
    for part in PARTS:
        named = given[part]
        if named is None:
            start = f"{part}."
            columns[part] = {name: name.removeprefix(start) for name in names if name.startswith(start)}
        else:
            missing = [name for name in named if name not in names]
            if missing:
                raise ValueError(f"The frame has no column {', '.join(missing)}. It has: {', '.join(names)}")
            columns[part] = {name: name.removeprefix(f"{part}.") for name in named}
    if not columns["inputs"] or not columns["outputs"]:
        raise ValueError("Name the columns with inputs=[…] and outputs=[…], or call them inputs.question and outputs.answer.")
    return columns


def _plain(value: Any) -> Any:
    """Returns a cell as JSON has it: a missing one is None, and numbers of NumPy are Python's."""
    value = value.item() if hasattr(value, "item") else value
    is_missing = type(value).__name__ in ("NaTType", "NAType") or (isinstance(value, float) and value != value)
    return None if is_missing else value


def push_frame(
    client: Dokima, project: str, name: str, frame: Any, tags: Sequence[str], given: Mapping[str, Sequence[str] | None], labels: Mapping[str, Labels]
) -> RunRows:
    """Makes a run of a frame: a record for each row, in the testset of the name."""
    columns = _columns([str(column) for column in frame.columns], given)
    known = {metric: labels_of(one) for metric, one in labels.items()}
    trials: Counter[str] = Counter()
    results = []
    for row in frame.to_dict("records"):
        cells = {part: {field: _plain(row[column]) for column, field in names.items()} for part, names in columns.items()}
        case = BY_CONTENT + hashlib.sha256(canonical(cells["inputs"]).encode()).hexdigest()[:16]
        # Rows with equal inputs are trials of one testcase.
        trials[case] += 1
        scores = {field: value for field, value in cells["scores"].items() if value is not None}
        absent = {field: "The frame has no value." for field, value in cells["scores"].items() if value is None}
        json = {part: as_json(cells[part]) for part in ("inputs", "expected", "outputs")}
        results.append(Result(name, case, trials[case], **json, scores=scores, reasons=absent, labels=known))
    if not results:
        raise ValueError("The frame has no rows.")
    session = Session.start("push_frame")
    session.tags += tags
    (run,) = upload(client, project, session, results)
    return RunRows(client, run.run_id)
