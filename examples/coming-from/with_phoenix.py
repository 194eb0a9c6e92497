"""A program that traces with Phoenix's OpenTelemetry package, over HTTP. Only its environment says where the traces go."""

from phoenix.otel import register

provider = register(protocol="http/protobuf", verbose=False)
tracer = provider.get_tracer("weather")


@tracer.tool
def measure(city: str):
    return {"city": city, "celsius": 3}


@tracer.chain(name="archive")
def archive(query: str):
    raise ValueError("The archive is closed.")


@tracer.llm
def ask(messages: list):
    return {"choices": [{"message": {"role": "assistant", "content": "It is 3 °C in Oslo."}}]}


@tracer.chain(name="how-warm")
def answer(question: str):
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
provider.force_flush()
