"""What waits and what runs in the background, for threads and for asyncio."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

Lock, AsyncLock = threading.Lock, asyncio.Lock
sleep, async_sleep = time.sleep, asyncio.sleep


class Background:
    """Runs work in threads that do not keep the program alive."""

    def start(self, work: Callable[..., None], *args: Any) -> None:
        """Starts work that raises nothing."""
        threading.Thread(target=work, args=args, daemon=True).start()


class AsyncBackground:
    """Runs work in tasks."""

    def __init__(self) -> None:
        # asyncio keeps no reference to a task.
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Callable[..., Coroutine[Any, Any, None]], *args: Any) -> None:
        """Starts work that raises nothing."""
        task = asyncio.create_task(work(*args))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
