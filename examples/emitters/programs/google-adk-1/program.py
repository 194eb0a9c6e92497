"""An agent of version 1 of Google's ADK with its own telemetry."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.models.lite_llm import LiteLlm
from google.adk.runners import InMemoryRunner
from google.genai.types import Content, Part
from scenario import MODEL, QUESTIONS, SESSION, SYSTEM, URL, USER, traced, weather, wind

# Its own telemetry names the session, but not the user.
provider = traced(in_session=True)


def tell_model(tool, args, tool_context, error):
    """Gives the model the error of a tool, so that it can go on."""
    return {"error": str(error)}


agent = LlmAgent(
    name="weather_agent",
    model=LiteLlm(model=f"openai/{MODEL}", api_base=URL, api_key="local"),
    instruction=SYSTEM,
    tools=[weather, wind],
    on_tool_error_callback=tell_model,
)


async def main() -> None:
    runner = InMemoryRunner(agent=agent, app_name="weather")
    await runner.session_service.create_session(app_name="weather", user_id=USER, session_id=SESSION)
    for question in QUESTIONS:
        message = Content(role="user", parts=[Part(text=question)])
        async for _ in runner.run_async(user_id=USER, session_id=SESSION, new_message=message):
            pass


asyncio.run(main())
provider.shutdown()
