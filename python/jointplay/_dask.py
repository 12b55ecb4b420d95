"""Studies on a Dask cluster: runs are made by its workers, and their rows go to the journal of the study, which stays here.

Dask decides where a chunk of runs is made, and makes it again where a worker died. A chunk is a task of a second or two, and few of them
are under way at a time, so that a study of a million runs is no heavier for the scheduler than one of a hundred.
"""

from __future__ import annotations

import hashlib
import math
import queue
import tempfile
import threading
import time
import uuid
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from . import _jointplay
from ._errors import RunError
from ._own import Own

Future = Any
"""A future of Dask, whose types differ from version to version."""

TARGET = 2.0
"""How long a chunk of runs should take (s)."""
LEAST = 0.2
"""A chunk at the end of a study, where all workers should end together, is not shorter (s)."""
MOST = 10_000
"""No more errands in a chunk."""
BYTES = 16e6
"""No more than this comes back at a time."""
PATIENCE = 30.0
"""After this time without any worker the user hears of it (s)."""

Errand = tuple[int, str]


@dataclass(frozen=True)
class Parcel:
    """All that a worker needs for any run of a study."""

    key: str
    engine: str
    files: dict[str, str]
    own: Own | None


# On the workers


def _engine() -> str:
    return _jointplay.engine


def _same(parcel: Parcel) -> Parcel:
    return parcel


def _text(text: str) -> str:
    return text


_studies: OrderedDict[str, tuple[_jointplay.Study, Any]] = OrderedDict()
_lock = threading.Lock()


def _study(parcel: Parcel) -> _jointplay.Study:
    """The study of a parcel, which is read once on each worker."""
    with _lock:
        if parcel.key not in _studies:
            folder = tempfile.TemporaryDirectory(prefix="jointplay-")
            own = parcel.own.parts if parcel.own is not None else None
            _studies[parcel.key] = _jointplay.Study.of_files(parcel.files, folder.name, own), folder
            while len(_studies) > 4:
                _studies.popitem(last=False)
        _studies.move_to_end(parcel.key)
        return _studies[parcel.key][0]


class _Unwanted(Exception):
    """The answer to errands is not wanted any more."""


def _asked() -> Callable[[float, float], None] | None:
    """Raises where Dask has cancelled the task that calls this."""
    from distributed import get_worker

    try:
        worker = get_worker()
        key = worker.get_current_task()
    except (ValueError, AttributeError):
        return None

    def asked(done: float, total: float) -> None:
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise _Unwanted

    return asked


def _answer(parcel: Parcel, context: str, errands: list[str]) -> tuple[list[list[str]], float]:
    """The rows of errands, and how long they took (s)."""
    if parcel.engine != _jointplay.engine:
        from distributed import get_worker

        raise RunError(_other_engine({get_worker().address: _jointplay.engine}))
    study = _study(parcel)
    start = time.perf_counter()
    rows = study.answer(context, errands, _asked())
    return rows, time.perf_counter() - start


# Here


def _other_engine(others: dict[str, str]) -> str:
    listed = ", ".join(f"{address} ({engine[:12]})" for address, engine in sorted(others.items()))
    return (
        f"these Dask workers have another engine than this process ({_jointplay.engine[:12]}), and would give other bits: {listed}; "
        "install the same version of jointplay on all of them"
    )


class Crew:
    """Does the errands of one study on the workers of a client."""

    def __init__(self, client: Any, study: _jointplay.Study, own: Own | None) -> None:
        self.client = client
        _check(client)
        files = study.files()
        text = repr(sorted(files.items())) + (own.identity if own is not None else "")
        key = hashlib.sha256(text.encode()).hexdigest()
        self.name = f"jointplay-{uuid.uuid4().hex[:12]}"
        self.sent = 0
        # A task, not scattered data: Dask makes it again where the worker that has it dies.
        self.parcel = client.submit(_same, Parcel(key, _jointplay.engine, files, own), key=f"{self.name}-study", pure=False)
        self.context: tuple[str, Any] | None = None
        self.seconds: float | None = None
        self.bytes = 1.0
        self.chunk = 1
        self.counted = -math.inf
        self.slots = 1
        self.seen = time.monotonic()

    def __call__(self, context: str, errands: _jointplay.Errands) -> None:
        """Does errands that share a context."""
        if self.context is None or self.context[0] != context:
            future = self.client.submit(_text, context, key=self._key("context"), pure=False)
            self.context = context, future
        killed = self._do(self._chunks(errands), errands)
        # One of the runs of these chunks ends the process that makes it: which one?
        if len(killed) > 2 * self.slots:
            killed = self._do(([errand] for errand in killed), errands)
        killed = self._do(([errand] for errand in killed), errands, alone=True)
        for number, _ in killed:
            errands.lose(number, "the run ended every Dask worker that made it")

    def _key(self, kind: str) -> str:
        self.sent += 1
        return f"{self.name}-{kind}-{self.sent}"

    def _chunks(self, errands: _jointplay.Errands) -> Iterator[list[Errand]]:
        left: int | None = None
        while True:
            chunk, left = errands.take(self._count(left))
            if not chunk:
                return
            yield chunk

    def _count(self, left: int | None) -> int:
        """How many errands make up a chunk, as far as is known yet."""
        if self.seconds is None:
            return 1
        count = TARGET / self.seconds
        if left is not None:
            count = min(count, max(left / (2 * self.slots), LEAST / self.seconds))
        # Early runs say little of later ones.
        count = min(count, 8 * self.chunk, MOST, BYTES / self.bytes)
        self.chunk = max(1, int(count))
        return self.chunk

    def _room(self) -> int:
        """How many chunks may be under way: one that is made and one that waits for each thread of the workers."""
        now = time.monotonic()
        if now - self.counted > 1.0:
            self.counted = now
            threads = sum(self.client.nthreads().values())
            if threads:
                self.seen = now
            elif now - self.seen > PATIENCE:
                self.seen = math.inf
                warnings.warn("the Dask cluster has no worker: the study waits for one", RuntimeWarning, stacklevel=2)
            self.slots = max(1, threads)
        return 2 * self.slots

    def _do(self, chunks: Iterable[list[Errand]], errands: _jointplay.Errands, *, alone: bool = False) -> list[Errand]:
        """Does chunks of errands; those whose workers died again and again are returned. What else a task raises is raised."""
        from distributed import KilledWorker

        ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
        flight: dict[str, tuple[Future, list[Errand]]] = {}
        killed: list[Errand] = []

        def send(chunk: list[Errand]) -> None:
            assert self.context is not None
            texts = [text for _, text in chunk]
            future = self.client.submit(_answer, self.parcel, self.context[1], texts, key=self._key("runs"), pure=False)
            flight[future.key] = future, chunk
            future.add_done_callback(ended.put)

        more: Iterator[list[Errand]] | None = iter(chunks)
        try:
            while not errands.stopped():
                while more is not None and len(flight) < (1 if alone else self._room()):
                    chunk = next(more, None)
                    if chunk is None:
                        more = None
                    else:
                        send(chunk)
                if not flight:
                    break
                try:
                    future = ended.get(timeout=0.05)
                except queue.Empty:
                    continue
                _, chunk = flight.pop(future.key)
                if future.status not in ("finished", "error"):  # lost with its scheduler, or cancelled by somebody else
                    raise RunError(f"a part of the study was {future.status} by Dask")
                try:
                    # Where the worker that has it died, Dask makes it again.
                    rows, seconds = future.result()
                except KilledWorker:
                    killed += chunk
                    continue
                self._learn(rows, seconds)
                for (number, _), own in zip(chunk, rows, strict=True):
                    errands.give(number, own)
        finally:
            if flight:
                self.client.cancel([future for future, _ in flight.values()])
        return killed

    def _learn(self, rows: list[list[str]], seconds: float) -> None:
        each = max(seconds, 1e-6) / len(rows)
        self.seconds = each if self.seconds is None else 0.5 * (self.seconds + each)
        self.bytes = max(1.0, sum(len(row) for own in rows for row in own) / len(rows))


def _check(client: Any) -> None:
    """Refuses what is no client of a cluster, and workers of another engine."""
    try:
        from distributed import Client
    except ImportError:
        raise ImportError("studies on a cluster need Dask: pip install 'jointplay[dask]'") from None
    if not isinstance(client, Client):
        raise TypeError(f"client is a dask.distributed.Client, not {type(client).__name__}")
    if client.asynchronous:
        raise TypeError("an asynchronous client cannot be used: make it with Client(..., asynchronous=False)")
    found = client.run(_engine, on_error="return")
    failed = {address: why for address, why in found.items() if isinstance(why, BaseException)}
    if failed:
        address, why = next(iter(failed.items()))
        raise RunError(
            f"the Dask worker {address} cannot use jointplay: {type(why).__name__}: {why}; install the same version on all workers"
        )
    others = {address: engine for address, engine in found.items() if engine != _jointplay.engine}
    if others:
        raise RunError(_other_engine(others))
