# SPDX-License-Identifier: MIT
"""What each of the five clicks from a dump to the draw that made a pixel takes, for bench.py."""
import contextlib
import os
import time
import urllib.parse

import webdriver
from mountlib import PATIENCE, children, helpers

# Of the page's own clock, and without what the driver takes: the page clicks, and looks at each picture that it draws.
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
THUMBNAIL = "document.querySelector(\".cell[data-frame='{frame}'] img.there\") !== null"
PICTURE = "location.pathname.includes('/by-frame/{frame:06d}/') && document.querySelector('[data-pane=image] img')?.naturalWidth > 0"
FIRST = "document.querySelector('.cell img.there') !== null"
CELL = "document.querySelector(\".cell[data-frame='{frame}']\") !== null"
SCROLL = """
    const sheet = document.querySelector('.sheet'), row = sheet.querySelector('.cell').parentElement;
    const columns = getComputedStyle(row).gridTemplateColumns.split(' ').length;
    sheet.scrollTop = Math.floor(arguments[0] / columns) * (row.offsetHeight + 12);"""
HAND = 1.2  # seconds from what is seen to the next click
HISTORY = "document.querySelector('#pixel .history li') !== null"
MADE = "#pixel li:not(.idle) a"
# Its pictures, too.
DRAWN = "(() => { const made = /#?draw=(\\d+)/.exec(location.hash)?.[1]; return made !== undefined && " \
        "['draws', 'draws-touched'].every(id => { const pane = document.querySelector(`[data-pane=${id}] img`); " \
        "return !pane || Number(/(\\d+)[^/]*$/.exec(pane.src)?.[1]) === Number(made) && pane.naturalWidth > 0; }); })()"


class Clicks:
    """A browser that goes the way, again and again."""

    def __init__(self):
        self.browser = webdriver.Browser("none")  # a page has its pictures late, and is used before
        self.browser.post("/timeouts", script=5_000)

    def shown(self, condition):
        """When it was, by the page. A page that goes on to another one takes the script with it."""
        limit = time.monotonic() + PATIENCE
        while True:
            try:
                return self.browser.post("/execute/async", script=SHOWN, args=[condition])
            except AssertionError:
                if time.monotonic() > limit:
                    raise

    def take(self, process, begin, condition):
        """Seconds of the daemon and its workers, and by the clock, until what it shows is there."""
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
        """By the step's name: each click as soon as the one before has shown what it shows."""
        url = "file://" + urllib.parse.quote(place) + f"/index.html#frame={frame}"
        return {
            "sheet": self.take(process, lambda: self.open(url), THUMBNAIL.format(frame=frame)),
            "frame": self.take(process, lambda: self.click(f".cell[data-frame='{frame}']"), PICTURE.format(frame=frame)),
            "pixel": self.take(process, lambda: self.click("[data-pane=image] .shotbox", *point), HISTORY),
            "draw": self.take(process, lambda: self.click(MADE), DRAWN),
        }

    def by_hand(self, process, place, frame, point):
        """The same of one who knows no link: the frame is scrolled to, and clicked on before its thumbnail is there."""
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
        """Until the daemon has nothing to do any more for what was shown."""
        self.browser.post("/url", url="about:blank")
        taken = -1
        while daemon_seconds(process) > taken:
            taken = daemon_seconds(process)
            time.sleep(0.5)


def daemon_seconds(process):
    """Processor time of the daemon, its helpers and workers, those that have ended included."""
    pids = {process.pid, *helpers(process.pid).values(), *children(process.pid)}
    ticks = 0
    for pid in pids:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/stat") as file:
            ticks += sum(int(word) for word in file.read().rsplit(")", 1)[1].split()[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")
