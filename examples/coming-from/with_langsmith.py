"""A program that traces with LangSmith's SDK. Only its environment says where the traces go."""

from langsmith import traceable
from langsmith.run_trees import get_cached_client


@traceable(run_type="tool")
def measure(city):
    return {"city": city, "celsius": 3}


@traceable(run_type="llm", metadata={"ls_provider": "openai", "ls_model_name": "gpt-4o-mini"})
def ask(messages):
    answer = {"role": "assistant", "content": "It is 3 °C in Oslo."}
    return {"choices": [{"message": answer}], "usage_metadata": {"input_tokens": 21, "output_tokens": 9}}


@traceable(run_type="retriever")
def archive(query):
    raise ValueError("The archive is closed.")


@traceable(name="how-warm", tags=["weather", "north"], metadata={"session_id": "a talk"})
def answer(question):
    measure("Oslo")
    try:
        archive("Oslo")
    except ValueError:
        pass
    messages = [
        {"role": "system", "content": "You say what the weather is."},
        {"role": "user", "content": question},
    ]
    return ask(messages)["choices"][0]["message"]["content"]


print(answer("How warm is it in Oslo?"))
get_cached_client().flush()
