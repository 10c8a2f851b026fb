# SPDX-License-Identifier: MIT
"""A headless Chromium, controlled with the W3C WebDriver protocol over plain HTTP."""
import atexit
import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from mountlib import PATIENCE, equal, path, scratch

KEYS = {"Home": "\ue011", "End": "\ue010", "ArrowLeft": "\ue012", "ArrowRight": "\ue014",
        "Escape": "\ue00c", "Enter": "\ue007", "PageUp": "\ue00e", "PageDown": "\ue00f"}
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--disable-dev-shm-usage", "--window-size=1440,900")
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def missing():
    """Returns why there is no browser, or None if there is one."""
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    return None


class Browser:
    def __init__(self, waits_for="normal"):
        """`waits_for` is W3C's pageLoadStrategy: how much of a page must be loaded before open()
        goes on."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        log = open(path("chromedriver.log"), "wb")
        # The browser is shared by all tests, and ends with the script.
        self.process = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=log,
                                        stderr=log, start_new_session=True)
        atexit.register(self.end)
        self.wait(self.answers, "chromedriver")
        options = {"args": [*OPTIONS, f"--user-data-dir={tempfile.mkdtemp(dir=scratch)}"]}
        session = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "pageLoadStrategy": waits_for,
            "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = "/session/" + session["sessionId"]

    def answers(self):
        try:
            return self.ask("GET", "/status")["ready"]
        except OSError:
            return False

    def ask(self, method, name, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, name, json.dumps(body) if body is not None else None)
        value = json.loads(connection.getresponse().read())["value"]
        connection.close()
        assert not (isinstance(value, dict) and "error" in value), value
        return value

    def post(self, name, **body):
        return self.ask("POST", self.session + name, body)

    def wait(self, condition, what, seconds=PATIENCE):
        """Waits until the condition is true; returns its value."""
        limit = time.monotonic() + seconds
        while not (value := condition()):
            assert time.monotonic() < limit, f"not in {seconds} s: {what}"
            time.sleep(0.02)
        return value

    def js(self, code, *arguments):
        return self.post("/execute/sync", script=code, args=arguments)

    def until(self, code, *arguments):
        """Waits until a JavaScript expression is true; returns its value."""
        return self.wait(lambda: self.js(f"return {code}", *arguments), f"{code} {arguments}")

    def open(self, url):
        """Loads one of our pages, even if its URL differs from the current one only in the
        fragment."""
        self.post("/url", url="about:blank")
        self.post("/url", url=url)
        self.until("'ready' in document.body.dataset || document.querySelector('.failure') !== null")
        equal(self.js("return document.querySelector('.failure')?.textContent ?? null"), None, url)

    def click(self, selector, x=None, y=None):
        """Clicks with the mouse on an element, or on a position in it, given as fractions of its
        width and height."""
        found = self.post("/element", using="css selector", value=selector)[ELEMENT]
        if x is None:
            self.wait(lambda: self.is_clicked(found), f"{selector} is not covered")
            return
        left, top = self.js("const r = document.querySelector(arguments[0]).getBoundingClientRect();"
                            "return [r.left + r.width * arguments[1], r.top + r.height * arguments[2]]",
                            selector, x, y)
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}}
        self.post("/actions", actions=[{**pointer, "actions": [
            {"type": "pointerMove", "duration": 0, "x": round(left), "y": round(top)},
            {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}])

    def is_clicked(self, found):
        """Clicks. Returns False if something covers the element, for example because the layout is
        not complete yet."""
        try:
            self.post(f"/element/{found}/click")
        except AssertionError as error:
            if "click intercepted" not in str(error):
                raise
            return False
        return True

    def press(self, *keys):
        strokes = [{"type": kind, "value": KEYS.get(key, key)} for key in keys
                   for kind in ("keyDown", "keyUp")]
        self.post("/actions", actions=[{"type": "key", "id": "keys", "actions": strokes}])

    def emulate(self, scheme):
        self.post("/goog/cdp/execute", cmd="Emulation.setEmulatedMedia", params={
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def errors(self):
        """Returns the errors in pages since the last call."""
        return [entry["message"] for entry in self.post("/se/log", type="browser")
                if entry["level"] == "SEVERE"]

    def end(self):
        with contextlib.suppress(Exception):
            self.ask("DELETE", self.session)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)
