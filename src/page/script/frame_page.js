/* SPDX-License-Identifier: MIT */
/* by-frame/N/index.html: a frame step by step, what each step left, and why a pixel is what it is. */

/*
 * The steps of a frame: the rows of draws.tsv, or else the packets of its commands. A step has a
 * number, by which its pictures are named and which links say.
 */
class Steps {
  constructor(draws, commands) {
    Object.assign(this, {draws, commands, keys: [], index: new Map(), packets: new Map(), lines: new Map()});
    this.word = draws ? "Draw" : "Packet";
  }
  get count() { return this.keys.length; }
  add(key, packet) {
    if (key === null || this.index.has(key)) return;
    this.index.set(key, this.keys.length);
    if (packet !== null && !this.packets.has(packet)) this.packets.set(packet, this.keys.length);
    this.keys.push(key);
  }
  /* Takes what has come of both since the last time. */
  update() {
    if (this.draws) {
      const name = this.draws.column("draw") >= 0 ? "draw" : "packet";
      for (let row = this.count; row < this.draws.count && this.draws.row(row); row++)
        this.add(Number(this.draws.cell(row, name)), this.draws.cell(row, "packet") ?? null);
    }
    if (!this.commands) return;
    for (let line = this.seen || 0; line < this.commands.count; line++) {
      const draw = this.commands.number(line, "draws"), packet = this.commands.number(line, "packets");
      if (!this.draws) this.add(packet, packet);
      const key = draw !== null ? draw : packet;
      if (key !== null && !this.lines.has(key)) this.lines.set(key, line);
    }
    this.seen = this.commands.count;
  }
  /* The step of a line of the commands; undefined: none. */
  stepOf(line) {
    const draw = this.commands.number(line, "draws"), packet = this.commands.number(line, "packets");
    return draw !== null ? this.index.get(draw) : this.index.get(packet) ?? this.packets.get(packet);
  }
  lineOf(step) { return this.lines.get(this.keys[step]); }
  row(step) { return this.draws ? this.draws.row(step) : undefined; }
  cell(step, name) { return this.draws ? this.draws.cell(step, name) ?? null : null; }
}

/* The panes that a frame can have: a picture of it, or one for each step. */
const TITLES = {image: "Picture", draws: "After the draw", "draws-touched": "Touched", without: "Without the draw",
  "without-area": "Without, its area", after: "Memory after the packet", wireframe: "Wireframe", overdraw: "Overdraw", cost: "Cost",
  "draw-ids": "Draws by colour", depth: "Depth", vram: "Video memory", opaque: "Without alpha"};
const FIRST = ["image", "draws", "draws-touched", "after", "wireframe", "overdraw", "depth"];
function panesOf() {
  const panes = [];
  for (const [path, help] of helps) {
    const fixed = /^by-frame\/NNNNNN\/([a-z-]+)\.png$/.exec(path);
    const step = /^by-frame\/NNNNNN\/(draws|without|after)\/(N+)((?:-[a-z]+)?)\.png$/.exec(path);
    if (fixed) panes.push({id: fixed[1], help, url: frame => framePath(frame) + fixed[1] + ".png"});
    if (step) panes.push({id: step[1] + step[3], help, steps: true, url: (frame, key, most) =>
      framePath(frame) + step[1] + "/" + pad(key, step[2].length > 5 ? dump.packetDigits : Math.max(5, String(most).length)) + step[3] + ".png"});
  }
  const order = pane => FIRST.includes(pane.id) ? FIRST.indexOf(pane.id) : FIRST.length;
  return panes.map(pane => ({title: TITLES[pane.id] || pane.id, ...pane})).sort((a, b) => order(a) - order(b));
}

/* A picture that is changed when the next one is there, and skips those that come meanwhile. */
class Pane {
  constructor(pane, {focus, point, leave, pick}) {
    Object.assign(this, pane);
    this.image = h("img", {alt: pane.title, draggable: "false"});
    this.mark = h("div", {class: "mark", hidden: ""});
    this.box = h("div", {class: "shotbox" + (point ? " pick" : "")}, this.image, this.mark);
    this.note = h("span");
    this.element = h("figure", {class: "pane", "data-pane": pane.id, title: pane.help || null},
      h("figcaption", {onclick: () => focus(this)}, pane.title, this.note), this.box);
    if (point) {
      this.box.addEventListener("pointermove", event => this.at(event, point));
      this.box.addEventListener("pointerleave", leave);
      this.box.addEventListener("click", event => this.at(event, pick));
    } else this.box.addEventListener("click", () => focus(this));
    new ResizeObserver(() => this.placeMark()).observe(this.box);
  }
  show(url) {
    this.wanted = url;
    if (this.loading || url === this.shown) return;
    const next = new Image();
    this.loading = true;
    next.onload = next.onerror = () => {
      this.loading = false;
      this.shown = url;
      if (next.naturalWidth > 0) this.image.src = next.src;
      this.image.hidden = next.naturalWidth === 0;
      this.box.querySelector(".absent")?.remove();
      if (next.naturalWidth === 0) this.box.append(h("span", {class: "absent"}, "no such picture"));
      else this.note.textContent = `${next.naturalWidth} × ${next.naturalHeight}`;
      this.size = [next.naturalWidth, next.naturalHeight];
      this.placeMark();
      this.sized?.();
      if (this.wanted !== url) this.show(this.wanted);
      else this.settled?.();
    };
    next.src = ROOT + url;
  }
  get idle() { return !this.loading; }
  /* Where the picture lies in its box: left, top, and pixels of the page for one of its own. */
  frame() {
    const [width, height] = this.size || [0, 0], box = this.box.getBoundingClientRect();
    const scale = Math.min(box.width / width, box.height / height);
    return {left: (box.width - width * scale) / 2, top: (box.height - height * scale) / 2, scale, box};
  }
  at(event, tell) {
    if (!this.size || this.size[0] === 0) return;
    const {left, top, scale, box} = this.frame();
    const x = Math.floor((event.clientX - box.left - left) / scale), y = Math.floor((event.clientY - box.top - top) / scale);
    if (x >= 0 && y >= 0 && x < this.size[0] && y < this.size[1]) tell(this, x, y);
  }
  setMark(point) { this.point = point; this.placeMark(); }
  placeMark() {
    this.image.style.imageRendering = this.size && this.frame().scale < 1 ? "auto" : "pixelated";
    this.mark.hidden = !this.point || !this.size || this.size[0] === 0;
    if (this.mark.hidden) return;
    const {left, top, scale} = this.frame();
    this.mark.style.left = left + (this.point[0] + 0.5) * scale + "px";
    this.mark.style.top = top + (this.point[1] + 0.5) * scale + "px";
    this.mark.style.width = this.mark.style.height = scale + "px";
  }
}

/* A pixel's history: of the picture, or of video memory where a step's picture shows some of it. */
class PixelCard {
  constructor(frame, steps, select) {
    Object.assign(this, {frame, steps, select, pinned: false});
    this.loupe = h("div", {class: "loupe"});
    this.words = h("div");
    this.list = h("ol", {class: "history"});
    this.title = h("span");
    this.element = h("section", {class: "card", id: "pixel"}, h("h2", null, "Pixel", this.title),
      h("p", null, "Point at the picture: what made that pixel what it is. Click to keep it."));
  }
  path(folder, x, y) { return `${framePath(this.frame)}${folder}/${x},${y}.js`; }
  async show(pane, folder, x, y, picture) {
    const asked = this.asked = this.path(folder, picture ? x : pane.origin[0] + x, picture ? y : pane.origin[1] + y);
    const value = await load(asked).catch(() => null);
    if (asked !== this.asked) return null;
    this.element.replaceChildren(this.element.firstChild, h("div", {class: "pixel"}, this.loupe, this.words), this.list);
    this.title.textContent = value && value.pixel ? value.pixel.join(", ") : `${pane.title} ${x}, ${y}`;
    this.zoom(pane, x, y);
    this.tell(value);
    return value;
  }
  zoom(pane, x, y) {
    const [width, height] = pane.size;
    Object.assign(this.loupe.style, {backgroundImage: `url("${pane.image.src}")`,
      backgroundSize: `${width * 8}px ${height * 8}px`, backgroundPosition: `${40 - x * 8}px ${40 - y * 8}px`});
  }
  tell(value) {
    if (!value) { this.words.textContent = "Its history cannot be read; problems.txt tells why."; this.list.replaceChildren(); return; }
    const at = name => value.columns.indexOf(name), cell = (row, ...names) => names.map(name => row[at(name)]).find(one => one !== null && one !== undefined) ?? null;
    const rows = value.rows, done = [...rows].reverse().find(row => cell(row, "outcome") === "written" || at("outcome") < 0) || rows[rows.length - 1];
    const draw = done && cell(done, "draw"), frame = done && cell(done, "frame");
    this.made = done && frame !== null ? {frame, draw} : null;
    this.words.replaceChildren(...(this.made
      ? [h("b", null, draw !== null ? `Draw ${draw}` : cell(done, "name", "function", "kind") || "Not a draw"),
        ` of frame ${frame} made it`, h("br"), `${rows.length} command${rows.length === 1 ? "" : "s"} met it`]
      : [rows.length === 0 ? "Nothing met it." : "It is what the dump began with."]));
    this.list.replaceChildren(...rows.slice(-400).reverse().map(row => this.row(row, cell)));
  }
  row(row, cell) {
    const frame = cell(row, "frame"), draw = cell(row, "draw"), rgb = cell(row, "after_rgb"), outcome = cell(row, "outcome");
    const swatch = h("i");
    if (/^[0-9A-Fa-f]{6,8}$/.test(rgb ?? "")) swatch.style.background = "#" + String(rgb).slice(0, 6);
    const name = [cell(row, "name", "function", "kind") || "–", outcome !== "written" ? outcome : null].filter(Boolean).join(", ");
    const where = frame === null ? "" : draw !== null ? `draw ${draw}` : `packet ${cell(row, "packet", "call")}`;
    const here = Number(frame) === this.frame && draw !== null;
    const link = frame === null ? h("small", null, "before")
      : h("a", {href: here ? "#draw=" + draw : framePage(frame, draw !== null ? "draw=" + draw : null),
        onclick: event => { if (here) { event.preventDefault(); this.select(Number(draw)); } }},
      h("small", null, (Number(frame) === this.frame ? "" : `frame ${frame} · `) + where));
    return h("li", {class: outcome && outcome !== "written" ? "idle" : null}, swatch, name, link);
  }
}

/* The step's figures, and what it was drawn with. */
class StepCard {
  constructor(frame, steps) {
    Object.assign(this, {frame, steps});
    this.title = h("span");
    this.list = h("dl");
    this.name = h("b");
    this.element = h("section", {class: "card"}, h("h2", null, this.name, this.title), this.list);
  }
  show(step) {
    const row = this.steps.row(step), lines = this.steps.commands, line = this.steps.lineOf(step);
    this.name.textContent = `${this.steps.word} ${this.steps.keys[step]}`;
    this.title.textContent = `${step + 1} of ${this.steps.count}`;
    const items = [];
    if (row) this.steps.draws.columns.forEach((name, column) => {
      const cell = row[column];
      if (cell !== null && cell !== undefined && name !== "draw") items.push(h("dt", null, name), h("dd", null, tidy(cell)));
    });
    else if (line !== undefined) items.push(h("dt", null, "command"), h("dd", null, String(lines.row(line) ?? "")));
    this.list.replaceChildren(...items);
  }
}

/* Textures of the frame, as its table has them; the one of the step stands out. */
class Textures {
  constructor(frame, light) {
    Object.assign(this, {frame, light});
    this.pattern = [...helps.keys()].map(path => /^by-frame\/NNNNNN\/textures\/([A-Z]{2,}(?:-[A-Z]+)*)\.png$/.exec(path)).find(Boolean);
    this.list = h("div", {class: "textures"});
    this.title = h("span");
    this.element = h("section", {class: "card", hidden: ""}, h("h2", null, "Textures", this.title), this.list);
  }
  async open() {
    if (!this.pattern || !has(FRAME + "textures.tsv")) return;
    const table = await new Listing(framePath(this.frame), "textures.tsv").open().catch(() => null);
    if (!table || table.count === 0) return;
    for (let row = 0; row < Math.min(table.count, 240); row++) {
      const name = String(table.cell(row, "texture")), used = table.cell(row, "used"), first = table.cell(row, "first");
      this.list.append(h("a", {href: "#draw=" + first, title: name, "data-texture": name,
        onclick: event => { event.preventDefault(); this.light(rangesOf(used), Number(first)); }},
      h("img", {loading: "lazy", alt: name, src: `${ROOT}${framePath(this.frame)}textures/${encodeURIComponent(name)}.png`})));
    }
    this.title.textContent = String(table.count);
    this.element.hidden = false;
    this.mark();
  }
  show(steps, step) {
    this.name = this.pattern && this.pattern[1].split("-").map(word => steps.cell(step, word.toLowerCase())).join("-");
    this.mark();
  }
  mark() {
    for (const link of this.list.children) link.setAttribute("aria-current", link.dataset.texture === this.name);
  }
}
/* "3-5,9" as [[3, 5], [9, 9]] */
const rangesOf = text => String(text ?? "").split(",").filter(Boolean).map(range => range.split("-").map(Number)).map(([first, last]) => [first, last ?? first]);

function frameFacts(info) {
  const facts = h("ul", {class: "facts"});
  for (const name of ["draws", "calls", "commands", "time", "width", "problems"]) {
    const value = info.get(name);
    if (value === undefined || value === "-") continue;
    if (name === "width") facts.append(h("li", null, h("b", null, `${value} × ${info.get("height")}`)));
    else if (name === "time") facts.append(h("li", null, h("b", null, String(Number(value))), " s"));
    else facts.append(h("li", {class: name === "problems" && value !== "0" ? "bad" : null}, h("b", null, value), " " + name));
  }
  return facts;
}

/* What is drawn of the steps: pixels that each wrote, or else vertices. */
function stepValues(steps) {
  const name = steps.draws && ["pixels", "vertices", "cycles"].find(one => steps.draws.column(one) >= 0);
  const values = steps.keys.map((key, step) => name ? Math.sqrt(asNumber(steps.cell(step, name)) || 0) : 1);
  return [values.some(value => value > 0) ? values : values.map(() => 1), name ? `${name} of each draw` : "packets"];
}

class FramePage {
  constructor(frame) {
    this.frame = frame;
    this.now = -1;
    this.panes = panesOf();
  }

  /* Tables that the scrubber needs; a frame without any has none. */
  async openSteps() {
    const folder = framePath(this.frame);
    const open = name => name && has(FRAME + name) ? new Listing(folder, name).open().catch(() => null) : null;
    this.commandsName = has(FRAME + "calls.txt") ? "calls.txt" : "commands.txt";
    const [draws, commands] = await Promise.all([open("draws.tsv"), open(this.commandsName)]);
    this.steps = new Steps(draws && draws.count > 0 ? draws : null, commands);
    this.steps.update();
    const more = once(() => this.grow());
    for (const listing of [draws, commands]) listing?.listeners.push(more);
    draws?.all();
    commands?.all();
  }
  grow() {
    this.steps.update();
    this.fillLine();
    if (this.wanted !== undefined && this.steps.index.has(this.wanted)) this.select(this.steps.index.get(this.wanted));
    else if (this.now >= 0) this.markCommand();
  }
  fillLine() {
    const [values] = stepValues(this.steps);
    this.line.values = [values];
    this.line.count = this.steps.count;
    this.line.set(this.now);
  }

  /* The stage. */
  makeStage() {
    const chosen = state.get("panes")?.split(","), canStep = this.steps.count > 0;
    this.panes = this.panes.filter(pane => canStep || !pane.steps);
    const first = this.panes.filter(pane => FIRST.includes(pane.id)).slice(0, 5);
    this.open = chosen ? this.panes.filter(pane => chosen.includes(pane.id)) : first;
    this.main = state.get("main") || this.open[0]?.id;
    this.stage = h("div", {class: "stage"});
    this.chips = h("div", {class: "chips"}, this.panes.map((pane, number) => h("button", {class: "chip", "data-pane": pane.id,
      title: `${pane.help || pane.title} (${number + 1})`, onclick: () => this.toggle(pane)}, pane.title)));
    this.made = new Map();
    this.layout();
  }
  pane(pane) {
    if (!this.made.has(pane.id)) {
      const folder = pane.id === "image" ? "pixel" : pane.steps && /^draws|area$/.test(pane.id) ? "vram-pixel" : null;
      const picks = folder && has(`${FRAME}${folder}/X,Y.js`);
      const made = new Pane(pane, {focus: one => this.focus(one), leave: () => clearTimeout(this.dwell),
        point: picks ? (one, x, y) => this.point(one, folder, x, y) : null, pick: (one, x, y) => this.pick(one, folder, x, y)});
      made.settled = () => this.playOn();
      made.sized = () => this.stage.classList.toggle("wide", [...this.made.values()].every(one => !one.size || one.size[0] > 2.4 * one.size[1]));
      this.made.set(pane.id, made);
    }
    return this.made.get(pane.id);
  }
  layout() {
    if (!this.open.some(pane => pane.id === this.main)) this.main = this.open[0]?.id;
    const order = [...this.open].sort((a, b) => (b.id === this.main) - (a.id === this.main));
    this.stage.className = "stage" + (order.length === 1 ? " one" : order.length === 2 ? " two" : "");
    this.stage.replaceChildren(...order.map(pane => this.pane(pane).element));
    for (const pane of order) this.made.get(pane.id).element.classList.toggle("main", pane.id === this.main);
    for (const chip of this.chips.children) chip.setAttribute("aria-pressed", this.open.some(pane => pane.id === chip.dataset.pane));
    this.showPanes();
  }
  focus(pane) { this.main = pane.id; state.set({main: pane.id}); this.layout(); }
  toggle(pane) {
    if (!pane) return;
    const open = this.open.includes(pane);
    if (open && this.open.length === 1) return;
    this.open = this.panes.filter(one => one === pane ? !open : this.open.includes(one));
    state.set({panes: this.open.map(one => one.id).join(",")});
    this.layout();
  }
  showPanes() {
    const key = this.steps.keys[this.now], most = this.steps.keys[this.steps.count - 1];
    for (const pane of this.open)
      if (!pane.steps || this.now >= 0) this.made.get(pane.id).show(pane.url(this.frame, key, most));
  }

  /* Pixels: under the mouse after a moment, by a click for good. */
  origin(pane) {
    const area = String(this.steps.cell(this.now, "area") ?? "0,0").split(",").map(Number);
    pane.origin = [area[0] || 0, area[1] || 0];
  }
  point(pane, folder, x, y) {
    clearTimeout(this.dwell);
    if (this.pixel.pinned) return;
    this.dwell = setTimeout(() => this.showPixel(pane, folder, x, y), 90);
  }
  showPixel(pane, folder, x, y) {
    if (pane.steps) this.origin(pane);
    return this.pixel.show(pane, folder, x, y, folder === "pixel");
  }
  async pick(pane, folder, x, y) {
    clearTimeout(this.dwell);
    if (!folder) return;
    this.pixel.pinned = true;
    this.pin = pane;
    for (const one of this.made.values()) one.setMark(one === pane ? [x, y] : null);
    state.set({pixel: `${x},${y}`, of: pane.id === "image" ? null : pane.id});
    await this.showPixel(pane, folder, x, y);
    const made = this.pixel.made;
    if (made && Number(made.frame) === this.frame && made.draw !== null) this.selectKey(Number(made.draw));
  }
  unpin() {
    this.pixel.pinned = false;
    for (const one of this.made.values()) one.setMark(null);
    state.set({pixel: null, of: null});
  }
  restorePixel() {
    const point = /^(\d+),(\d+)$/.exec(state.get("pixel") ?? ""), pane = this.made.get(state.get("of") ?? "image");
    if (!point || !pane) return;
    const folder = pane.id === "image" ? "pixel" : "vram-pixel", show = () => this.showPixel(pane, folder, Number(point[1]), Number(point[2]));
    this.pixel.pinned = true;
    pane.setMark([Number(point[1]), Number(point[2])]);
    const wait = () => pane.size ? show() : setTimeout(wait, 20);
    wait();
  }

  /* Steps. */
  select(step) {
    if (this.steps.count === 0) return;
    this.now = Math.max(0, Math.min(this.steps.count - 1, step));
    this.wanted = undefined;
    state.set({draw: this.steps.keys[this.now]});
    this.line.set(this.now);
    this.card.show(this.now);
    this.textures.show(this.steps, this.now);
    this.showPanes();
    this.markCommand();
  }
  selectKey(key) {
    const step = this.steps.index.get(key);
    if (step !== undefined) this.select(step);
  }
  markCommand() {
    const shown = this.lower, current = shown && (shown.listing === this.steps.commands || shown.name === this.commandsName)
      ? this.steps.lineOf(this.now) : shown?.name === "draws.tsv" ? this.now : undefined;
    if (!shown || current === undefined) return;
    shown.view.current = current;
    for (const [row, element] of shown.view.rows.live) element.classList.toggle("now", row === current);
    shown.view.rows.show(current);
  }
  light(ranges, key) {
    this.line.lit = ranges.map(([first, last]) => [this.steps.index.get(first) ?? 0, this.steps.index.get(last) ?? 0]);
    this.selectKey(key);
  }
  play() { this.playing = !this.playing && this.steps.count > 1; this.playOn(); }
  playOn() {
    if (!this.playing || this.waiting || ![...this.made.values()].every(pane => pane.idle)) return;
    this.waiting = setTimeout(() => {
      this.waiting = 0;
      if (this.playing) this.select((this.now + 1) % this.steps.count);
    }, 40);
  }

  /* Texts and tables below. */
  makeTabs() {
    const others = filesOf(FRAME, ".tsv", ".txt", ".json").filter(name => name !== this.commandsName && !(name === "commands.txt" && this.commandsName === "calls.txt"));
    const first = [this.commandsName, "draws.tsv"].filter(name => has(FRAME + name));
    this.names = [...first, ...others.filter(name => !first.includes(name))];
    this.place = h("div", {class: "body"});
    this.bar = tabs(this.names.map(name => [name, name, helps.get(FRAME + name)]), name => { state.set({tab: name}); this.openTab(); });
  }
  async openTab() {
    const wanted = state.get("tab"), name = this.names.includes(wanted) ? wanted : this.names[0];
    if (!name) return;
    markTab(this.bar, name);
    const shown = await showListing(this.place, framePath(this.frame), name, this.frame,
      name === this.commandsName ? line => { const step = this.steps.stepOf(line); if (step !== undefined) this.select(step); } : null);
    if (shown && (name === "commands.txt" || name === "calls.txt") && this.steps.commands) shown.name = name;
    this.lower = shown && {...shown, name};
    if (shown) shown.listing.listeners.push(() => this.markCommand());
    if (this.now >= 0) this.markCommand();
  }

  /* The head and the keys. */
  move(by) {
    const frame = this.frame + by, kept = new URLSearchParams(location.hash.slice(1));
    ["draw", "pixel", "of"].forEach(name => kept.delete(name));
    if (frame >= 0 && frame < dump.frames) location.href = framePage(frame, kept.toString());
  }
  keys() {
    const step = by => this.select(this.now + by);
    return listen([["ArrowLeft ArrowRight", "one draw back, on", event => step((event.key === "ArrowLeft" ? -1 : 1) * (event.shiftKey ? 10 : 1))],
      ["PageUp PageDown", "twenty draws back, on", event => step(event.key === "PageUp" ? -20 : 20)],
      ["Home End", "the first draw, the last", event => this.select(event.key === "Home" ? 0 : Infinity)],
      ["Space", "play the draws", () => this.play()],
      [", .", "the frame before, the next", event => this.move(event.key === "," ? -1 : 1)],
      ["1 2 3 4 5 6 7 8 9", "show or hide a picture", event => this.toggle(this.panes[Number(event.key) - 1])],
      ["m", "the next picture large", () => { const ids = this.open.map(pane => pane.id); this.focus({id: ids[(ids.indexOf(this.main) + 1) % ids.length]}); }],
      ["Escape", "let go of the pixel", () => this.unpin()],
      ["u", "back to all frames", () => { location.href = `${ROOT}index.html#frame=${this.frame}`; }],
      ["?", "these keys", () => {}]]);
  }
  head() {
    const step = (by, word, title) => h("button", {class: "key", title, "aria-disabled": this.frame + by < 0 || this.frame + by >= dump.frames, onclick: () => this.move(by)}, word);
    this.facts = h("div");
    return h("header", null, h("h1", null, h("a", {href: `${ROOT}index.html#frame=${this.frame}`}, dump.source), h("i", null, "/"), `frame ${this.frame}`),
      this.facts, h("div", {class: "move"}, step(-1, "‹", "The frame before (,)"), step(1, "›", "The next frame (.)"), this.keys()));
  }

  async show() {
    document.title = `${dump.source} · frame ${this.frame}`;
    const head = this.head();
    await this.openSteps();
    this.line = new Line({height: 62, titles: [stepValues(this.steps)[1]], label: "Draws", pick: place => this.select(place),
      hover: (place, event) => showTip(event, h("b", null, `${this.steps.word} ${this.steps.keys[place]}`), " " + ["kind", "function", "pixels", "vertices"].map(name => this.steps.cell(place, name)).filter(cell => cell !== null).map(tidy).join(" · "))});
    this.card = new StepCard(this.frame, this.steps);
    this.textures = new Textures(this.frame, (ranges, key) => this.light(ranges, key));
    this.pixel = new PixelCard(this.frame, this.steps, key => this.selectKey(key));
    this.makeStage();
    this.makeTabs();
    this.line.box.classList.add("scrub");
    const hasPixels = has(FRAME + "pixel/X,Y.js");
    document.body.append(head, this.chips.children.length > 1 ? this.chips : "", h("main", {class: "frame" + (this.panes.length === 0 ? " bare" : "")}, this.stage,
      h("aside", {class: "inspector"}, hasPixels ? this.pixel.element : null, this.steps.count > 0 ? this.card.element : null, this.textures.element),
      this.steps.count > 0 ? this.line.box : h("div"), h("section", {class: "lower"}, this.bar, this.place)), tip);
    this.begin();
  }
  begin() {
    textOf(framePath(this.frame), "info.txt").then(lines => this.facts.replaceWith(frameFacts(fields(lines)))).catch(() => null);
    this.fillLine();
    this.follow();
    this.openTab();
    this.textures.open();
    this.restorePixel();
    addEventListener("hashchange", () => this.follow());
  }
  follow() {
    const key = state.get("draw"), step = key !== null ? this.steps.index.get(Number(key)) : undefined;
    this.select(step ?? this.steps.count - 1);
    if (key !== null && step === undefined) this.wanted = Number(key);
  }
}
const showFrame = frame => new FramePage(frame).show();
