"""An agent that calls a model by hand, with the decorators of traceloop-sdk."""

import json

from openai import OpenAI
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from scenario import MODEL, QUESTIONS, SESSION, SYSTEM, URL, USER, weather, wind
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import agent, tool

Traceloop.init(app_name="weather-agent", exporter=OTLPSpanExporter(), disable_batch=True, telemetry_enabled=False)
Traceloop.set_association_properties({"session_id": SESSION, "user_id": USER})
client = OpenAI(base_url=URL, api_key="local")
functions = {"weather": tool(name="weather")(weather), "wind": tool(name="wind")(wind)}
parameters = {"type": "object", "properties": {"city": {"type": "string"}}}
tools = [{"type": "function", "function": {"name": name, "parameters": parameters}} for name in functions]
messages = [{"role": "system", "content": SYSTEM}]


def said(stream: bool):
    """Asks the model, as a stream or not. Returns its text and its calls of tools."""
    if not stream:
        message = client.chat.completions.create(model=MODEL, messages=messages, tools=tools).choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        return message.content, message.tool_calls or []
    chunks = client.chat.completions.create(
        model=MODEL, messages=messages, tools=tools, stream=True, stream_options={"include_usage": True}
    )
    return "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices), []


@agent(name="weather-agent")
def ask(question: str, stream: bool = False) -> str:
    messages.append({"role": "user", "content": question})
    while True:
        text, calls = said(stream)
        if not calls:
            return text
        for call in calls:
            try:
                result = functions[call.function.name](**json.loads(call.function.arguments))
            except RuntimeError as error:
                result = f"Error: {error}"
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


ask(QUESTIONS[0])
ask(QUESTIONS[1], stream=True)
