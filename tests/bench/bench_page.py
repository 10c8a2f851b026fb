# SPDX-License-Identifier: MIT
"""Steps in the pages, as a browser takes them."""
import os
import sys

from measure import RUNS, median, milliseconds, part, show
from loads import CORPUS, load, recording
from mounts import ours


@part
def page():
    """What each step to the draw that made a pixel takes of a browser, which has been there before."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../page"))
    import steps
    import webdriver
    if webdriver.missing():
        show("page", "-", webdriver.missing())
        return
    browser = steps.Steps()
    trace = os.path.join(CORPUS, "apitrace", "real", "neverball.trace")
    for name, dump, frame in (("torus", recording("torus"), 100), ("typical", load("typical"), 100),
                              ("neverball", trace if os.path.exists(trace) else None, 40)):
        if dump is None:
            continue
        with ours(dump) as (place, _):
            browser.all(place, frame)
            runs = [browser.all(place, frame) for _ in range(RUNS)]
        for step in runs[0]:
            own, everything = (median(run[step][i] for run in runs) for i in (0, 1))
            show(f"page, {name}: {step}, the page's thread", milliseconds(own),
                 f"{milliseconds(everything)} in all processes", "<= 200 ms", own <= 0.2)
