"""Model clients that the public Python client wraps, so that each call is a span. See README.md."""

import os

from anthropic import Anthropic
from openai import OpenAI
from opentelemetry import trace
from scorecard_ai import wrap

url = os.environ.get("MODEL_URL", "http://127.0.0.1:4010/v1")
config = {
    "api_key": os.environ["DOKIMA_API_KEY"],
    "project_id": os.environ["DOKIMA_PROJECT_ID"],
    "endpoint": os.environ["DOKIMA_URL"] + "/otel/v1/traces",
    "service_name": "weather-agent",
}
openai = wrap(OpenAI(base_url=url, api_key="local"), config)
anthropic = wrap(Anthropic(base_url=url.removesuffix("/v1"), api_key="local"), config)

question = [{"role": "user", "content": "How warm is it in Oslo? It is 3 °C."}]
print(openai.chat.completions.create(model="local-model", messages=question, tools=[]).choices[0].message.content)
print(anthropic.messages.create(model="local-model", max_tokens=100, messages=question).content[0].text)
trace.get_tracer_provider().shutdown()
