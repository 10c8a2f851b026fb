# SPDX-License-Identifier: MIT
"""Measures the browser's time for the steps from the opened page to the draw that made a pixel, for
bench.py."""
import os
import time
import urllib.parse

import webdriver

# Checks the condition rarely, since each check costs the page time, too.
WAIT = """
    const [code, done] = arguments, condition = new Function("return " + code);
    const timer = setInterval(() => { if (condition()) { clearInterval(timer); done(true); } }, 250);"""
CELLS = "document.querySelectorAll('.cell img').length > 4 && document.querySelectorAll('.legend span').length > 0"
PANES = "[...document.querySelectorAll('.pane .shotbox')].every(box => box.querySelector('.absent') || " \
        "box.querySelector('img').naturalWidth > 0) && document.querySelector('.lower .view > *') !== null"
HISTORY = "document.querySelector('#pixel .history li') !== null"
STEPPED = "[...document.querySelectorAll('.pane .shotbox img')].every(image => image.complete)"
QUIET = 0.3  # seconds after each step, in which the work that it started ends


def session_seconds(session):
    """Returns the processor time of all living processes of a session."""
    ticks = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class Steps:
    """A browser that measures the processor time of each step: of the page's thread, and of all
    processes."""

    def __init__(self):
        self.browser = webdriver.Browser()
        self.browser.post("/timeouts", script=300_000)
        self.cdp("Performance.enable", timeDomain="threadTicks")

    def cdp(self, command, **params):
        return self.browser.post("/goog/cdp/execute", cmd=command, params=params)

    def page_seconds(self):
        return next(metric["value"] for metric in self.cdp("Performance.getMetrics")["metrics"]
                    if metric["name"] == "TaskDuration")

    def wait(self, condition):
        self.browser.post("/execute/async", script=WAIT, args=[condition])

    def take(self, step, condition, opens=False):
        """Returns the seconds of the page's thread, and of all processes. A page that is opened
        starts at 0."""
        page = 0 if opens else self.page_seconds()
        everything = session_seconds(self.browser.process.pid)
        step()
        self.wait(condition)
        time.sleep(QUIET)
        return self.page_seconds() - page, session_seconds(self.browser.process.pid) - everything

    def all(self, place, frame):
        """Returns what each step takes, by its name, for a mount."""
        def url(name):
            return "file://" + urllib.parse.quote(place) + "/" + name
        browser = self.browser
        return {
            "sheet": self.take(lambda: browser.open(url("index.html")), CELLS, True),
            "frame": self.take(lambda: browser.open(url(f"by-frame/{frame:06d}/index.html")), PANES, True),
            "pixel": self.take(lambda: browser.click("[data-pane=image] .shotbox", 0.5, 0.5), HISTORY),
            "step": self.take(lambda: browser.press("ArrowLeft"), STEPPED),
        }
