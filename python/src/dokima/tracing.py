"""Traces of your functions. Needs the extra `otel`."""

from __future__ import annotations

import functools
import inspect
import json
import os
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast, overload

try:
    from opentelemetry import trace as otel
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
except ImportError as error:
    raise ImportError("Traces need more packages: pip install 'dokima[otel]'") from error

P = ParamSpec("P")
R = TypeVar("R")


def send_traces(
    *, service: str | None = None, base_url: str | None = None, api_key: str | None = None, project: str | None = None
) -> TracerProvider:
    """Sends this program's traces to Dokima, in addition to their other destinations. Returns the provider, to flush it.

    The defaults are DOKIMA_URL, DOKIMA_API_KEY and DOKIMA_PROJECT. The last spans are sent when the program ends.
    """
    from . import Dokima

    with Dokima(base_url, api_key) as settings:
        root, key = settings.base_url, settings.api_key
    project = project or os.environ.get("DOKIMA_PROJECT")
    provider = otel.get_tracer_provider()
    if not isinstance(provider, TracerProvider):
        provider = TracerProvider(resource=Resource.create({"service.name": service} if service else {}))
        otel.set_tracer_provider(provider)
    exporter = OTLPSpanExporter(
        endpoint=f"{root}/otel/v1/traces", headers={"Authorization": f"Bearer {key}"} if key else {}
    )
    provider.add_span_processor(_ProjectProcessor(exporter, project))
    return provider


class _ProjectProcessor(BatchSpanProcessor):
    """Names the project on each span: the provider may be someone else's, with its own resource."""

    def __init__(self, exporter: OTLPSpanExporter, project: str | None) -> None:
        super().__init__(exporter)
        self._project = project

    def on_start(self, span: Any, parent_context: Any = None) -> None:
        if self._project:
            span.set_attribute("dokima.project_id", self._project)
        super().on_start(span, parent_context)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=repr)


@overload
def traced(function: Callable[P, R]) -> Callable[P, R]: ...
@overload
def traced(*, name: str | None = None, kind: str = "CHAIN") -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def traced(function: Callable[P, R] | None = None, *, name: str | None = None, kind: str = "CHAIN") -> Any:
    """Makes a span of each call of the function, with its arguments and its result. Works for `async` functions too.

    `kind` is one of OpenInference: CHAIN, AGENT, TOOL, LLM, RETRIEVER.
    """
    if function is None:
        return functools.partial(traced, name=name, kind=kind)
    label = name or function.__name__
    signature = inspect.signature(function)
    tracer = otel.get_tracer("dokima")

    def start(args: Any, kwargs: Any) -> Any:
        given = dict(signature.bind(*args, **kwargs).arguments)
        given.pop("self", None)
        attributes = {"openinference.span.kind": kind, "input.value": _text(given), "input.mime_type": "application/json"}
        return tracer.start_as_current_span(label, attributes=attributes)

    def end(span: Any, result: Any) -> None:
        span.set_attribute("output.value", _text(result))
        span.set_attribute("output.mime_type", "text/plain" if isinstance(result, str) else "application/json")

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def waits(*args: Any, **kwargs: Any) -> Any:
            with start(args, kwargs) as span:
                result = await function(*args, **kwargs)
                end(span, result)
                return result

        return waits

    @functools.wraps(function)
    def calls(*args: P.args, **kwargs: P.kwargs) -> R:
        with start(args, kwargs) as span:
            result = function(*args, **kwargs)
            end(span, result)
            return result

    return cast(Callable[P, R], calls)


__all__ = ["send_traces", "traced"]
