"""A LangChain agent with an instrumentation that creates its spans.

Usage: `python langchain_agent.py openinference` or `python langchain_agent.py openllmetry`.
OpenTelemetry's environment variables set everything else. See README.md.
"""

import os
import sys

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)

if sys.argv[1] == "openinference":
    from openinference.instrumentation.langchain import LangChainInstrumentor
else:
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor as LangChainInstrumentor
LangChainInstrumentor().instrument()

tries = 0


@tool
def weather(city: str) -> str:
    """Returns the weather of a city."""
    global tries
    tries += 1
    return "The weather service is unavailable." if tries == 1 else f"3 °C in {city}"


model = ChatOpenAI(
    model="local-model", base_url=os.environ.get("MODEL_URL", "http://127.0.0.1:4010/v1"), api_key="local"
)
agent = create_agent(model, [weather], system_prompt="You say what the weather is.")
state = agent.invoke({"messages": [{"role": "user", "content": "How warm is it in Oslo?"}]})
print(state["messages"][-1].content)
provider.shutdown()
