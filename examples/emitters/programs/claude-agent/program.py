"""An agent of the Claude Agent SDK with its own telemetry."""

import asyncio
import os

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, create_sdk_mcp_server, tool

QUESTIONS = ("How warm is it in Oslo?", "And tomorrow?")


@tool("weather", "Returns the temperature in a city.", {"city": str})
async def weather(args):
    return {"content": [{"type": "text", "text": f"3 °C in {args['city']}"}]}


@tool("wind", "Returns the wind in a city.", {"city": str})
async def wind(args):
    raise RuntimeError(f"The station in {args['city']} is unavailable.")


async def main() -> None:
    options = ClaudeAgentOptions(
        model="gpt-4o-mini",
        system_prompt="You say what the weather is.",
        mcp_servers={"station": create_sdk_mcp_server("station", tools=[weather, wind])},
        allowed_tools=["mcp__station__weather", "mcp__station__wind"],
        setting_sources=[],
        include_partial_messages=True,
        env={
            "ANTHROPIC_BASE_URL": os.environ["MODEL_URL"].removesuffix("/v1"),
            "ANTHROPIC_API_KEY": "local",
            # The tools are in each request, so that the model need not search for them.
            "ENABLE_TOOL_SEARCH": "false",
            "ENABLE_BETA_TRACING_DETAILED": "1",
            "BETA_TRACING_ENDPOINT": os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"],
            "ANTHROPIC_DEFAULT_HAIKU_MODEL": "gpt-4o-mini",
        },
    )
    async with ClaudeSDKClient(options) as client:
        for question in QUESTIONS:
            await client.query(question)
            async for _ in client.receive_response():
                pass


asyncio.run(main())
