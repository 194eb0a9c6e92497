"""The same agent in Python. It creates its spans with plain OpenTelemetry and the GenAI semantic conventions."""

import json
import os
import urllib.request

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Status, StatusCode

DOKIMA_URL = os.environ.get("DOKIMA_URL", "http://localhost:3000")
MODEL_URL = os.environ.get("MODEL_URL", "http://127.0.0.1:4010/v1")

provider = TracerProvider(
    resource=Resource.create(
        {"service.name": "weather-agent-py", "dokima.project_id": os.environ["DOKIMA_PROJECT_ID"]}
    )
)
provider.add_span_processor(
    BatchSpanProcessor(
        OTLPSpanExporter(
            endpoint=f"{DOKIMA_URL}/otel/v1/traces",
            headers={"authorization": f"Bearer {os.environ['DOKIMA_API_KEY']}"},
        )
    )
)
trace.set_tracer_provider(provider)
tracer = trace.get_tracer("weather-agent")


def parts(message):
    """Converts a message of OpenAI's API to the form of the conventions."""
    found = [{"type": "text", "content": message["content"]}] if message.get("content") else []
    if message["role"] == "tool":
        found = [
            {"type": "tool_call_response", "id": message["tool_call_id"], "response": message["content"]}
        ]
    for call in message.get("tool_calls") or []:
        function = call["function"]
        found.append(
            {
                "type": "tool_call",
                "id": call["id"],
                "name": function["name"],
                "arguments": json.loads(function["arguments"]),
            }
        )
    return {"role": message["role"], "parts": found}


def chat(messages):
    with tracer.start_as_current_span("chat local-model") as span:
        span.set_attributes(
            {
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": "local",
                "gen_ai.request.model": "local-model",
                "gen_ai.input.messages": json.dumps([parts(message) for message in messages]),
            }
        )
        body = json.dumps({"model": "local-model", "messages": messages}).encode()
        request = urllib.request.Request(
            f"{MODEL_URL}/chat/completions", body, {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request) as response:
            answer = json.load(response)
        message = answer["choices"][0]["message"]
        span.set_attributes(
            {
                "gen_ai.usage.input_tokens": answer["usage"]["prompt_tokens"],
                "gen_ai.usage.output_tokens": answer["usage"]["completion_tokens"],
                "gen_ai.output.messages": json.dumps([parts(message)]),
            }
        )
        return message


calls = 0


def weather(city):
    global calls
    calls += 1
    if calls == 1:
        raise RuntimeError("The station is unavailable.")
    return f"{city}: 3 °C"


def run_tool(call):
    function = call["function"]
    with tracer.start_as_current_span(f"execute_tool {function['name']}") as span:
        span.set_attributes(
            {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": function["name"],
                "gen_ai.tool.call.id": call["id"],
                "gen_ai.tool.call.arguments": function["arguments"],
            }
        )
        try:
            result = weather(**json.loads(function["arguments"]))
        except RuntimeError as error:
            span.record_exception(error)
            span.set_status(Status(StatusCode.ERROR, str(error)))
            result = str(error)
        span.set_attribute("gen_ai.tool.call.result", result)
        return {"role": "tool", "tool_call_id": call["id"], "content": result}


with tracer.start_as_current_span("invoke_agent weather-agent") as root:
    root.set_attributes({"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "weather-agent"})
    messages = [
        {"role": "system", "content": "You say what the weather is."},
        {"role": "user", "content": "How warm is it in Oslo?"},
    ]
    root.set_attribute("gen_ai.input.messages", json.dumps([parts(message) for message in messages]))
    while True:
        message = chat(messages)
        messages.append(message)
        if not message.get("tool_calls"):
            break
        messages.extend(run_tool(call) for call in message["tool_calls"])
    root.set_attribute("gen_ai.output.messages", json.dumps([parts(message)]))

print(message["content"])
provider.shutdown()
