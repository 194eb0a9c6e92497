"""An agent of the OpenAI Agents SDK with OpenInference."""

import asyncio

from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_trace_processors
from openai import AsyncOpenAI
from openinference.instrumentation import using_attributes
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor
from scenario import MODEL, QUESTIONS, SESSION, SYSTEM, URL, USER, traced, weather, wind

provider = traced()
# The SDK would send its own traces to OpenAI.
set_trace_processors([])
OpenAIAgentsInstrumentor().instrument()
model = OpenAIChatCompletionsModel(MODEL, AsyncOpenAI(base_url=URL, api_key="local"))
agent = Agent(
    name="weather-agent",
    instructions=SYSTEM,
    model=model,
    tools=[function_tool(weather), function_tool(wind)],
)


async def main() -> None:
    first = await Runner.run(agent, QUESTIONS[0])
    second = Runner.run_streamed(agent, [*first.to_input_list(), {"role": "user", "content": QUESTIONS[1]}])
    async for _ in second.stream_events():
        pass


with using_attributes(session_id=SESSION, user_id=USER):
    asyncio.run(main())
provider.shutdown()
