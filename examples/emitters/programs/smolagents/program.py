"""An agent of smolagents with OpenInference."""

from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from scenario import MODEL, QUESTIONS, SYSTEM, URL, traced, weather, wind
from smolagents import OpenAIModel, ToolCallingAgent, tool

provider = traced(in_session=True)
SmolagentsInstrumentor().instrument()
agent = ToolCallingAgent(
    name="weather_agent",
    model=OpenAIModel(MODEL, api_base=URL, api_key="local"),
    tools=[tool(weather), tool(wind)],
    instructions=SYSTEM,
)
agent.run(QUESTIONS[0])
for _ in agent.run(QUESTIONS[1], reset=False, stream=True):
    pass
provider.shutdown()
