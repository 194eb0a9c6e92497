"""A service that lives as long as the program, for evaluations without a service."""

from __future__ import annotations

import atexit
import json
import os
import shlex
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any


def command() -> list[str] | None:
    """Returns the program `dokima`: DOKIMA_COMMAND, else that of an npm package above this directory, else the one on the PATH."""
    named = os.environ.get("DOKIMA_COMMAND")
    if named:
        return shlex.split(named)
    for directory in (Path.cwd(), *Path.cwd().parents):
        installed = directory / "node_modules" / ".bin" / "dokima"
        if installed.exists():
            return [str(installed)]
    found = shutil.which("dokima")
    return [found] if found else None


class OwnService:
    """Starts `dokima serve --temporary` in the background, once for the whole program. Its end is the end of our pipe to it."""

    _only: OwnService | None = None
    _lock = threading.Lock()

    def __init__(self, words: list[str]) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen([*words, "serve", "--temporary"], stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        except OSError as error:
            raise RuntimeError(f"dokima does not start: {error}. Correct DOKIMA_COMMAND, or install dokima.") from error
        atexit.register(self.end)

    @classmethod
    def start(cls) -> OwnService | None:
        """Returns the service of this program; None without the command."""
        with cls._lock:
            if cls._only is None or cls._only._process.poll() is not None:
                words = command()
                cls._only = cls(words) if words else None
            return cls._only

    _access: dict[str, Any] | None = None

    def access(self) -> tuple[str, str]:
        """Returns the address and the key, as soon as the service answers."""
        with self._lock:
            if self._access is None:
                assert self._process.stdout and self._process.stderr
                line = self._process.stdout.readline()
                if not line:
                    raise RuntimeError(f"No service could be started. {self._process.stderr.read().strip()}")
                self._access = json.loads(line)
            return self._access["url"], self._access["apiKey"]

    def end(self) -> None:
        """Ends the service and waits until its directory is deleted."""
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
        for stream in (self._process.stdout, self._process.stderr):
            if stream:
                stream.close()


def temporary_access() -> tuple[str, str] | None:
    """Returns the service that `dokima eval` has started, which serves several starts of a program."""
    given = os.environ.get("DOKIMA_TEMPORARY")
    if not given:
        return None
    access = json.loads(given)
    return access["url"], access["apiKey"]
