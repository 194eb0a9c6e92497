"""A model in the form of OpenAI that knows three capitals, one of them wrong."""

import http.server
import json
import sys

KNOWN = {"Peru": "Lima", "Ghana": "Accra", "Australia": "Sydney"}


class Model(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))["messages"][-1]["content"]
        message = {"role": "assistant", "content": KNOWN.get(asked, "?")}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        body = json.dumps({"id": "c", "object": "chat.completion", "created": 1, "model": "capitals", "choices": choices, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Model)
print(server.server_port, flush=True)
server.serve_forever()
