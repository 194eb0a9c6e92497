"""A program that traces with Braintrust's OpenTelemetry exporter. Only its environment says where the traces go."""

import json

from braintrust.otel import BraintrustSpanProcessor
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider

provider = TracerProvider()
provider.add_span_processor(BraintrustSpanProcessor())
trace.set_tracer_provider(provider)
tracer = trace.get_tracer("weather")


def say(span, kind, given, made):
    span.set_attribute("braintrust.span_attributes", json.dumps({"type": kind}))
    span.set_attribute("braintrust.input_json", json.dumps(given))
    span.set_attribute("braintrust.output_json", json.dumps(made))


with tracer.start_as_current_span("how-warm") as root:
    root.set_attribute("braintrust.tags", ["weather", "north"])
    text = "It is 3 °C in Oslo."
    with tracer.start_as_current_span("measure") as tool:
        say(tool, "tool", {"city": "Oslo"}, {"city": "Oslo", "celsius": 3})
    with tracer.start_as_current_span("archive") as archive:
        archive.set_status(trace.StatusCode.ERROR, "The archive is closed.")
    with tracer.start_as_current_span("ask") as chat:
        messages = [
            {"role": "system", "content": "You say what the weather is."},
            {"role": "user", "content": "How warm is it in Oslo?"},
        ]
        say(chat, "llm", messages, [{"role": "assistant", "content": text}])
        chat.set_attribute("braintrust.metadata", json.dumps({"model": "gpt-4o-mini"}))
        chat.set_attribute("braintrust.metrics", json.dumps({"prompt_tokens": 21, "completion_tokens": 9}))
    say(root, "task", "How warm is it in Oslo?", text)
provider.force_flush()
print(text)
