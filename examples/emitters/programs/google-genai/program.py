"""A call of a model with google-genai and OpenInference."""

from google import genai
from google.genai.types import GenerateContentConfig, HttpOptions
from openinference.instrumentation import using_attributes
from openinference.instrumentation.google_genai import GoogleGenAIInstrumentor
from scenario import MODEL, QUESTIONS, SESSION, SYSTEM, URL, USER, traced

provider = traced()
GoogleGenAIInstrumentor().instrument()
client = genai.Client(api_key="local", http_options=HttpOptions(base_url=URL.removesuffix("/v1")))
with using_attributes(session_id=SESSION, user_id=USER):
    client.models.generate_content(
        model=MODEL, contents=QUESTIONS[1], config=GenerateContentConfig(system_instruction=SYSTEM)
    )
provider.shutdown()
