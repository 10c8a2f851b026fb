/* SPDX-License-Identifier: MIT */
async function start() {
  /* This document is the hidden one of a Reader. */
  if (location.hash === "#read") {
    onmessage = async ({data}) => { await picture(new Image(), data); parent.postMessage("", "*"); };
    return parent.postMessage("", "*");
  }
  const frame = /\/by-frame\/(\d+)\/[^/]*$/.exec(location.pathname);
  await loadDump();
  if (document.body.dataset.page === "frame" && frame) await showFrame(Number(frame[1]));
  else dumpPage();
  document.body.dataset.ready = "";
}
start().catch(error => document.body.append(h("p", {class: "failure"},
  `${error.message}. The page shows the files of its mount; problems.txt may give the reason.`)));
