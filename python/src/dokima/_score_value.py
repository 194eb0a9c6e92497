"""The value of a score, read in one place: a copy that forgot a field lost the labels of categories in silence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: The field of a score that holds its value, for each kind of metric.
VALUE_FIELDS = {"boolean": "binaryScore", "int": "intScore", "float": "floatScore", "category": "categoryScore"}


def value_of_score(score: Mapping[str, Any] | None) -> Any:
    """Returns the value of a score, for a category its label; None if it has none."""
    return next((score[field] for field in VALUE_FIELDS.values() if score.get(field) is not None), None) if score else None
