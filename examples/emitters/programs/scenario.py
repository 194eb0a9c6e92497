"""What every agent in Python does here: two questions in one session, with a tool that works and one that fails."""

import os

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

URL = os.environ["MODEL_URL"]
MODEL = "gpt-4o-mini"
SYSTEM = "You say what the weather is."
QUESTIONS = ("How warm is it in Oslo?", "And tomorrow?")
SESSION = "session-1"
USER = "user-1"


def weather(city: str) -> str:
    """Returns the temperature in a city.

    Args:
        city: Name of the city.
    """
    return f"3 °C in {city}"


def wind(city: str) -> str:
    """Returns the wind in a city.

    Args:
        city: Name of the city.
    """
    raise RuntimeError(f"The station in {city} is unavailable.")


class Session(SpanProcessor):
    """Writes session and user on each span, for frameworks that have no setting for them."""

    def on_start(self, span, parent_context=None):
        span.set_attributes({"session.id": SESSION, "user.id": USER})


def traced(in_session: bool = False) -> TracerProvider:
    """Sets the global provider of tracers: OpenTelemetry's environment variables say where its spans go."""
    provider = TracerProvider()
    if in_session:
        provider.add_span_processor(Session())
    provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    return provider
