"""An agent of AG2 with its own telemetry."""

import asyncio

from ag2 import Agent
from ag2.config import OpenAIConfig
from ag2.middleware.builtin.telemetry import TelemetryMiddleware
from scenario import MODEL, QUESTIONS, SESSION, SYSTEM, URL, USER, traced, weather, wind

provider = traced()
telemetry = TelemetryMiddleware(
    agent_name="weather-agent",
    provider_name="openai",
    model_name=MODEL,
    span_attributes={"session.id": SESSION, "user.id": USER},
)


async def main() -> None:
    agent = Agent(
        "weather-agent",
        SYSTEM,
        config=OpenAIConfig(MODEL, base_url=URL, api_key="local", streaming=True),
        tools=[weather, wind],
        middleware=[telemetry],
    )
    first = await agent.ask(QUESTIONS[0])
    await first.ask(QUESTIONS[1])


asyncio.run(main())
provider.shutdown()
