"""What notebooks show, in a browser without network: the page runs its engine inside the frame into which it is put."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jointplay as jp
import pytest

websocket = pytest.importorskip("tornado.websocket")
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="chromium is not installed")

PATIENCE = 60.0
"""A busy machine is slow (s)."""


@contextmanager
def browser(folder: Path) -> Iterator[str]:
    """A browser that reaches nothing; the address at which it is controlled."""
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-port=0"]
    running = subprocess.Popen(
        [str(BROWSER), *flags, f"--user-data-dir={folder / 'profile'}", "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        place = folder / "profile" / "DevToolsActivePort"
        end = time.monotonic() + PATIENCE
        while not (place.exists() and place.read_text().count("\n")):
            assert running.poll() is None, "the browser ended"
            assert time.monotonic() < end, "the browser does not start"
            time.sleep(0.05)
        yield place.read_text().splitlines()[0]
    finally:
        running.terminate()
        running.wait(timeout=30)


class Frames:
    """The frames of a page, in each of which script is evaluated."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._count = 0
        self._sessions: list[str | None] = []
        self._contexts: dict[tuple[str | None, int], str] = {}
        self._answers: dict[int, asyncio.Future[Any]] = {}

    async def send(self, method: str, session: str | None = None, **params: Any) -> Any:
        self._count += 1
        answer = self._answers[self._count] = asyncio.get_running_loop().create_future()
        message = {"id": self._count, "method": method, "params": params}
        await self._connection.write_message(json.dumps(message | ({"sessionId": session} if session else {})))
        return await asyncio.wait_for(answer, PATIENCE)

    async def listen(self) -> None:
        tasks = []
        while (text := await self._connection.read_message()) is not None:
            message = json.loads(text)
            session = message.get("sessionId")
            if "id" in message:
                if not (answer := self._answers.pop(message["id"])).done():
                    answer.set_result(message.get("result", {}))
            elif message["method"] == "Target.attachedToTarget":
                tasks.append(asyncio.create_task(self.attach(message["params"]["sessionId"])))
            elif message["method"] == "Runtime.executionContextCreated":
                context = message["params"]["context"]
                self._contexts[session, context["id"]] = context["origin"]
            elif message["method"] == "Runtime.executionContextDestroyed":
                self._contexts.pop((session, message["params"]["executionContextId"]), None)
        for task in tasks:
            task.cancel()

    async def attach(self, session: str | None) -> None:
        """Frames without an origin may be in processes of their own."""
        await self.send("Target.setAutoAttach", session, autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
        await self.send("Runtime.enable", session)

    async def until(self, script: str) -> tuple[Any, str]:
        """What a script gives in the first frame in which it gives anything, and the origin of the frame."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for (session, context), origin in list(self._contexts.items()):
                found = await self.send("Runtime.evaluate", session, expression=script, contextId=context, returnByValue=True)
                value = found.get("result", {}).get("value")
                if value:
                    return value, origin
            await asyncio.sleep(0.1)
        raise AssertionError(f"no frame answers {script}; there are {self._contexts}")


PRESS = "document.querySelector('[data-testid=whatif-run]') && (document.querySelector('[data-testid=whatif-run]').click(), true)"
DONE = """(() => {
  const busy = document.querySelector('[data-testid=whatif-busy]');
  const row = document.querySelector('[data-testid=number-row][data-number=impacts][data-joint=pin]');
  const ran = document.querySelector('#scene select.which option[value=whatif]');
  if (!ran || !row || (busy && busy.checkVisibility())) return null;
  return { label: ran.textContent, impacts: Number(row.querySelectorAll('td')[1].dataset.value) };
})()"""


async def runs(port: str, page: Path) -> tuple[dict[str, Any], str]:
    """Presses *Run* in the page inside a page; what it then shows, and the origin of its frame."""
    plain = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with plain.open(f"http://127.0.0.1:{port}/json/list") as answer:
        [target] = [target for target in json.load(answer) if target["type"] == "page"]
    connection = await websocket.websocket_connect(target["webSocketDebuggerUrl"], max_message_size=1 << 28)
    frames = Frames(connection)
    listening = asyncio.create_task(frames.listen())
    try:
        await frames.attach(None)
        await frames.send("Page.navigate", url=page.as_uri())
        _, origin = await frames.until(PRESS)
        shown, again = await frames.until(DONE)
        assert origin == again
        return shown, origin
    finally:
        listening.cancel()
        connection.close()


@pytest.fixture(scope="module")
def run():
    return jp.example("slider-crank").run(until=0.05)


def test_peer_the_page_in_a_notebook_runs_its_engine(run, tmp_path):
    page = tmp_path / "notebook.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><title>notebook</title><body>{run._repr_html_()}", encoding="utf-8")
    with browser(tmp_path) as port:
        shown, origin = asyncio.run(runs(port, page))
    assert origin in ("", "null", "://"), "a frame with an origin of its own reaches the notebook"
    assert shown["impacts"] == run.summary["contacts"]["pin"]["impacts"]


def test_peer_a_notebook_exported_to_html_runs_its_engine(run, tmp_path):
    nbformat, nbconvert = pytest.importorskip("nbformat"), pytest.importorskip("nbconvert")
    output = nbformat.v4.new_output("display_data", {"text/html": run._repr_html_(), "text/plain": repr(run)})
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("run", outputs=[output])])
    text, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    page = tmp_path / "exported.html"
    page.write_text(text, encoding="utf-8")
    with browser(tmp_path) as port:
        shown, _ = asyncio.run(runs(port, page))
    assert shown["impacts"] == run.summary["contacts"]["pin"]["impacts"]
