"""A LangGraph agent, or `prompt | model`, with OpenInference, OpenLLMetry or LangSmith.

Usage: `python program.py agent openinference`.
"""

import sys

from langchain.agents import create_agent
from langchain.agents.middleware import wrap_tool_call
from langchain_core.messages import ToolMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from scenario import MODEL, QUESTIONS, SESSION, SYSTEM, URL, USER, traced, weather, wind

kind, instrumentation = sys.argv[1:]
provider = traced()
if instrumentation == "openinference":
    from openinference.instrumentation import using_attributes
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument()
elif instrumentation == "openllmetry":
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor

    LangchainInstrumentor().instrument()

model = ChatOpenAI(model=MODEL, base_url=URL, api_key="local", stream_usage=True)


@wrap_tool_call
def tell_model(request, handler):
    """Gives the model the error of a tool, so that it can go on."""
    try:
        return handler(request)
    except RuntimeError as error:
        return ToolMessage(str(error), tool_call_id=request.tool_call["id"], status="error")


def run() -> None:
    config = {"metadata": {"session_id": SESSION, "user_id": USER}}
    if kind == "prompt":
        prompt = ChatPromptTemplate([("system", SYSTEM), ("human", "{input}")])
        (prompt | model).invoke({"input": QUESTIONS[1]}, config)
        return
    agent = create_agent(model, [tool(weather), tool(wind)], system_prompt=SYSTEM, middleware=[tell_model])
    state = agent.invoke({"messages": [{"role": "user", "content": QUESTIONS[0]}]}, config)
    messages = [*state["messages"], {"role": "user", "content": QUESTIONS[1]}]
    for _ in agent.stream({"messages": messages}, config, stream_mode="messages"):
        pass


if instrumentation == "openinference":
    with using_attributes(session_id=SESSION, user_id=USER):
        run()
else:
    run()
if instrumentation == "langsmith":
    from langsmith.run_trees import get_cached_client

    get_cached_client().flush()
provider.shutdown()
