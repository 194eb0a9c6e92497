"""Compares the public Python client with an OpenAPI document, method by method and field by field.

python compare_with_openapi.py            # the installed scorecard-ai with openapi.json of this repository
python compare_with_openapi.py --newest   # the newest scorecard-ai of PyPI, in a temporary directory
python compare_with_openapi.py FILE       # another document

Each method of the client is called once, with no network. What it sends is compared with the operation of the same verb and path:
parameters, the fields of the body, which of them are required, and the fields and kinds of the answer. Prints the differences and
exits with 1 if one is not among `known`.
"""

from __future__ import annotations

import collections.abc
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
import types
import typing
from pathlib import Path

import typing_extensions

document_path = Path(__file__).parents[2] / "openapi.json"

# Differences that Dokima keeps, as printed, each with its reason. Not a difference: a field that Dokima adds to an answer, or an
# optional one that it adds to a request.
known: dict[str, str] = {}

options = {"self", "extra_headers", "extra_query", "extra_body", "timeout"}


class Sent(Exception):
    def __init__(self, request):
        self.request = request


def resolve(document, schema):
    while "$ref" in schema:
        node = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            node = node[part]
        schema = node
    return schema


def unwrap(annotation):
    """Returns the annotation without Annotated and Required, and the alias that it gives."""
    alias = None
    while True:
        origin = typing_extensions.get_origin(annotation)
        if origin is typing_extensions.Annotated:
            for extra in annotation.__metadata__:
                alias = getattr(extra, "alias", None) or alias
            annotation = annotation.__origin__
        elif origin in (typing_extensions.Required, typing_extensions.NotRequired):
            annotation = typing_extensions.get_args(annotation)[0]
        else:
            return annotation, alias


def members(annotation):
    """Returns the alternatives of a union, without the client's marks for an argument that was left out."""
    origin = typing_extensions.get_origin(annotation)
    if origin not in (typing.Union, types.UnionType):
        return [annotation]
    parts = [unwrap(part)[0] for part in typing_extensions.get_args(annotation)]
    return [part for part in parts if getattr(part, "__name__", "") not in ("Omit", "NotGiven")]


def is_model(annotation):
    return inspect.isclass(annotation) and hasattr(annotation, "model_fields")


def fields_of(annotation):
    """Returns {name: (annotation, required)} of a model or a TypedDict, or None if it is neither."""
    if is_model(annotation):
        return {
            field.alias or name: (field.annotation, field.is_required())
            for name, field in annotation.model_fields.items()
        }
    if typing_extensions.is_typeddict(annotation):
        hints = typing_extensions.get_type_hints(annotation, include_extras=True)
        fields = {}
        for name, hint in hints.items():
            inner, alias = unwrap(hint)
            # The client's annotations are texts, so that `__required_keys__` knows nothing of their Required.
            required = typing_extensions.get_origin(hint) is typing_extensions.Required or annotation.__total__
            fields[alias or name] = (inner, required)
        return fields
    return None


def kinds_of(annotation):
    """Returns the JSON types that an annotation allows."""
    kinds = set()
    for part in members(annotation):
        origin = typing_extensions.get_origin(part) or part
        if origin is typing_extensions.Literal:
            kinds |= {kind for value in typing_extensions.get_args(part) for kind in kinds_of(type(value))}
        elif origin is type(None):
            kinds.add("null")
        elif origin is bool:
            kinds.add("boolean")
        elif origin is int:
            kinds.add("integer")
        elif origin is float:
            kinds.add("number")
        elif origin is str or getattr(origin, "__name__", "") == "datetime":
            kinds.add("string")
        elif fields_of(part) is not None or (inspect.isclass(origin) and issubclass(origin, collections.abc.Mapping)):
            kinds.add("object")
        elif getattr(origin, "__name__", "") in ("list", "List", "Sequence", "Iterable", "SequenceNotStr"):
            kinds.add("array")
        else:
            kinds.add(str(part))
    return kinds


def kinds_in(document, schema):
    schema = resolve(document, schema)
    if "anyOf" in schema:
        return {kind for part in schema["anyOf"] for kind in kinds_in(document, part)}
    kinds = schema.get("type", "object")
    return set(kinds) if isinstance(kinds, list) else {kinds}


def object_in(document, schema):
    """Returns the alternatives of a schema that are objects, with the parts of an allOf joined."""
    schema = resolve(document, schema)
    if "anyOf" in schema or "oneOf" in schema:
        parts = schema.get("anyOf") or schema["oneOf"]
        return [found for part in parts for found in object_in(document, part)]
    if "allOf" in schema:
        joined = {"type": "object", "properties": {}, "required": []}
        own = {key: value for key, value in schema.items() if key != "allOf"}
        for part in [*schema["allOf"], own]:
            for found in object_in(document, part):
                joined["properties"] |= found.get("properties", {})
                joined["required"] = [*joined["required"], *found.get("required", [])]
        return [joined]
    return [schema] if "object" in kinds_in(document, schema) else []


def literals(annotation):
    if typing_extensions.get_origin(annotation) is typing_extensions.Literal:
        return set(typing_extensions.get_args(annotation))
    return None


def values_in(schema):
    return {schema["const"]} if "const" in schema else set(schema.get("enum", []))


def variant_for(document, annotation, alternatives):
    """Returns the alternative with the values that the client's variant names."""
    if len(alternatives) == 1:
        return alternatives[0]
    fields = fields_of(annotation)
    named = {name: literals(inner) for name, (inner, _) in fields.items() if literals(inner)}
    for schema in alternatives:
        properties = {name: resolve(document, value) for name, value in schema.get("properties", {}).items()}
        if all(name in properties and values_in(properties[name]) == values for name, values in named.items()):
            return schema
    return None


class Comparison:
    def __init__(self, document):
        self.document = document
        self.differences = []
        self.fields = 0

    def differ(self, where, what):
        self.differences.append(f"{where}: {what}")

    def object(self, where, annotation, schema, answer):
        for part in members(annotation):
            fields = fields_of(part)
            if fields is None:
                continue
            name = where if len(members(annotation)) == 1 else f"{where} ({part.__name__})"
            variant = variant_for(self.document, part, object_in(self.document, schema))
            if variant is None:
                self.differ(name, "the document has no such variant")
                continue
            self.fields_of_object(name, fields, variant, answer)

    def fields_of_object(self, where, fields, schema, answer):
        properties = schema.get("properties", {})
        required = set(schema.get("required", []))
        for name, (inner, needed) in fields.items():
            self.fields += 1
            if name not in properties:
                self.differ(f"{where}.{name}", "missing in the document")
                continue
            if answer and needed and name not in required:
                self.differ(f"{where}.{name}", "required by the client, optional in the document")
            if not answer and not needed and name in required:
                self.differ(f"{where}.{name}", "optional in the client, required by the document")
            self.value(f"{where}.{name}", inner, properties[name], answer)
        for name in properties.keys() - fields.keys():
            if not answer and name in required:
                self.differ(f"{where}.{name}", "unknown to the client, required by the document")

    def value(self, where, annotation, schema, answer):
        of_client, of_document = kinds_of(annotation), kinds_in(self.document, schema)
        # An optional field of an answer has None in the client: it is left out, and never null.
        given, taken = (of_document, of_client) if answer else (of_client, of_document)
        for kind in given - taken:
            if kind == "integer" and "number" in taken:
                continue
            self.differ(where, f"{kind} is {'answered' if answer else 'sent'}, {sorted(taken)} expected")
        if "array" in of_client and "array" in of_document:
            for part in members(annotation):
                if kinds_of(part) == {"array"}:
                    items = resolve(self.document, schema).get("items", {})
                    self.value(f"{where}[]", typing_extensions.get_args(part)[0], items, answer)
        self.object(where, annotation, schema, answer)


def sample(annotation, name):
    """Returns a value of an annotation that the client's own checks accept."""
    for part in members(annotation):
        fields = fields_of(part)
        if fields is not None:
            return {}
        kinds = kinds_of(part)
        if "array" in kinds:
            return ["sample"] if kinds_of(typing_extensions.get_args(part)[0]) == {"string"} else [{}]
        if "object" in kinds:
            return {}
        if literals(part):
            return next(iter(literals(part)))
        if "boolean" in kinds:
            return True
        if kinds & {"integer", "number"}:
            return 1
    return f"SAMPLE-{name}"


def methods_of(resource, path=()):
    """Yields (name, method) of a resource and those below it."""
    for name, value in inspect.getmembers(type(resource)):
        if name.startswith(("_", "with_")):
            continue
        if inspect.isfunction(value):
            yield ".".join([*path, name]), getattr(resource, name)
        elif type(value).__name__ == "cached_property":
            below = getattr(resource, name)
            if type(below).__name__.endswith("Resource"):
                yield from methods_of(below, (*path, name))


def params_type(method, name):
    """Returns the TypedDict of a method's keyword arguments, or None if it has none."""
    resource = sys.modules[method.__func__.__module__]
    singular = re.sub("s$", "", name.split(".")[-2])
    expected = f"{singular}_{name.split('.')[-1]}_params"
    module = getattr(resource, expected, None)
    if module is None:
        return None
    return getattr(module, "".join(part.capitalize() for part in expected.split("_")))


def request_of(method, hints):
    arguments = {}
    for name, parameter in inspect.signature(method).parameters.items():
        if name in options or parameter.kind is parameter.VAR_KEYWORD:
            continue
        arguments[name] = sample(unwrap(hints.get(name, str))[0], name)
    try:
        method(**arguments)
    except Exception as error:  # the client wraps what its transport raises
        while error is not None and not isinstance(error, Sent):
            error = error.__cause__ or error.__context__
        if error is None:
            raise
        return error.request
    raise RuntimeError("nothing was sent")


def operation_for(document, verb, path):
    for template, methods in document["paths"].items():
        pattern = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(template.removeprefix("/api/v2")))
        if re.fullmatch(pattern, path) and verb in methods:
            return template, methods[verb]
    return None, None


def answer_schema(operation):
    for status in ("200", "201"):
        content = operation["responses"].get(status, {}).get("content", {}).get("application/json")
        if content:
            return content["schema"]
    return None


def page_item(annotation):
    """Returns the type of a page's items, or None if the answer is not a page."""
    origin = typing_extensions.get_origin(annotation) or annotation
    if is_model(annotation) and getattr(annotation, "__pydantic_generic_metadata__", {}).get("args"):
        return annotation.__pydantic_generic_metadata__["args"][0]
    if "Page" in getattr(origin, "__name__", "") or "Paginated" in getattr(origin, "__name__", ""):
        return typing_extensions.get_args(annotation)[0]
    return None


def compare(document):
    import httpx
    from scorecard_ai import Scorecard

    def transport(request):
        raise Sent(request)

    client = Scorecard(
        api_key="none",
        base_url="http://localhost",
        max_retries=0,
        http_client=httpx.Client(transport=httpx.MockTransport(transport)),
    )
    comparison = Comparison(document)
    reached = set()
    count = 0
    resources = [(name, value) for name, value in vars(type(client)).items() if type(value).__name__ == "cached_property"]
    methods = [
        found
        for name, _ in resources
        if type(getattr(client, name)).__name__.endswith("Resource")
        for found in methods_of(getattr(client, name), (name,))
    ]
    for name, method in methods:
        count += 1
        module = vars(sys.modules[method.__func__.__module__])
        hints = typing_extensions.get_type_hints(method.__func__, module, include_extras=True)
        request = request_of(method, hints)
        verb, path = request.method.lower(), request.url.path
        template, operation = operation_for(document, verb, path)
        if operation is None:
            comparison.differ(name, f"the document has no {verb.upper()} {path}")
            continue
        reached.add((verb, template))
        given = params_type(method, name)
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        if verb == "get":
            parameters = [resolve(document, parameter) for parameter in operation.get("parameters", [])]
            query = {parameter["name"]: parameter for parameter in parameters if parameter["in"] == "query"}
            in_path = re.findall(r"\{(\w+)\}", template)
            asked = fields_of(given) if given else {}
            schema = {
                "properties": {key: value.get("schema", {}) for key, value in query.items()},
                "required": [key for key, value in query.items() if value.get("required")],
            }
            asked = {key: value for key, value in asked.items() if key not in in_path}
            comparison.fields_of_object(f"{name} query", asked, schema, answer=False)
        elif body and given:
            in_path = set(re.findall(r"\{(\w+)\}", template))
            for part in members(given):
                fields = {key: value for key, value in fields_of(part).items() if key not in in_path}
                where = f"{name} body" if part is given else f"{name} body ({part.__name__})"
                variant = variant_for(document, part, object_in(document, body))
                if variant is None:
                    comparison.differ(where, "the document has no such variant")
                else:
                    comparison.fields_of_object(where, fields, variant, answer=False)
        elif bool(body) != bool(given):
            takes = "a body" if body else "no body"
            comparison.differ(name, f"the document takes {takes}")
        returned = hints["return"]
        schema = answer_schema(operation)
        item = page_item(returned)
        if item is not None:
            [page] = object_in(document, schema)
            for field in ("data", "nextCursor", "hasMore"):
                if field not in page.get("required", []):
                    comparison.differ(f"{name} answer.{field}", "required by the client's pages")
            comparison.object(f"{name} item", item, resolve(document, page["properties"]["data"])["items"], answer=True)
        else:
            comparison.object(f"{name} answer", returned, schema, answer=True)
    return comparison, count, reached


def with_newest(arguments):
    with tempfile.TemporaryDirectory() as directory:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", directory, "--upgrade", "scorecard-ai"]
        subprocess.run(pip, check=True)
        environment = {**os.environ, "PYTHONPATH": directory}
        return subprocess.run([sys.executable, __file__, *arguments], env=environment, check=False).returncode


def main(arguments):
    if "--newest" in arguments:
        return with_newest([argument for argument in arguments if argument != "--newest"])
    from scorecard_ai import __version__

    path = Path(arguments[0]) if arguments else document_path
    document = json.loads(path.read_text())
    comparison, methods, reached = compare(document)
    unknown = [line for line in comparison.differences if line not in known]
    for line in comparison.differences:
        print(f"{line}  (known: {known[line]})" if line in known else line)
    print(
        f"scorecard-ai {__version__}: {methods} methods, {len(reached)} operations, {comparison.fields} fields,",
        f"{len(unknown)} unknown differences.",
    )
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
