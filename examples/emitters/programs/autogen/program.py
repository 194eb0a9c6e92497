"""An agent of AutoGen with its own telemetry or OpenInference. Usage: `python program.py own`."""

import asyncio
import sys

from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient
from scenario import MODEL, QUESTIONS, SYSTEM, URL, traced, weather, wind

provider = traced(in_session=True)
if sys.argv[1] == "openinference":
    from openinference.instrumentation.autogen_agentchat import AutogenAgentChatInstrumentor

    AutogenAgentChatInstrumentor().instrument()


async def main() -> None:
    agent = AssistantAgent(
        "weather_agent",
        OpenAIChatCompletionClient(model=MODEL, base_url=URL, api_key="local"),
        tools=[weather, wind],
        system_message=SYSTEM,
        max_tool_iterations=5,
    )
    for question in QUESTIONS:
        await agent.run(task=question)


asyncio.run(main())
provider.shutdown()
