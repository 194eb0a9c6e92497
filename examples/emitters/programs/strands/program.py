"""An agent of Strands with its own telemetry."""

from scenario import MODEL, QUESTIONS, SESSION, SYSTEM, URL, USER, traced, weather, wind
from strands import Agent, tool
from strands.models.openai import OpenAIModel

provider = traced()
agent = Agent(
    name="weather-agent",
    model=OpenAIModel(client_args={"base_url": URL, "api_key": "local"}, model_id=MODEL),
    tools=[tool(weather), tool(wind)],
    system_prompt=SYSTEM,
    trace_attributes={"session.id": SESSION, "user.id": USER},
    callback_handler=None,
)
for question in QUESTIONS:
    agent(question)
provider.shutdown()
