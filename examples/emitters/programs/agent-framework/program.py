"""An agent of Microsoft's agent-framework with its own telemetry."""

import asyncio

from agent_framework import Agent
from agent_framework.observability import enable_instrumentation
from agent_framework.openai import OpenAIChatCompletionClient
from scenario import MODEL, QUESTIONS, SYSTEM, URL, traced, weather, wind

provider = traced(in_session=True)
enable_instrumentation(enable_sensitive_data=True)


async def main() -> None:
    client = OpenAIChatCompletionClient(model=MODEL, base_url=URL, api_key="local")
    agent = Agent(client=client, name="weather-agent", instructions=SYSTEM, tools=[weather, wind])
    session = agent.create_session()
    await agent.run(QUESTIONS[0], session=session)
    async for _ in agent.run(QUESTIONS[1], session=session, stream=True):
        pass


asyncio.run(main())
provider.shutdown()
