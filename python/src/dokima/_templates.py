"""Prompts' templates, rendered by Jinja as the service renders them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, Undefined
from jinja2.exceptions import TemplateError, UndefinedError
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

__all__ = ["TemplateError", "UndefinedError", "render"]


class _Missing(StrictUndefined):
    """A missing value is false in a test; any other use is an error that names it. The same holds for its members."""

    @property
    def _undefined_message(self) -> str:
        path = getattr(self._undefined_obj, "path", None)
        return self._undefined_hint or (f"{path}.{self._undefined_name}" if path else str(self._undefined_name))

    def __bool__(self) -> bool:  # type: ignore[override]
        return False

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(name)
        return self

    def __getitem__(self, key: object) -> Any:
        return self


class _Items(list[Any]):
    """A list whose text is JSON."""

    path = ""

    def __str__(self) -> str:
        return json.dumps(self, ensure_ascii=False)


class _Fields(dict[str, Any]):
    """An object whose text is JSON. It knows its place, for messages about missing members."""

    path = ""

    def __str__(self) -> str:
        return json.dumps(self, ensure_ascii=False)


def _value(value: Any, path: str) -> Any:
    made: _Fields | _Items
    if isinstance(value, Mapping):
        made = _Fields((str(key), _value(item, f"{path}.{key}")) for key, item in value.items())
    elif isinstance(value, (list, tuple)):
        made = _Items(_value(item, f"{path}[{n}]") for n, item in enumerate(value))
    else:
        return value
    made.path = path
    return made


def _shown(value: Any) -> Any:
    if isinstance(value, Undefined):
        hint = value._undefined_hint or ""
        return "" if "inline if" in hint else value
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class _Environment(ImmutableSandboxedEnvironment):
    def getattr(self, obj: Any, attribute: str) -> Any:
        """Returns a field, which comes before a method of the same name: `inputs.items`."""
        if isinstance(obj, _Fields) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


_environment = _Environment(undefined=_Missing, finalize=_shown, extensions=[loopcontrols])
_environment.globals.pop("lipsum", None)  # The service has none: each text of it would differ.
_compiled = lru_cache(maxsize=1000)(_environment.from_string)


def render(template: str, inputs: Mapping[str, Any]) -> str:
    """Returns the text that the service sends to the model for a template and these inputs."""
    values = _value(inputs, "inputs")
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    # A system sees no expected values, and its outputs do not exist yet.
    unseen = {"allOutputs": "{}", "allExpected": "{}", "guidelines": ""}
    nothing = {name: _value({}, name) for name in ("outputs", "expected")}
    return _compiled(template).render(inputs=values, allInputs=text, **nothing, **unseen)
