"""An OpenAI client with an instrumentation that creates its spans.

Usage: `python instrumented.py openinference` or `python instrumented.py openllmetry`.
OpenTelemetry's environment variables set everything else. See README.md.
"""

import os
import sys

from openai import OpenAI
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)

if sys.argv[1] == "openinference":
    from openinference.instrumentation.openai import OpenAIInstrumentor
else:
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor
OpenAIInstrumentor().instrument()

client = OpenAI(base_url=os.environ.get("MODEL_URL", "http://127.0.0.1:4010/v1"), api_key="local")
messages = [
    {"role": "system", "content": "You say what the weather is."},
    {"role": "user", "content": "How warm is it in Oslo?"},
]
with trace.get_tracer("weather-agent").start_as_current_span("turn"):
    while True:
        answer = client.chat.completions.create(model="local-model", messages=messages).choices[0].message
        messages.append(answer.model_dump(exclude_none=True))
        if not answer.tool_calls:
            break
        for call in answer.tool_calls:
            messages.append({"role": "tool", "tool_call_id": call.id, "content": "3 °C"})

print(answer.content)
provider.shutdown()
