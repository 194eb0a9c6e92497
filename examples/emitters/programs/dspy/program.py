"""A question to a program of DSPy with OpenInference."""

import dspy
from openinference.instrumentation.dspy import DSPyInstrumentor
from scenario import MODEL, QUESTIONS, SYSTEM, URL, traced

provider = traced(in_session=True)
DSPyInstrumentor().instrument()
dspy.configure(lm=dspy.LM(f"openai/{MODEL}", api_base=URL, api_key="local", cache=False))
dspy.Predict(dspy.Signature("question -> answer", SYSTEM))(question=QUESTIONS[1])
provider.shutdown()
