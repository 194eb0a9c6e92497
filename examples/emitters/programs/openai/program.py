"""A streamed call of a model with OpenAI's client and OpenInference or OpenLLMetry. Usage: `python program.py openinference`."""

import sys

from openai import OpenAI
from scenario import MODEL, QUESTIONS, SYSTEM, URL, traced

provider = traced(in_session=True)
if sys.argv[1] == "openinference":
    from openinference.instrumentation.openai import OpenAIInstrumentor
else:
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor
OpenAIInstrumentor().instrument()
messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTIONS[1]}]
stream = OpenAI(base_url=URL, api_key="local").chat.completions.create(
    model=MODEL, messages=messages, stream=True, stream_options={"include_usage": True}
)
for _ in stream:
    pass
provider.shutdown()
