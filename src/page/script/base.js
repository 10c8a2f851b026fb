/* SPDX-License-Identifier: MIT */
/*
 * The pages of a mount. Everything they show comes from the mount: pictures as they are, tables and
 * texts by scripts (NAME.N.js), since a page that was opened as a file must not read files. Strings
 * of a dump only ever become text: no markup is made of strings here.
 */
"use strict";

const ROOT = new URL("..", document.currentScript.src).href;

/*
 * Creates an element. Properties whose names begin with "on" are listeners; null values and
 * children are left out.
 */
function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat(3).filter(child => child !== null && child !== undefined));
  return element;
}

/*
 * Loads a script of the mount, and returns the value that the script passes to the functions below.
 * If the script is missing, it fails with an error of its own.
 */
const loaded = new Map();
function load(path) {
  if (!loaded.has(path)) {
    loaded.set(path, new Promise((resolve, reject) => {
      const script = h("script", {src: ROOT + path});
      const end = () => {
        script.remove();
        if (script.value !== undefined) return resolve(script.value);
        loaded.delete(path);
        reject(new Error(path + " cannot be read"));
      };
      script.onload = script.onerror = end;
      document.head.append(script);
    }));
    if (loaded.size > 4096) loaded.delete(loaded.keys().next().value);
  }
  return loaded.get(path);
}
const gpudumpfsDump = value => { document.currentScript.value = value; };
const gpudumpfsPiece = gpudumpfsDump, gpudumpfsHistory = gpudumpfsDump;

/*
 * Does work in the order in which it is added, or `soon`, before everything that waits. At most
 * `most` pieces are under way, each begun when `ready` has resolved: what is requested of the mount
 * is made even if it is not wanted any more, so little should be under way when the user clicks.
 * `took` is how long the last piece took, in milliseconds. A queue that is `apart` reads its
 * pictures with a Reader.
 */
class Queue {
  constructor(most, ready = async () => null, apart) { Object.assign(this, {most, ready, apart, waiting: [], active: 0, took: 0}); }
  add(work, soon) {
    return new Promise((resolve, reject) => {
      this.waiting[soon ? "unshift" : "push"](async () => work().then(resolve, reject));
      queueMicrotask(() => this.next());
    });
  }
  async next() {
    if (this.active === this.most || this.waiting.length === 0) return;
    this.active++;
    await this.ready();
    const begun = performance.now();
    await this.waiting.shift()?.();
    this.took = performance.now() - begun;
    this.active--;
    this.next();
  }
  async picture(image, url) {
    if (this.apart) await (this.reader ??= new Reader()).read(url);
    return picture(image, url);
  }
}
const sleep = ms => new Promise(go => setTimeout(go, ms));
/*
 * A hidden document that reads pictures, one at a time. Chromium opens the files of a document one
 * after another, each when the one before has its first bytes, so what the user clicks on would
 * wait behind a picture that takes seconds. If the document does not answer, pictures are read in
 * this one only.
 */
class Reader {
  constructor() {
    this.frame = h("iframe", {src: ROOT + "index.html#read", hidden: ""});
    addEventListener("message", ({source}) => { if (source === this.frame.contentWindow) this.go(); });
    this.there = Promise.race([this.answer(), sleep(2000).then(() => 1)]);
    document.body.append(this.frame);
  }
  answer() { return new Promise(go => { this.go = go; }); }
  async read(url) {
    if (await this.there) return;
    this.frame.contentWindow.postMessage(url, "*");
    await this.answer();
  }
}
/* Loads a picture into an element; resolves when the picture has come or failed. */
function picture(image, url) {
  return new Promise(resolve => {
    image.onload = image.onerror = () => resolve(image);
    image.src = url;
  });
}

/* The dump: counts, and the patterns of its names with their help texts. */
let dump = null;
const helps = new Map(), slow = new Set();
async function loadDump() {
  dump = await load(".gpudumpfs/dump.js");
  for (const [path, help, mark] of dump.names) {
    helps.set(path, help);
    if (mark) slow.add(path);
  }
}
const FRAME = "by-frame/NNNNNN/";
/*
 * Whether another program draws the pictures, one by one, so that what is requested first delays
 * everything else.
 */
const inTurn = () => [...slow].some(path => path.startsWith(FRAME) && path.endsWith(".png"));
const has = path => helps.has(path);
/*
 * Returns the files of a folder, which is given as a pattern, whose names end with one of the ends.
 */
function filesOf(folder, ...ends) {
  return [...helps.keys()].filter(path => path.startsWith(folder) && !path.slice(folder.length).includes("/") &&
    ends.some(end => path.endsWith(end)) && !/NNN|[A-Z]{2,}[-.]|^NAME/.test(path.slice(folder.length)))
    .map(path => path.slice(folder.length));
}
const pad = (number, digits) => String(number).padStart(digits, "0");
const frameName = frame => pad(frame, dump.frameDigits);
const framePath = frame => "by-frame/" + frameName(frame) + "/";
const framePage = (frame, state) => ROOT + framePath(frame) + "index.html" + (state ? "#" + state : "");
const pictureOf = frame => ROOT + "frames/" + frameName(frame) + ".png";
const PICTURES = "frames/NNNNNN.png";

const count = (number, word) => [h("b", null, short(number)), ` ${word}${Number(number) === 1 ? "" : "s"}`];
const fact = (children, bad) => h("li", {class: bad && "bad"}, children);

/* Numbers for readers. A cell of fixed width has leading zeros. */
const asNumber = cell => cell === null || cell === "" ? NaN : Number(cell);
const tidy = cell => cell === null ? "–" : /^0\d{6,}(\.\d+)?$/.test(cell) ? String(Number(cell)) : String(cell);
const format = new Intl.NumberFormat("en", {maximumFractionDigits: 1});
function scaled(number, most, by, units) {
  let unit = 0;
  while (number >= most && unit < 4) { number /= by; unit++; }
  return format.format(number) + units[unit];
}
const short = number => scaled(number, 9999.5, 1000, ["", "k", "M", "G", "T"]);
const bytes = number => scaled(number, 1024, 1024, [" B", " KiB", " MiB", " GiB", " TiB"]);

/* The state is in the URL's fragment, so that each state has a link: #draw=12&pixel=3,4. */
const state = {
  get: name => new URLSearchParams(location.hash.slice(1)).get(name),
  set(changes) {
    const now = new URLSearchParams(location.hash.slice(1));
    for (const [name, value] of Object.entries(changes))
      if (value === null || value === undefined) now.delete(name); else now.set(name, value);
    const text = now.toString().replaceAll("%2C", ",");
    if (text !== location.hash.slice(1)) history.replaceState(null, "", "#" + text);
  },
};

/* Parses lines of `key: value` to a map. */
function fields(lines) {
  const map = new Map();
  for (const line of lines) {
    const colon = line.indexOf(": ");
    if (colon > 0) map.set(line.slice(0, colon), line.slice(colon + 2));
  }
  return map;
}
const textOf = async (folder, name) => (await load(folder + name + ".0.js")).lines;

/*
 * Returns the elements for names and values, [[name, value]]; pairs without a value are left out.
 */
const pairs = list => list.filter(([, value]) => value !== null && value !== undefined)
  .map(([name, value]) => [h("dt", null, name), h("dd", null, tidy(value))]);

/*
 * Returns a function that calls `work` at most once before the next repaint, and at most once in
 * `pause` milliseconds.
 */
function once(work, pause = 0) {
  let asked = false, next = 0;
  const run = () => { asked = false; next = performance.now() + pause; work(); };
  return () => {
    if (asked) return;
    asked = true;
    const left = next - performance.now(), repaint = () => requestAnimationFrame(run);
    if (left > 0) setTimeout(repaint, left); else repaint();
  };
}
/*
 * Shows what has been loaded. A repaint costs a few milliseconds however little it shows, so what
 * comes within a tenth of a second is shown together.
 */
const GATHERED = 100, loadedParts = [];
const showParts = once(() => loadedParts.splice(0).forEach(show => show()), GATHERED);
const gather = show => { loadedParts.push(show); showParts(); };
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const schemes = matchMedia("(prefers-color-scheme: dark)");
/* Redraws when the size of the element or the colour scheme changes. */
function redrawn(element, redraw) {
  const update = once(redraw);
  new ResizeObserver(update).observe(element);
  schemes.addEventListener("change", update);
  return update;
}

/* The tip beside the mouse. */
const tip = h("div", {class: "tip", hidden: ""});
function showTip(event, ...children) {
  tip.replaceChildren(...children);
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const beside = (at, size, room) => Math.max(4, at + 15 + size > room ? at - size - 15 : at + 15) + "px";
  tip.style.left = beside(event.clientX, box.width, innerWidth);
  tip.style.top = beside(event.clientY, box.height, innerHeight);
}
const hideTip = () => { tip.hidden = true; };

/*
 * Handles keys, [key, what it does, function], and returns a button for a dialog that lists them.
 */
function listen(keys) {
  const list = h("dialog", {"aria-label": "Keys"}, h("dl", null, keys.map(([key, help]) =>
    [h("dt", null, h("kbd", null, key)), h("dd", null, help)])));
  document.body.append(list);
  document.addEventListener("keydown", event => {
    if (event.target.tagName === "INPUT" && event.key !== "Escape") return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?") { list.open ? list.close() : list.showModal(); return; }
    const found = keys.find(([key]) => key.split(" ").includes(event.key === " " ? "Space" : event.key));
    if (!found || list.open) return;
    event.preventDefault();
    found[2](event);
  });
  return h("button", {class: "key", title: "Keys (?)", onclick: () => list.showModal()}, "?");
}
