"""A LlamaIndex agent with OpenInference or OpenLLMetry. Usage: `python program.py openinference`."""

import asyncio
import sys

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import Context
from llama_index.llms.openai_like import OpenAILike
from scenario import MODEL, QUESTIONS, SYSTEM, URL, traced, weather, wind

provider = traced(in_session=True)
if sys.argv[1] == "openinference":
    from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
else:
    from opentelemetry.instrumentation.llamaindex import LlamaIndexInstrumentor
LlamaIndexInstrumentor().instrument()

model = OpenAILike(
    model=MODEL, api_base=URL, api_key="local", is_chat_model=True, is_function_calling_model=True
)
tools = [FunctionTool.from_defaults(weather), FunctionTool.from_defaults(wind)]


async def main() -> None:
    agent = FunctionAgent(name="weather-agent", tools=tools, llm=model, system_prompt=SYSTEM)
    context = Context(agent)
    for question in QUESTIONS:
        await agent.run(user_msg=question, ctx=context)


asyncio.run(main())
provider.shutdown()
