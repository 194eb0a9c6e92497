"""An agent of CrewAI with OpenInference or OpenLLMetry. Usage: `python program.py openinference`."""

import sys

from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool
from scenario import MODEL, QUESTIONS, SYSTEM, URL, traced, weather, wind

provider = traced(in_session=True)
if sys.argv[1] == "openinference":
    from openinference.instrumentation.crewai import CrewAIInstrumentor
    from openinference.instrumentation.openai import OpenAIInstrumentor
else:
    from opentelemetry.instrumentation.crewai import CrewAIInstrumentor
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor
CrewAIInstrumentor().instrument()
OpenAIInstrumentor().instrument()
agent = Agent(
    role="weather-agent",
    goal=SYSTEM,
    backstory=SYSTEM,
    llm=LLM(model=MODEL, base_url=URL, api_key="local"),
    tools=[tool("weather")(weather), tool("wind")(wind)],
)
for question in QUESTIONS:
    task = Task(description=question, expected_output="The weather.", agent=agent)
    Crew(agents=[agent], tasks=[task]).kickoff()
provider.shutdown()
