"""Writes the spans of a framework's agent as OTLP in JSON, for the tests: see recorded/.

Usage: `python record.py pydantic-ai > recorded/pydantic-ai.json`, likewise `openai-agents`, `langchain` and `smolagents`, with
model-server.mjs running. Packages: pydantic-ai-slim[openai], or openai-agents and openinference-instrumentation-openai-agents, or langchain,
langchain-openai and openinference-instrumentation-langchain, or smolagents[openai] and openinference-instrumentation-smolagents;
opentelemetry-exporter-otlp-proto-http with each of them.
"""

import base64
import json
import os
import sys
from collections.abc import Sequence

from google.protobuf.json_format import MessageToDict
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult

URL = os.environ.get("MODEL_URL", "http://127.0.0.1:4010/v1")
SYSTEM = "You say what the weather is."
QUESTION = "How warm is it in Oslo?"
spans: list[ReadableSpan] = []
tries = 0


class Keep(SpanExporter):
    def export(self, batch: Sequence[ReadableSpan]) -> SpanExportResult:
        spans.extend(batch)
        return SpanExportResult.SUCCESS


def look_up(city: str) -> str:
    global tries
    tries += 1
    return "The weather service is unavailable." if tries == 1 else f"3 °C in {city}"


def pydantic_ai(provider: TracerProvider) -> str:
    from pydantic_ai import Agent, InstrumentationSettings, ModelRetry
    from pydantic_ai.capabilities import Instrumentation
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIChatModel("local-model", provider=OpenAIProvider(base_url=URL, api_key="local"))
    agent = Agent(
        model,
        name="weather-agent",
        system_prompt=SYSTEM,
        capabilities=[Instrumentation(settings=InstrumentationSettings(tracer_provider=provider))],
    )

    @agent.tool_plain(retries=2)
    def weather(city: str) -> str:
        found = look_up(city)
        if "unavailable" in found:
            raise ModelRetry(found)
        return found

    return str(agent.run_sync(QUESTION).output)


def openai_agents(provider: TracerProvider) -> str:
    from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_trace_processors
    from openai import AsyncOpenAI
    from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

    # The SDK would send its own traces to OpenAI.
    set_trace_processors([])
    OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
    model = OpenAIChatCompletionsModel("local-model", AsyncOpenAI(base_url=URL, api_key="local"))

    @function_tool(failure_error_function=lambda _, error: str(error))
    def weather(city: str) -> str:
        """Returns the weather of a city."""
        found = look_up(city)
        if "unavailable" in found:
            raise RuntimeError(found)
        return found

    agent = Agent(name="weather-agent", instructions=SYSTEM, model=model, tools=[weather])
    return str(Runner.run_sync(agent, QUESTION).final_output)


def langchain(provider: TracerProvider) -> str:
    from langchain.agents import create_agent
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument(tracer_provider=provider)

    @tool
    def weather(city: str) -> str:
        """Returns the weather of a city."""
        return look_up(city)

    model = ChatOpenAI(model="local-model", base_url=URL, api_key="local")
    agent = create_agent(model, [weather], system_prompt=SYSTEM)
    state = agent.invoke({"messages": [{"role": "user", "content": QUESTION}]})
    return str(state["messages"][-1].content)


def smolagents(provider: TracerProvider) -> str:
    from openinference.instrumentation.smolagents import SmolagentsInstrumentor
    from smolagents import LogLevel, OpenAIServerModel, ToolCallingAgent, tool

    SmolagentsInstrumentor().instrument(tracer_provider=provider)

    @tool
    def weather(city: str) -> str:
        """Returns the weather of a city.

        Args:
            city: Name of the city.
        """
        return look_up(city)

    model = OpenAIServerModel("local-model", api_base=URL, api_key="local")
    agent = ToolCallingAgent([weather], model, instructions=SYSTEM, max_steps=4, verbosity_level=LogLevel.OFF)
    return str(agent.run(QUESTION))


def with_hex_ids(value: object) -> object:
    """OTLP writes ids as hex in JSON, where protobuf's own JSON has base64. Stacks have paths of this machine, so they are left out."""
    if isinstance(value, list):
        return [
            with_hex_ids(one)
            for one in value
            if not (isinstance(one, dict) and one.get("key") == "exception.stacktrace")
        ]
    if not isinstance(value, dict):
        return value
    ids = ("traceId", "spanId", "parentSpanId")
    return {
        key: base64.b64decode(one).hex() if key in ids else with_hex_ids(one) for key, one in value.items()
    }


resource = Resource({"service.name": "weather-agent", "dokima.project_id": "the project"})
tracing = TracerProvider(resource=resource)
tracing.add_span_processor(SimpleSpanProcessor(Keep()))
frameworks = {
    "pydantic-ai": pydantic_ai,
    "openai-agents": openai_agents,
    "langchain": langchain,
    "smolagents": smolagents,
}
run = frameworks[sys.argv[1]]
print(run(tracing), file=sys.stderr)
tracing.shutdown()
message = MessageToDict(encode_spans(spans), use_integers_for_enums=True)
print(json.dumps(with_hex_ids(message), indent=1, ensure_ascii=False))
