"""A call of a model through LiteLLM with its own telemetry."""

import litellm
from scenario import MODEL, QUESTIONS, SESSION, SYSTEM, URL, USER, traced

provider = traced(in_session=True)
litellm.callbacks = ["otel"]
litellm.completion(
    model=f"openai/{MODEL}",
    api_base=URL,
    api_key="local",
    messages=[{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTIONS[1]}],
    user=USER,
    metadata={"session_id": SESSION},
)
import time

time.sleep(2)
provider.shutdown()
