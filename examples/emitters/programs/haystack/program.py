"""A Haystack agent with OpenInference."""

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import create_tool_from_function
from haystack.utils import Secret
from openinference.instrumentation.haystack import HaystackInstrumentor
from scenario import MODEL, QUESTIONS, SYSTEM, URL, traced, weather, wind

provider = traced(in_session=True)
HaystackInstrumentor().instrument()
agent = Agent(
    chat_generator=OpenAIChatGenerator(model=MODEL, api_base_url=URL, api_key=Secret.from_token("local")),
    tools=[create_tool_from_function(weather), create_tool_from_function(wind)],
    system_prompt=SYSTEM,
)
first = agent.run(messages=[ChatMessage.from_user(QUESTIONS[0])])
messages = [message for message in first["messages"] if message.role.value != "system"]
agent.run(messages=[*messages, ChatMessage.from_user(QUESTIONS[1])])
provider.shutdown()
