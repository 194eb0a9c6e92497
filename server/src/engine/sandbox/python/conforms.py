"""conforms(value, schema): docs/code-metrics.md lists the keywords of JSON Schema that it knows. docs/decisions/0056 says why it uses no
library."""

UNSUPPORTED = ("$dynamicRef", "$recursiveRef", "unevaluatedItems", "unevaluatedProperties")
TYPES = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: is_number(value) and (isinstance(value, int) or value.is_integer()),
    "number": is_number,
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def has_type(value, names):
    for name in names if isinstance(names, list) else [names]:
        if name not in TYPES:
            raise ValueError(f"conforms does not know the type {name}")
        if TYPES[name](value):
            return True
    return False


def is_multiple(value, step):
    quotient = value / step
    return math.isfinite(quotient) and quotient == math.floor(quotient)


def resolve(root, reference):
    if not re.match(r"#(/|$)", reference):
        raise ValueError(f"conforms can not follow the $ref {reference}")
    target = root
    for part in urllib.parse.unquote(reference).split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        try:
            target = target[int(key)] if isinstance(target, list) else target[key]
        except (KeyError, IndexError, ValueError, TypeError):
            raise ValueError(f"conforms can not follow the $ref {reference}") from None
    return target


def conforms(value, schema):
    need(value, schema)
    return Validator(schema).fits(value, schema)


class Validator:
    def __init__(self, root):
        self.root = root

    def fits(self, value, schema):
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, dict):
            raise TypeError("a schema must be an object or a boolean")
        for keyword in UNSUPPORTED:
            if keyword in schema:
                raise ValueError(f"conforms does not know {keyword}")
        return all(
            rule(self, value, schema[keyword], schema)
            for kind, rules in RULES.items()
            if kind is None or TYPES[kind](value)
            for keyword, rule in rules.items()
            if keyword in schema
        )

    def all_fit(self, values, schemas):
        return all(map(self.fits, values, schemas))

    def items(self, value, items, schema):
        if isinstance(items, list):
            return self.all_fit(value, items)
        return all(self.fits(item, items) for item in value[len(schema.get("prefixItems", [])) :])

    def additional_items(self, value, rest, schema):
        items = schema.get("items")
        return not isinstance(items, list) or all(self.fits(item, rest) for item in value[len(items) :])

    def contains(self, value, inner, schema):
        found = sum(self.fits(item, inner) for item in value)
        return schema.get("minContains", 1) <= found <= schema.get("maxContains", len(value))

    def pattern_properties(self, value, schemas, schema):
        return all(
            self.fits(item, inner)
            for pattern, inner in schemas.items()
            for name, item in value.items()
            if re.search(pattern, name)
        )

    def additional_properties(self, value, rest, schema):
        return all(
            name in schema.get("properties", {})
            or any(re.search(pattern, name) for pattern in schema.get("patternProperties", {}))
            or self.fits(item, rest)
            for name, item in value.items()
        )

    def depends(self, value, needs, schema):
        return all(
            all(other in value for other in need) if isinstance(need, list) else self.fits(value, need)
            for name, need in needs.items()
            if name in value
        )

    def condition(self, value, condition, schema):
        return self.fits(value, schema.get("then", True) if self.fits(value, condition) else schema.get("else", True))


def is_unique(items):
    return not any(exact(one, other) for n, one in enumerate(items) for other in items[:n])


# Which values a rule is about (None: all of them), then each keyword's rule of (validator, value, what the keyword says, schema).
RULES = {
    None: {
        "type": lambda v, value, names, _: has_type(value, names),
        "enum": lambda v, value, options, _: any(exact(value, option) for option in options),
        "const": lambda v, value, only, _: exact(value, only),
        "allOf": lambda v, value, schemas, _: all(v.fits(value, one) for one in schemas),
        "anyOf": lambda v, value, schemas, _: any(v.fits(value, one) for one in schemas),
        "oneOf": lambda v, value, schemas, _: sum(v.fits(value, one) for one in schemas) == 1,
        "not": lambda v, value, inner, _: not v.fits(value, inner),
        "if": Validator.condition,
        "$ref": lambda v, value, reference, _: v.fits(value, resolve(v.root, reference)),
    },
    "number": {
        "multipleOf": lambda v, value, step, _: is_multiple(value, step),
        "maximum": lambda v, value, limit, _: value <= limit,
        "minimum": lambda v, value, limit, _: value >= limit,
        "exclusiveMaximum": lambda v, value, limit, _: value < limit,
        "exclusiveMinimum": lambda v, value, limit, _: value > limit,
    },
    "string": {
        "maxLength": lambda v, value, limit, _: len(value) <= limit,
        "minLength": lambda v, value, limit, _: len(value) >= limit,
        "pattern": lambda v, value, pattern, _: re.search(pattern, value) is not None,
    },
    "array": {
        "maxItems": lambda v, value, limit, _: len(value) <= limit,
        "minItems": lambda v, value, limit, _: len(value) >= limit,
        "uniqueItems": lambda v, value, unique, _: not unique or is_unique(value),
        "prefixItems": lambda v, value, schemas, _: v.all_fit(value, schemas),
        "items": Validator.items,
        "additionalItems": Validator.additional_items,
        "contains": Validator.contains,
    },
    "object": {
        "maxProperties": lambda v, value, limit, _: len(value) <= limit,
        "minProperties": lambda v, value, limit, _: len(value) >= limit,
        "required": lambda v, value, names, _: all(name in value for name in names),
        "properties": lambda v, value, schemas, _: all(v.fits(value[name], one) for name, one in schemas.items() if name in value),
        "patternProperties": Validator.pattern_properties,
        "additionalProperties": Validator.additional_properties,
        "propertyNames": lambda v, value, inner, _: all(v.fits(name, inner) for name in value),
        "dependentRequired": Validator.depends,
        "dependentSchemas": Validator.depends,
        "dependencies": Validator.depends,
    },
}
