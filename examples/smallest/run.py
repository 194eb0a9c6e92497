"""Runs the smallest program of each tool against a model of this machine, and prints a row for each: `python run.py [TOOL…]`.

Each tool gets an environment of its own below ENVIRONMENTS (default: a temporary folder), so it takes minutes and gigabytes.
Statements are counted with imports, without the two that bring the rows and the system from task.py.
"""

import ast
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import venv

HERE = pathlib.Path(__file__).parent
TOOLS = {
    "dokima": ["httpx"],
    "braintrust": ["braintrust"],
    "mlflow": ["mlflow"],
    "phoenix": ["arize-phoenix-evals"],
    "langsmith": ["langsmith"],
    "inspect": ["inspect-ai"],
    "deepeval": ["deepeval"],
}
MODEL = {"OPENAI_API_KEY": "none", "NO_COLOR": "1", "DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "PROMPTFOO_DISABLE_TELEMETRY": "1"}


def statements(path: pathlib.Path) -> int:
    nodes = ast.walk(ast.parse(path.read_text()))
    return sum(isinstance(one, ast.stmt) and not (isinstance(one, ast.ImportFrom) and one.module == "task") for one in nodes)


def timed(command: list[str], environment: dict[str, str], folder: str) -> str:
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(done.stdout[-1500:], done.stderr[-500:] if done.returncode else "", file=sys.stderr)
    return f"{cpu:.1f} CPU-s, {time.monotonic() - begin:.1f} s"


def environment_of(tool: str, root: pathlib.Path) -> pathlib.Path:
    program = root / tool / "bin" / "python"
    if not program.exists():
        venv.create(root / tool, with_pip=True)
        subprocess.run([program, "-m", "pip", "install", "-q", *TOOLS[tool]], check=True)
    return program


def main() -> None:
    root = pathlib.Path(os.environ.get("ENVIRONMENTS") or tempfile.mkdtemp())
    model = subprocess.Popen([sys.executable, HERE / "model.py"], stdout=subprocess.PIPE, text=True)
    try:
        assert model.stdout is not None
        url = f"http://127.0.0.1:{model.stdout.readline().strip()}/v1"
        wanted = sys.argv[1:] or [*TOOLS, "promptfoo"]
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, **MODEL, "OPENAI_BASE_URL": url, "PYTHONPATH": f"{HERE}:{HERE.parent.parent / 'python/src'}"}
            for tool in wanted:
                if tool == "promptfoo":
                    config = HERE / "promptfooconfig.yaml"
                    lines = len(config.read_text().splitlines())
                    command = ["npx", "--yes", "promptfoo", "eval", "--no-cache", "-c", str(config)]
                    print(f"{tool}: {lines} lines, {timed(command, environment, folder)}")
                    continue
                path = HERE / f"with_{tool}.py"
                took = timed([str(environment_of(tool, root)), str(path)], environment, folder)
                print(f"{tool}: {statements(path)} statements, {took}", flush=True)
    finally:
        model.terminate()


if __name__ == "__main__":
    main()
