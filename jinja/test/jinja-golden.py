"""Renders the templates in jinja-golden.json with Python's Jinja, and writes what they give into the file.

    python3 -m venv /tmp/jinja && /tmp/jinja/bin/pip install jinja2 && /tmp/jinja/bin/python jinja-golden.py

To add a case, add `{"template": "…"}` to the file and run this. Jinja is set up as docs/judges.md describes prompts: a printed value that is
no text is JSON, so is the text of a list or an object, and a missing value is false where it is tested and an error elsewhere. A template that Jinja refuses, or that ends in an
error, gets `error` in place of `text`.
"""

import json
from pathlib import Path

import jinja2
from jinja2.ext import loopcontrols


class Missing(jinja2.StrictUndefined):
    """A member of a missing value is missing too, as `{% if outputs.a.b %}` needs it."""

    def __bool__(self):
        return False

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        return self

    __getitem__ = __getattr__


def shown(value):
    if isinstance(value, jinja2.Undefined):
        hint = value._undefined_hint or ""
        return "" if "inline if" in hint else value
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class Items(list):
    """A list whose text is JSON."""

    def __str__(self):
        return json.dumps(self, ensure_ascii=False)


class Fields(dict):
    """An object whose text is JSON."""

    __str__ = Items.__str__


def fresh(value):
    """A copy, because a filter can change a list that it is given."""
    if isinstance(value, list):
        return Items(fresh(item) for item in value)
    return Fields((key, fresh(item)) for key, item in value.items()) if isinstance(value, dict) else value


environment = jinja2.Environment(undefined=Missing, finalize=shown, extensions=[loopcontrols])


def rendered(template, record):
    try:
        compiled = environment.from_string(template)
    except SyntaxError as error:
        return {"error": f"syntax: {error.msg}"}
    except jinja2.TemplateSyntaxError as error:
        return {"error": f"syntax: {error.message}"}
    try:
        return {"text": compiled.render(**fresh(record))}
    except jinja2.UndefinedError as error:
        return {"error": f"missing: {error}"}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {str(error)[:100]}"}


path = Path(__file__).with_suffix(".json")
table = json.loads(path.read_text())
table["jinja"] = jinja2.__version__
cases = [{"template": case["template"], **rendered(case["template"], table["record"])} for case in table["cases"]]
head = json.dumps({key: table[key] for key in ("jinja", "record")}, ensure_ascii=False)[:-1]
lines = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in cases)
path.write_text(f'{head},\n "cases": [\n{lines}\n ]\n}}\n')
print(f"{len(cases)} templates, {sum('error' in case for case in cases)} of them errors")
