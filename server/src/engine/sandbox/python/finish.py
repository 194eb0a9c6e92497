"""Removes the modules of Pyodide. The seal protects the host; this gives honest error messages."""

HELPERS.update(
    {
        function.__name__: function
        for function in (
            missing, exact, normalize, normalized, contains, matches, isjson, conforms, close, levenshtein, similarity, f1, rouge,
            bleu, cosine,
        )
    }
)

BRIDGES = {
    "js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "ctypes", "_ctypes", "micropip", "asyncio", "_asyncio", "subprocess",
    "socket", "_socket", "ssl", "_ssl", "select", "selectors", "shutil", "tempfile", "threading", "_thread", "zipimport", "importlib",
}
for name in [name for name in sys.modules if name.partition(".")[0] in BRIDGES]:
    del sys.modules[name]
sys.meta_path[:] = [NotAvailable]
sys.path_hooks.clear()
sys.path_importer_cache.clear()
sys.path.clear()
# Emscripten's own variables: one of them is the path of this installation.
sys.modules["os"].environ.clear()
random.seed(0)
gc.collect()
gc.disable()
