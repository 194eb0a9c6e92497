"""The task: three rows, and a system that asks a model. The model gets one capital wrong."""

import json
import os
import urllib.request

rows = [
    {"country": "Peru", "expected": "Lima"},
    {"country": "Ghana", "expected": "Accra"},
    {"country": "Australia", "expected": "Canberra"},
]


def bot(country: str) -> str:
    body = json.dumps({"model": "capitals", "messages": [{"role": "user", "content": country}]}).encode()
    headers = {"content-type": "application/json", "authorization": "Bearer none"}
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]["content"]
