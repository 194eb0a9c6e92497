"""Tells code that can leave nothing behind from code that might.

Plain code only reads what it was given and what it made itself: it sets no attribute, touches no name with two underscores,
and uses modules only by calling one of the functions below. What isn't plain is not forbidden; the interpreter's whole memory
is then restored before every record, which takes some milliseconds.
"""

PURE_FUNCTIONS = {
    "math": None,
    "re": "search match fullmatch findall finditer split sub subn compile escape I IGNORECASE M MULTILINE S DOTALL X VERBOSE A ASCII",
    "json": "loads dumps JSONDecodeError",
    "string": "punctuation digits ascii_letters ascii_lowercase ascii_uppercase whitespace",
    "collections": "Counter defaultdict deque OrderedDict",
    "itertools": "accumulate chain combinations count groupby islice pairwise permutations product repeat starmap takewhile dropwhile zip_longest",
    "statistics": "mean median mode stdev pstdev variance pvariance fmean",
    "unicodedata": "normalize category",
    "random": "random randint choice shuffle sample uniform",
    "decimal": "Decimal InvalidOperation",
    "fractions": "Fraction",
    "difflib": "SequenceMatcher",
}
PURE_FUNCTIONS = {
    module: frozenset(name for name in dir(__import__(module)) if not name.startswith("_")) if names is None else frozenset(names.split())
    for module, names in PURE_FUNCTIONS.items()
}
PURE_BUILTINS = frozenset(
    """abs all any ascii bin bool bytes chr complex dict divmod enumerate filter float format frozenset hex int isinstance
    issubclass iter len list map max min next oct ord pow print range repr reversed round set slice sorted str sum tuple zip
    True False None Exception ValueError TypeError KeyError IndexError AttributeError ZeroDivisionError ArithmeticError
    OverflowError RuntimeError StopIteration LookupError UnicodeError NotImplementedError RecursionError""".split()
)
OWN_TYPES = (
    str, bytes, list, tuple, dict, set, frozenset, int, float, complex, range, re.Pattern, re.Match, slice,
    collections.Counter, collections.defaultdict, collections.deque, collections.OrderedDict, decimal.Decimal,
    fractions.Fraction, difflib.SequenceMatcher,
)
OWN_ATTRIBUTES = frozenset(name for kind in OWN_TYPES for name in dir(kind) if not name.startswith("_")) | {
    "chain", "from_iterable", "msg", "pos", "lineno", "colno", "doc", "args", "score", "reasoning",
}
PLAIN_NODES = (
    ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Delete, ast.Assign, ast.AugAssign, ast.AnnAssign,
    ast.For, ast.While, ast.If, ast.Raise, ast.Try, ast.Assert, ast.Import, ast.ImportFrom, ast.alias, ast.Expr, ast.Pass,
    ast.Break, ast.Continue, ast.BoolOp, ast.NamedExpr, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp, ast.Dict, ast.Set,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.Yield, ast.YieldFrom, ast.Compare,
    ast.Call, ast.keyword, ast.FormattedValue, ast.JoinedStr, ast.Constant, ast.Attribute, ast.Subscript, ast.Starred, ast.Name,
    ast.List, ast.Tuple, ast.Slice, ast.ExceptHandler, ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop,
)


def is_plain(tree):
    nodes = list(ast.walk(tree))
    modules, bound = {}, set(HELPERS)
    for node in nodes:
        if not isinstance(node, PLAIN_NODES):
            return False
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name not in PURE_FUNCTIONS:
                    return False
                modules[alias.asname or alias.name] = alias.name
        elif isinstance(node, ast.ImportFrom):
            if node.level or node.module not in PURE_FUNCTIONS:
                return False
            for alias in node.names:
                if alias.name not in PURE_FUNCTIONS[node.module]:
                    return False
                bound.add(alias.asname or alias.name)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.FunctionDef):
            bound.add(node.name)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
    if any("__" in name for name in bound) or modules.keys() & bound:
        return False
    through_module = set()
    for node in nodes:
        if isinstance(node, ast.Attribute):
            if not isinstance(node.ctx, ast.Load):
                return False
            if isinstance(node.value, ast.Name) and node.value.id in modules:
                if node.attr not in PURE_FUNCTIONS[modules[node.value.id]]:
                    return False
                through_module.add(node.value)
            elif node.attr not in OWN_ATTRIBUTES:
                return False
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            if node.id in modules:
                # A module itself must not be passed around: only `module.function` is known to be pure.
                if node not in through_module:
                    return False
            elif node.id not in bound and node.id not in PURE_BUILTINS:
                return False
    return True
