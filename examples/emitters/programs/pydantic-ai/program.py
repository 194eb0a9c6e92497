"""An agent of Pydantic AI with its own telemetry, which Logfire shows."""

import asyncio

from pydantic_ai import Agent, InstrumentationSettings
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from scenario import MODEL, QUESTIONS, SYSTEM, URL, traced, weather, wind

from pydantic_ai import ModelRetry

provider = traced(in_session=True)
model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=URL, api_key="local"))
agent = Agent(
    model,
    name="weather-agent",
    instructions=SYSTEM,
    capabilities=[Instrumentation(settings=InstrumentationSettings(tracer_provider=provider))],
)
agent.tool_plain(weather)


@agent.tool_plain(retries=2, name="wind")
def failing_wind(city: str) -> str:
    """Returns the wind in a city."""
    try:
        return wind(city)
    except RuntimeError as error:
        raise ModelRetry(str(error)) from error


async def main() -> None:
    first = await agent.run(QUESTIONS[0])
    async with agent.run_stream(QUESTIONS[1], message_history=first.all_messages()) as second:
        await second.get_output()


asyncio.run(main())
provider.shutdown()
