"""A call of a model with google-genai and OpenInference, or OpenTelemetry's own. Usage: `python program.py openinference`."""

import sys

from google import genai
from google.genai.types import GenerateContentConfig, HttpOptions
from openinference.instrumentation import using_attributes
from scenario import MODEL, QUESTIONS, SESSION, SYSTEM, URL, USER, traced

is_own = sys.argv[1] == "own"
provider = traced(in_session=is_own)
if is_own:
    from opentelemetry.instrumentation.google_genai import GoogleGenAiSdkInstrumentor

    GoogleGenAiSdkInstrumentor().instrument(skip_dep_check=True)
else:
    from openinference.instrumentation.google_genai import GoogleGenAIInstrumentor

    GoogleGenAIInstrumentor().instrument()
client = genai.Client(api_key="local", http_options=HttpOptions(base_url=URL.removesuffix("/v1")))
with using_attributes(session_id=SESSION, user_id=USER):
    client.models.generate_content(
        model=MODEL, contents=QUESTIONS[1], config=GenerateContentConfig(system_instruction=SYSTEM)
    )
provider.shutdown()
