"""Loads and scores a metric's code. Runs once, before Pyodide is sealed; everything the code may import is imported here."""

import ast, base64, bisect, calendar, collections, collections.abc, copy, csv, dataclasses, datetime, decimal  # noqa: E401
import difflib, enum, fractions, functools, hashlib, heapq, html, io, itertools, json, math, numbers, operator  # noqa: E401
import random, re, statistics, string, sys, textwrap, time, types, typing, unicodedata, urllib.parse, zlib  # noqa: E401
import builtins
import gc

LONGEST_REASONING = 100_000
# As of the labels of a category.
LONGEST_LABEL = 200
LONGEST_ERROR = 2_000
VARIABLE_ARGUMENTS = 0x04

AVAILABLE = frozenset(
    """__future__ abc ast base64 bisect calendar collections copy csv dataclasses datetime decimal difflib enum fractions
    functools hashlib heapq html io itertools json math numbers operator random re statistics string sys textwrap time types
    typing unicodedata urllib zlib""".split()
)


HELPERS = {}


class Silent:
    """print() goes nowhere."""

    encoding = "utf-8"

    def write(self, text):
        return len(text)

    def flush(self):
        pass


class NotAvailable:
    """The only finder: everything that may be imported already is, so Python asks this finder about all other modules."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        raise ModuleNotFoundError(f"No module named {name!r}: available are {', '.join(sorted(AVAILABLE))}", name=name)


class Metric:
    """The code loaded last."""

    score = None
    code = None
    is_plain = False
    uses_random = False


def fresh_namespace():
    return {"__name__": "metric", "__builtins__": builtins, **HELPERS}


def line_of(error):
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "metric":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def describe(error):
    """Kind, message and line of the exception, which may be anything."""
    try:
        if isinstance(error, MemoryError):
            return "out of memory"
        if isinstance(error, SyntaxError):
            return f"{type(error).__name__}: {error.msg} (line {error.lineno}, column {error.offset})"[:LONGEST_ERROR]
        message = str(error)[: LONGEST_ERROR - 100]
        line = line_of(error)
        return f"{type(error).__name__}{': ' if message else ''}{message}{f' (line {line})' if line else ''}"
    except BaseException:
        return "raised something that raises when it is read"


def failed(error):
    return json.dumps({"ok": False, "error": error[:LONGEST_ERROR]})


def show(value):
    if isinstance(value, str):
        return ascii(value[:200])[:200]
    if isinstance(value, (int, float)) and not (type(value) is int and value.bit_length() > 1000):
        return ascii(value)[:200]
    return "a dict" if isinstance(value, dict) else f"a {type(value).__name__}"


def answer(returned):
    if returned is None:
        return failed("returned nothing")
    if isinstance(returned, types.CoroutineType):
        returned.close()
        return failed("returned a coroutine: score must not be async")
    score, reasoning = returned, None
    if isinstance(returned, dict):
        score, reasoning = returned.get("score"), returned.get("reasoning")
    if isinstance(score, (int, float)) and type(score) not in (bool, int, float):
        score = float(score)
    if isinstance(score, str):
        score = str.__str__(score)
    is_label = type(score) is str and len(score) <= LONGEST_LABEL
    if not is_label and (type(score) not in (bool, int, float) or not -1.7e308 < score < 1.7e308):
        return failed(f"score must be a boolean, a finite number or a label, not {show(score)}")
    if reasoning is None:
        return json.dumps({"ok": True, "score": score})
    if not isinstance(reasoning, str):
        return failed(f"reasoning must be a string, not {show(reasoning)}")
    if len(reasoning) > LONGEST_REASONING:
        return failed("reasoning is longer than 100,000 characters")
    return json.dumps({"ok": True, "score": score, "reasoning": reasoning})


def load(code):
    """Answers with a line of JSON: why the code can't be used, and whether the memory can stay as it is between records."""
    try:
        tree = ast.parse(code, "metric")
        Metric.code = compile(tree, "metric", "exec", dont_inherit=True)
        Metric.is_plain = is_plain(tree)
        Metric.uses_random = "random" in code
        namespace = fresh_namespace()
        exec(Metric.code, namespace)
        Metric.score = namespace.get("score")
        if not callable(Metric.score):
            return json.dumps({"error": "the code defines no function score(inputs, outputs, expected)"})
        if not takes_three(Metric.score):
            return json.dumps({"error": f"score takes {parameters_of(Metric.score)}: write def score(inputs, outputs, expected)"})
        return json.dumps({"error": None, "isPlain": Metric.is_plain})
    except BaseException as error:
        return json.dumps({"error": describe(error)})


def score_record(line):
    try:
        inputs, outputs, expected, *record = json.loads(line)
        given = [*watched(inputs, outputs, expected), *map(json.loads, record)]
        score = Metric.score
        if Metric.is_plain:
            namespace = fresh_namespace()
            exec(Metric.code, namespace)
            score = namespace["score"]
            if Metric.uses_random:
                random.seed(0)
        return answer(score(*(given if takes_record(score) else given[:3])))
    except BaseException as error:
        return raised_answer(error)


def takes_three(score):
    """Whether a function can be called with three arguments, or with the record as the fourth. What is no plain function is tried."""
    code = getattr(score, "__code__", None)
    if code is None or not isinstance(score, types.FunctionType):
        return True
    required = code.co_argcount - len(score.__defaults__ or ())
    return required <= 4 and (code.co_argcount >= 3 or bool(code.co_flags & VARIABLE_ARGUMENTS))


def parameters_of(score):
    code = score.__code__
    return f"({ascii(', '.join(code.co_varnames[:code.co_argcount]))[1:-1][:200]})"


def takes_record(score):
    """Whether a function has room for a fourth argument. A function of three is called with three, even if it names a part of the trace."""
    code = getattr(score, "__code__", None)
    return code is not None and (code.co_argcount > 3 or bool(code.co_flags & VARIABLE_ARGUMENTS))


# Imported by strptime when it is first called.
import _strptime  # noqa: E402, F401

sys.stdin = None
sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = Silent()
