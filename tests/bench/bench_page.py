# SPDX-License-Identifier: MIT
"""Steps in the pages, as a browser takes them."""
import os
import sys

from measure import RUNS, median, milliseconds, part, show
from loads import CORPUS, load, recording
from mounts import ours

GOAL = 0.2  # seconds for each step
POINT = (0.45, 0.55)  # where the picture is clicked, as parts of its box
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../page"))


def dumps():
    """Returns (name, dump, frame) of the dumps that exist."""
    trace = os.path.join(CORPUS, "apitrace", "real", "neverball.trace")
    found = (("torus", recording("torus"), 100), ("typical", load("typical"), 100),
             ("neverball", trace if os.path.exists(trace) else None, 40))
    return [row for row in found if row[1] is not None]


def has_browser(name):
    import webdriver
    if webdriver.missing():
        show(name, "-", webdriver.missing())
    return not webdriver.missing()


@part
def clicks():
    """What each click on the way to the draw that made a pixel costs the mount, the first time and again."""
    import clicks as way
    if not has_browser("clicks"):
        return
    browser = way.Clicks()
    for name, dump, frame in dumps():
        runs = {"new": [], "seen before": []}
        for _ in range(RUNS):
            with ours(dump) as (place, process):
                for mount in runs:
                    runs[mount].append(browser.all(process, place, frame, POINT))
                    browser.rest(process)
        for mount, times in runs.items():
            show_steps(f"clicks, {name}, {mount}", times)


@part
def hand():
    """The same with a pause before each click, and with scrolling to the frame in a sheet opened without a link."""
    import clicks as way
    if not has_browser("hand"):
        return
    browser = way.Clicks()
    for name, dump, frame in dumps():
        times = []
        for _ in range(RUNS):
            with ours(dump) as (place, process):
                times.append(browser.by_hand(process, place, frame, POINT))
                browser.rest(process)
        show_steps(f"hand, {name}", times)


def show_steps(what, times):
    """Shows the steps. What the daemon does in the background for the page counts as well."""
    for step in times[0]:
        own, clock = (median(run[step][i] for run in times) for i in (0, 1))
        show(f"{what}: {step}, the daemon's processors", milliseconds(own),
             f"{milliseconds(clock)} by the clock, until it is seen", "<= 200 ms", own <= GOAL)


@part
def page():
    """What each step to the draw that made a pixel costs the browser, which has taken the steps before."""
    import steps
    if not has_browser("page"):
        return
    browser = steps.Steps()
    for name, dump, frame in dumps():
        with ours(dump) as (place, _):
            browser.all(place, frame)
            runs = [browser.all(place, frame) for _ in range(RUNS)]
        for step in runs[0]:
            own, everything = (median(run[step][i] for run in runs) for i in (0, 1))
            show(f"page, {name}: {step}, the page's thread", milliseconds(own),
                 f"{milliseconds(everything)} in all processes", "<= 200 ms", own <= GOAL)
