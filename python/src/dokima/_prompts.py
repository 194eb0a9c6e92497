"""Prompts by their label, from a cache."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

import httpx

from ._errors import DokimaError
from ._generated import SystemVersionDetails
from ._http import quote


class PromptMessage(TypedDict):
    """One message for a model."""

    role: str
    content: str


@dataclass(frozen=True)
class Prompt:
    """A version of a prompt that can render itself."""

    #: The version as the API gives it: its id, name, labels, note and config.
    version: SystemVersionDetails

    @property
    def id(self) -> str:
        """Id of the version, for records and runs."""
        return str(self.version["id"])

    @property
    def config(self) -> dict[str, Any]:
        """Model, messages, temperature, tools: the configuration of the version."""
        config: dict[str, Any] = self.version["config"]
        return config

    def _templates(self) -> list[PromptMessage]:
        messages, template = self.config.get("messages"), self.config.get("promptTemplate")
        if isinstance(messages, list):
            return messages
        if isinstance(template, str):
            return [{"role": "user", "content": template}]
        name = self.version["systemName"]
        raise DokimaError("NOT_A_PROMPT", f"{name} is not a prompt: it has neither messages nor promptTemplate.")

    def render(self, variables: Mapping[str, Any]) -> list[PromptMessage]:
        """Returns the messages for a model, as the service renders them.

        `variables` are the inputs, `{{ inputs.name }}` in a template. Raises a DokimaError `MISSING_VARIABLE` for a value
        that the prompt needs and `variables` lack. Needs the extra `prompts`.
        """
        try:
            from ._templates import TemplateError, UndefinedError, render
        except ImportError as error:
            raise DokimaError("NO_JINJA", "render() needs Jinja: pip install 'dokima[prompts]'.") from error
        rendered: list[PromptMessage] = []
        for one in self._templates():
            where = f"The {one['role']} message of {self.version['systemName']}, {self.version['name']},"
            try:
                rendered.append({"role": one["role"], "content": render(one["content"], variables)})
            except UndefinedError as error:
                given = ", ".join(variables) or "nothing"
                message = f"{where} needs {error}. render() was given {given}."
                raise DokimaError("MISSING_VARIABLE", message) from error
            except (TemplateError, TypeError, ValueError, ArithmeticError) as error:
                raise DokimaError("TEMPLATE_ERROR", f"{where} cannot be rendered: {error}") from error
        return rendered


@dataclass
class Kept:
    prompt: Prompt
    etag: str | None
    asked_at: float
    renewing: bool = False


@dataclass
class Cache:
    """Versions by their path. A version older than `max_age` is served while it is renewed, or while the service is unavailable."""

    max_age: float
    clock: Callable[[], float]
    kept: dict[str, Kept] = field(default_factory=dict)

    def is_due(self, known: Kept) -> bool:
        """Returns whether to renew it now, and takes that turn. An unavailable service is asked again after `max_age`."""
        if known.renewing or self.clock() - known.asked_at < self.max_age:
            return False
        known.renewing, known.asked_at = True, self.clock()
        return True

    def store(self, path: str, answer: httpx.Response) -> Prompt:
        known = self.kept.get(path)
        if answer.status_code == 304 and known:
            known.asked_at = self.clock()
            return known.prompt
        prompt = Prompt(answer.json())
        self.kept[path] = Kept(prompt, answer.headers.get("etag"), self.clock())
        return prompt

    def etag(self, path: str) -> dict[str, str]:
        known = self.kept.get(path)
        return {"if-none-match": known.etag} if known and known.etag else {}


def path_of(project_id: str, name: str, label: str) -> str:
    return f"/api/v2/projects/{quote(project_id)}/systems/{quote(name)}/versions/{quote(label)}"
