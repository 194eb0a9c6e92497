"""An agent of Agno with OpenInference."""

from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.models.openai import OpenAIChat
from openinference.instrumentation.agno import AgnoInstrumentor
from scenario import MODEL, QUESTIONS, SESSION, SYSTEM, URL, USER, traced, weather, wind

provider = traced()
AgnoInstrumentor().instrument()
agent = Agent(
    name="weather-agent",
    model=OpenAIChat(id=MODEL, base_url=URL, api_key="local"),
    tools=[weather, wind],
    instructions=SYSTEM,
    db=InMemoryDb(),
    add_history_to_context=True,
    telemetry=False,
)
agent.run(QUESTIONS[0], session_id=SESSION, user_id=USER)
for _ in agent.run(QUESTIONS[1], session_id=SESSION, user_id=USER, stream=True):
    pass
provider.shutdown()
