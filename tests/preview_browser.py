"""A headless Chromium for the tests of the preview, driven over pipes: nothing to install but the browser."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["BROWSER", "Browser"]

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome"))), None
)
_FLAGS = """--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --disable-extensions --disable-dev-shm-usage --hide-scrollbars --mute-audio
--proxy-server=127.0.0.1:9 --remote-debugging-pipe""".split()


class Browser:
    """One browser with one page."""

    def __init__(self, path: str) -> None:
        self.folder = tempfile.mkdtemp(prefix="mdchunk-browser-")
        commands, self._out = self._pipe()
        self._in, answers = self._pipe()

        def connect() -> None:  # the browser reads commands from descriptor 3 and writes to 4
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self._process = subprocess.Popen(
            [path, *_FLAGS, f"--user-data-dir={self.folder}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=connect,  # noqa: PLW1509 -- no threads here
            pass_fds=(3, 4),
        )
        os.close(commands)
        os.close(answers)
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.messages: list[str] = []
        """What the page wrote to the console, its uncaught errors, and what its policy refused."""
        self.requests: list[str] = []
        """Addresses that the page asked for."""
        self.dialogs: list[str] = []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    @staticmethod
    def _pipe() -> tuple[int, int]:
        read, write = os.pipe()
        moved = fcntl.fcntl(read, fcntl.F_DUPFD_CLOEXEC, 20), fcntl.fcntl(write, fcntl.F_DUPFD_CLOEXEC, 20)
        os.close(read)
        os.close(write)
        return moved

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method of the DevTools protocol and wait for its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        while True:
            answer = self._read(60)
            if answer is None:
                raise TimeoutError(method)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result

    def _read(self, seconds: float) -> dict[str, Any] | None:
        until = time.monotonic() + seconds
        while b"\0" not in self._buffer:
            if not select.select([self._in], [], [], max(0, until - time.monotonic()))[0]:
                return None
            data = os.read(self._in, 1 << 20)
            if not data:
                raise ConnectionError("the browser has gone")
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        answer: dict[str, Any] = json.loads(message)
        self._note(answer.get("method", ""), answer.get("params", {}))
        return answer

    def _note(self, method: str, params: Mapping[str, Any]) -> None:
        if method == "Runtime.consoleAPICalled":
            self.messages.append(" ".join(str(arg.get("value", arg.get("description"))) for arg in params["args"]))
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded":
            self.messages.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.dialogs.append(params["message"])

    def open(self, path: Path, *, width: int = 1400, height: int = 900, dark: bool = False, fragment: str = "") -> None:
        """Load a page from a file; what was noted of the one before is forgotten."""
        self.call("Page.navigate", url="about:blank")
        self.size(width, height, dark=dark)
        self.messages, self.requests, self.dialogs = [], [], []
        self.call("Page.navigate", url=path.as_uri() + fragment)
        for _ in range(600):
            if self.run("location.protocol === 'file:' && document.readyState === 'complete'"):
                break
            time.sleep(0.05)
        self.settle()

    def size(self, width: int, height: int, *, dark: bool = False) -> None:
        """Set the size of the window in CSS pixels, and the colour scheme that the system asks for."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        feature = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def settle(self) -> None:
        """Wait for timers and two frames."""
        frames = "requestAnimationFrame(() => requestAnimationFrame(() => done(1)))"
        self.run(f"new Promise(done => setTimeout(() => {frames}, 160))")

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page; promises are waited for."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"])
        return found["result"].get("value")

    def press(self, *keys: str) -> None:
        """Press keys, one after the other: `j`, `Enter`."""
        codes = {"Enter": 13, "Escape": 27, "Tab": 9}
        for key in keys:
            text = key if len(key) == 1 else "\r" if key == "Enter" else ""
            common = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key.upper()[0]))}
            self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **common)
            self.call("Input.dispatchKeyEvent", type="keyUp", **common)
        self.settle()

    def click(self, selector: str) -> None:
        """Click in the middle of the first element."""
        box = f"document.querySelector({selector!r}).getBoundingClientRect()"
        x, y = self.run(f"(box => [box.x + box.width / 2, box.y + box.height / 2])({box})")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def screenshot(self, path: Path) -> None:
        """Write what the window shows as PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def print_pdf(self) -> bytes:
        """The page as it prints."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=False)["data"])

    def close(self) -> None:
        """End the browser and remove its folder."""
        with suppress(OSError, ConnectionError, TimeoutError, RuntimeError):
            self._session = None
            self.call("Browser.close")
        with suppress(OSError):
            os.close(self._out)
            os.close(self._in)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
