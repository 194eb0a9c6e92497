"""Missing fields of a record. A read of a field that an object of the record lacks is noted, so that a helper that is given None can
say which field is missing. javascript/fields.js does the same."""

MOST_NOTES = 16


class Notes:
    """The objects of the current record, and the reads of missing fields."""

    roots = {}
    read = []


class MissingField(KeyError):
    """The names stand in `names`; without any, the last note names the field."""

    def __init__(self, *names):
        super().__init__(*names)
        self.names = names


class Fields(dict):
    """An object of the record."""

    def get(self, key, default=None):
        if key in self:
            return self[key]
        if default is None:
            note(self, key)
        return default

    def __missing__(self, key):
        note(self, key)
        raise MissingField(name_of(self, key))


def note(owner, key):
    del Notes.read[: 1 - MOST_NOTES]
    Notes.read.append((owner, key))


def step(parent, key):
    if isinstance(parent, dict) and isinstance(key, str) and re.fullmatch(r"[A-Za-z_$][\w$]*", key, re.ASCII):
        return f".{key}"
    return f"[{json.dumps(key)}]" if isinstance(key, (str, int)) else f"[{show(key)}]"


def path_to(owner, value):
    """The path from a value to an object within it; None if it is not there."""
    if value is owner:
        return ""
    own = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in own:
        rest = path_to(owner, child)
        if rest is not None:
            return step(value, key) + rest
    return None


def name_of(owner, key):
    path = path_to(owner, Notes.roots)
    return show(key) if path is None else path[1:] + step(owner, key)


def last_missing(count):
    """The names of the fields that were missing in the last reads, each once."""
    return list(dict.fromkeys(name_of(*read) for read in Notes.read[-count:]))


def missing(*names):
    raise MissingField(*names)


def need(*values):
    """Raises MissingField if a helper was given None for a missing field. A null of the record is a value."""
    count = sum(value is None for value in values)
    if count and Notes.read:
        raise MissingField(*last_missing(count))


def missing_by(error):
    """The missing fields that caused this error, as text."""
    if isinstance(error, MissingField):
        return ", ".join(map(str, error.names))
    if not isinstance(error, (TypeError, AttributeError)) or "NoneType" not in str(error) or not Notes.read:
        return ""
    return last_missing(1)[0]


def raised_answer(error):
    """The answer for an exception of the code."""
    try:
        names = missing_by(error)
    except BaseException:
        names = ""
    if not names:
        return failed(describe(error))
    return json.dumps({"ok": False, "error": f"missing_field: {names}"[:LONGEST_ERROR], "isMissing": True})


def watched(inputs, outputs, expected):
    """The three JSON texts as values. Begins a record."""
    given = [json.loads(text, object_hook=Fields) for text in (inputs, outputs, expected)]
    Notes.read = []
    Notes.roots = dict(zip(("inputs", "outputs", "expected"), given))
    return given
