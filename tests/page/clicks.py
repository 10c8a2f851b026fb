# SPDX-License-Identifier: MIT
"""Measures each of the clicks from a dump to the draw that made a pixel, for bench.py."""
import contextlib
import os
import time
import urllib.parse

import webdriver
from mountlib import PATIENCE, children, helpers

# Times are those of the page's own clock, which excludes the driver's time: the page itself clicks,
# and checks whether what it draws is complete.
CLICK = """
    const [selector, x, y] = arguments, element = document.querySelector(selector), box = element.getBoundingClientRect();
    const at = {bubbles: true, cancelable: true, clientX: box.left + box.width * x, clientY: box.top + box.height * y};
    const now = performance.timeOrigin + performance.now();
    element.dispatchEvent(new MouseEvent("click", at));
    return now;"""
SHOWN = """
    const [code, done] = arguments, condition = new Function("return " + code);
    const look = () => condition() ? done(performance.timeOrigin + performance.now()) : setTimeout(look, 2);
    look();"""
THUMBNAIL = "document.querySelector(\".cell[data-frame='{frame}'] img\") !== null"
PICTURE = "location.pathname.includes('/by-frame/{frame:06d}/') && document.querySelector('[data-pane=image] img')?.naturalWidth > 0"
FIRST = "document.querySelector('.cell img') !== null"
CELL = "document.querySelector(\".cell[data-frame='{frame}']\") !== null"
SCROLL = """
    const sheet = document.querySelector('.sheet'), row = sheet.querySelector('.cell').parentElement;
    const columns = getComputedStyle(row).gridTemplateColumns.split(' ').length;
    sheet.scrollTop = Math.floor(arguments[0] / columns) * (row.offsetHeight + 12);"""
HAND = 1.2  # pause between seeing the result and the next click
HISTORY = "document.querySelector('#pixel .history li') !== null"
MADE = "#pixel li:not(.idle) a"
# True when the draw's pictures are shown, too.
DRAWN = "(() => { const made = /#?draw=(\\d+)/.exec(location.hash)?.[1]; return made !== undefined && " \
        "['draws', 'draws-touched'].every(id => { const pane = document.querySelector(`[data-pane=${id}] img`); " \
        "return !pane || Number(/(\\d+)[^/]*$/.exec(pane.src)?.[1]) === Number(made) && pane.naturalWidth > 0; }); })()"


class Clicks:
    """A browser that follows the way from the dump to the draw repeatedly."""

    def __init__(self):
        self.browser = webdriver.Browser("none")  # pages load their pictures late, and are used before that
        self.browser.post("/timeouts", script=5_000)

    def shown(self, condition):
        """Returns when the condition became true, by the page's clock. Retries if the page was
        replaced meanwhile."""
        limit = time.monotonic() + PATIENCE
        while True:
            try:
                return self.browser.post("/execute/async", script=SHOWN, args=[condition])
            except AssertionError:
                if time.monotonic() > limit:
                    raise

    def take(self, process, begin, condition):
        """Returns the seconds of the daemon and its workers, and those on the clock, until the
        condition is true."""
        before, start = daemon_seconds(process), begin()
        end = self.shown(condition)
        return daemon_seconds(process) - before, (end - start) / 1000

    def click(self, selector, x=0.5, y=0.5):
        return self.browser.js(CLICK, selector, x, y)

    def open(self, url):
        self.browser.post("/url", url="about:blank")
        now = time.time() * 1000
        self.browser.post("/url", url=url)
        return now

    def all(self, process, place, frame, point):
        """Returns what each step takes, by its name. Each click follows as soon as the step before
        is shown."""
        url = "file://" + urllib.parse.quote(place) + f"/index.html#frame={frame}"
        return {
            "sheet": self.take(process, lambda: self.open(url), THUMBNAIL.format(frame=frame)),
            "frame": self.take(process, lambda: self.click(f".cell[data-frame='{frame}']"), PICTURE.format(frame=frame)),
            "pixel": self.take(process, lambda: self.click("[data-pane=image] .shotbox", *point), HISTORY),
            "draw": self.take(process, lambda: self.click(MADE), DRAWN),
        }

    def by_hand(self, process, place, frame, point):
        """Returns the same without a link to the frame: scrolls to it, and clicks before its
        thumbnail is shown."""
        url = "file://" + urllib.parse.quote(place) + "/index.html"
        took = {"first": self.take(process, lambda: self.open(url), FIRST)}
        time.sleep(HAND)
        self.browser.js(SCROLL, frame)
        self.shown(CELL.format(frame=frame))
        took["frame"] = self.take(process, lambda: self.click(f".cell[data-frame='{frame}']"), PICTURE.format(frame=frame))
        time.sleep(HAND)
        took["pixel"] = self.take(process, lambda: self.click("[data-pane=image] .shotbox", *point), HISTORY)
        time.sleep(HAND)
        took["draw"] = self.take(process, lambda: self.click(MADE), DRAWN)
        return took

    def rest(self, process):
        """Waits until the daemon has no more work to do for what was shown."""
        self.browser.post("/url", url="about:blank")
        taken = -1
        while daemon_seconds(process) > taken:
            taken = daemon_seconds(process)
            time.sleep(0.5)


def daemon_seconds(process):
    """Returns the processor time of the daemon, its helpers and workers, and their children that
    have ended."""
    pids = {process.pid, *helpers(process.pid).values(), *children(process.pid)}
    ticks = 0
    for pid in pids:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/stat") as file:
            ticks += sum(int(word) for word in file.read().rsplit(")", 1)[1].split()[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")
