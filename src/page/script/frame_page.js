/* SPDX-License-Identifier: MIT */
/*
 * by-frame/N/index.html: a frame step by step, what each step left, and how a pixel got its colour.
 */

/*
 * The steps of a frame: the rows of draws.tsv or, without these, the packets of its commands. A
 * step has a number, which the names of its pictures and links contain.
 */
class Steps {
  constructor() {
    Object.assign(this, {draws: null, commands: null, keys: [], index: new Map(), packets: new Map(), lines: {draws: new Map(), packets: new Map()}});
  }
  key() { return this.draws && this.draws.column("draw") < 0 ? "packet" : "draw"; }
  get word() { return this.draws ? "Draw" : "Packet"; }
  get count() { return this.keys.length; }
  add(key, packet) {
    if (key === null || this.index.has(key)) return;
    this.index.set(key, this.keys.length);
    if (packet !== null && !this.packets.has(packet)) this.packets.set(packet, this.keys.length);
    this.keys.push(key);
  }
  /* Adds what has been loaded of both listings since the last call. */
  update() {
    if (this.draws) {
      const name = this.key();
      for (let row = this.count; row < this.draws.count && this.draws.row(row); row++)
        this.add(Number(this.draws.cell(row, name)), this.draws.cell(row, "packet") ?? null);
    }
    if (!this.commands) return;
    for (let line = this.seen || 0; line < this.commands.count; line++) {
      const draw = this.commands.number(line, "draws"), packet = this.commands.number(line, "packets");
      if (!this.draws) this.add(packet, packet);
      if (draw !== null && !this.lines.draws.has(draw)) this.lines.draws.set(draw, line);
      if (packet !== null && !this.lines.packets.has(packet)) this.lines.packets.set(packet, line);
    }
    this.seen = this.commands.count;
  }
  /* Returns the step of a line of the commands, or undefined if there is none. */
  stepOf(line) {
    const draw = this.commands.number(line, "draws"), packet = this.commands.number(line, "packets");
    return draw !== null ? this.index.get(draw) : this.index.get(packet) ?? this.packets.get(packet);
  }
  /*
   * Finds the line of a step by its draw or, without one, by its packet and the number of the
   * command after the packet's header.
   */
  lineOf(step) {
    const line = this.lines.draws.get(this.keys[step]);
    const first = line ?? this.lines.packets.get(this.cell(step, "packet") ?? this.keys[step]), command = this.cell(step, "command");
    return line !== undefined || command === null ? first : first + command + /^\d+ header /.test(this.commands.row(first));
  }
  row(step) { return this.draws ? this.draws.row(step) : undefined; }
  cell(step, name) { return this.draws ? this.draws.cell(step, name) ?? null : null; }
}

/* The panes that a frame can have: pictures of the frame, and pictures of each step. */
const TITLES = {image: "Picture", draws: "After the draw", "draws-touched": "Touched", without: "Without the draw",
  "without-area": "Without, its area", after: "Memory after the packet", wireframe: "Wireframe", overdraw: "Overdraw", cost: "Cost",
  "draw-ids": "Draws by colour", depth: "Depth"};
const FIRST = ["image", "draws", "draws-touched", "after", "wireframe", "overdraw", "depth"];
function panesOf() {
  const panes = [];
  for (const [path, help] of helps) {
    const fixed = /^by-frame\/NNNNNN\/([a-z-]+)\.png$/.exec(path);
    const step = /^by-frame\/NNNNNN\/(draws|without|after)\/(N+)((?:-[a-z]+)?)\.png$/.exec(path);
    if (fixed) panes.push({id: fixed[1], help, slow: slow.has(path), url: frame => framePath(frame) + fixed[1] + ".png"});
    if (step) panes.push({id: step[1] + step[3], help, slow: slow.has(path), steps: true, url: (frame, key, most) =>
      framePath(frame) + step[1] + "/" + pad(key, step[2].length > 5 ? dump.packetDigits : Math.max(5, String(most).length)) + step[3] + ".png"});
  }
  const order = pane => FIRST.includes(pane.id) ? FIRST.indexOf(pane.id) : FIRST.length;
  return panes.map(pane => ({title: TITLES[pane.id] || pane.id, ...pane})).sort((a, b) => order(a) - order(b));
}

/* A picture that is replaced when the next one was loaded; requests in between are skipped. */
class Pane {
  constructor(pane, page) {
    Object.assign(this, pane);
    const focus = () => page.focus(this);
    this.image = h("img", {alt: pane.title, draggable: "false"});
    this.mark = h("div", {class: "mark", hidden: ""});
    this.box = h("div", {class: "shotbox" + (this.folder ? " pick" : "")}, this.image, this.mark);
    this.note = h("span");
    this.element = h("figure", {class: "pane", "data-pane": pane.id, title: pane.help || null},
      h("figcaption", {onclick: focus}, pane.title, this.note), this.box);
    if (this.folder) {
      this.box.addEventListener("pointermove", event => this.at(event, (x, y) => page.point(this, x, y)));
      this.box.addEventListener("pointerleave", () => clearTimeout(page.dwell));
      this.box.addEventListener("click", event => this.at(event, (x, y) => page.pick(this, x, y)));
    } else this.box.addEventListener("click", focus);
    new ResizeObserver(() => this.placeMark()).observe(this.box);
  }
  /* A picture that still waits in another queue is left out there. */
  async show(url, queue) {
    this.wanted = url;
    if (this.queue === queue || url === this.shown) return;
    this.queue = queue;
    while (this.queue === queue && this.shown !== this.wanted) await queue.add(async () => {
      if (this.queue !== queue) return;
      const shown = this.wanted, next = await queue.picture(new Image(), ROOT + shown);
      if (this.queue !== queue) return;
      this.take(next);
      this.shown = shown;
    });
    if (this.queue !== queue) return;
    this.queue = null;
    this.settled();
  }
  take(next) {
    this.size = [next.naturalWidth, next.naturalHeight];
    const absent = this.size[0] === 0;
    if (!absent) this.image.src = next.src;
    this.image.hidden = absent;
    this.box.querySelector(".absent")?.remove();
    if (absent) this.box.append(h("span", {class: "absent"}, "no such picture"));
    else this.note.textContent = this.size.join(" × ");
    this.placeMark();
    this.sized();
  }
  /*
   * Returns where the picture is in its box: left, top, and the size of one of its pixels on the
   * page.
   */
  frame() {
    const [width, height] = this.size || [0, 0], box = this.box.getBoundingClientRect();
    const scale = Math.min(box.width / width, box.height / height);
    return {left: (box.width - width * scale) / 2, top: (box.height - height * scale) / 2, scale, box};
  }
  at(event, tell) {
    if (!this.size || this.size[0] === 0) return;
    const {left, top, scale, box} = this.frame();
    const x = Math.floor((event.clientX - box.left - left) / scale), y = Math.floor((event.clientY - box.top - top) / scale);
    if (x >= 0 && y >= 0 && x < this.size[0] && y < this.size[1]) tell(x, y);
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

/* A card of the inspector, whose title has a name and a note. */
class Card {
  constructor(name, ...children) {
    this.name = h("b", null, name);
    this.note = h("span");
    this.head = h("h2", null, this.name, this.note);
    this.element = h("section", {class: "card"}, this.head, children);
  }
}

/*
 * The history of a pixel: of the picture, or of video memory if a step's picture shows a part of
 * that.
 */
class PixelCard extends Card {
  constructor(frame, steps, select) {
    super("Pixel", h("p", null, "Point at the picture to see the history of a pixel; click to keep it."));
    Object.assign(this, {frame, steps, select, pinned: false, queue: new Queue(1)});
    this.element.id = "pixel";
    this.loupe = h("div", {class: "loupe"});
    this.words = h("div");
    this.list = h("ol", {class: "history"});
  }
  /*
   * Shows a pixel; `from` is where the picture of the pane begins in memory. Pixels that the mouse
   * only passes are not requested.
   */
  async show(pane, x, y, from) {
    const asked = this.asked = `${framePath(this.frame)}${pane.folder}/${from[0] + x},${from[1] + y}.js`;
    this.made = null;
    const value = await this.queue.add(() => asked === this.asked && load(asked)).catch(() => null);
    if (asked !== this.asked) return;
    this.element.replaceChildren(this.head, h("div", {class: "pixel"}, this.loupe, this.words), this.list);
    this.note.textContent = value && value.pixel ? value.pixel.join(", ") : `${pane.title} ${x}, ${y}`;
    this.zoom(pane, x, y);
    this.tell(value);
  }
  zoom(pane, x, y) {
    const [width, height] = pane.size;
    Object.assign(this.loupe.style, {backgroundImage: `url("${pane.image.src}")`,
      backgroundSize: `${width * 8}px ${height * 8}px`, backgroundPosition: `${40 - x * 8}px ${40 - y * 8}px`});
  }
  tell(value) {
    if (!value) { this.words.replaceChildren(tellUnread("It", h("span"))); this.list.replaceChildren(); return; }
    const at = name => value.columns.indexOf(name), cell = (row, ...names) => names.map(name => row[at(name)]).find(one => one !== null && one !== undefined) ?? null;
    const rows = value.rows, done = [...rows].reverse().find(row => cell(row, "outcome") === "written" || at("outcome") < 0) || rows[rows.length - 1];
    const draw = done && this.keyOf(done, cell), frame = done && cell(done, "frame");
    this.made = done && frame !== null ? {frame, draw} : null;
    this.words.replaceChildren(...(this.made
      ? [h("b", null, draw !== null ? `Draw ${draw}` : cell(done, "name", "function", "kind") || "Not a draw"),
        ` of frame ${frame} made it`, h("br"), `${rows.length} command${rows.length === 1 ? "" : "s"} reached it`]
      : [rows.length === 0 ? "No command reached it." : "It has the initial value of the dump."]));
    this.list.replaceChildren(...rows.slice(-400).reverse().map(row => this.row(row, cell)));
  }
  /* Returns the key of a step: draws have numbers of their own, or those of their packets. */
  keyOf(row, cell) { return cell(row, "draw") === null ? null : cell(row, this.steps.key()); }
  row(row, cell) {
    const frame = cell(row, "frame"), draw = this.keyOf(row, cell), rgb = cell(row, "after_rgb", "after"), outcome = cell(row, "outcome");
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
class StepCard extends Card {
  constructor(steps) {
    const list = h("dl");
    super("", list);
    Object.assign(this, {steps, list});
  }
  show(step) {
    const row = this.steps.row(step), lines = this.steps.commands, line = this.steps.lineOf(step);
    this.name.textContent = `${this.steps.word} ${this.steps.keys[step]}`;
    this.note.textContent = `${step + 1} of ${this.steps.count}`;
    const cells = row ? this.steps.draws.columns.map((name, column) => [name, name === "draw" ? null : row[column]])
      : [["command", line >= 0 ? lines.row(line) : null]];
    this.list.replaceChildren(...pairs(cells).flat());
  }
}

/*
 * The textures of the frame, as far as its draws say what they sample; that of the current step is
 * highlighted.
 */
class Textures extends Card {
  constructor(steps, light, queue) {
    const list = h("div", {class: "textures"});
    super("Textures", list);
    Object.assign(this, {steps, light, queue, list, draws: new Map(), seen: 0});
    const pattern = [...helps.keys()].map(path => /^by-frame\/NNNNNN\/textures\/([A-Z]{2,}(?:-[A-Z]+)+)\.png$/.exec(path)).find(Boolean);
    this.columns = pattern ? pattern[1].toLowerCase().split("-") : [];
  }
  nameOf(step) {
    const cells = this.columns.map(name => this.steps.cell(step, name)).map((cell, column) => cell !== null && column === 0 ? pad(cell, 2) : cell);
    return cells.length === 0 || cells[0] === null ? null : cells.map(cell => cell ?? "none").join("-");
  }
  update(frame) {
    for (; this.seen < this.steps.count; this.seen++) {
      const name = this.nameOf(this.seen);
      if (name === null || asNumber(this.steps.cell(this.seen, "pixels")) === 0) continue;
      if (!this.draws.has(name)) {
        const image = h("img", {alt: name}), link = h("a", {href: "#draw=" + this.steps.keys[this.seen], title: name, "data-texture": name,
          onclick: event => { event.preventDefault(); this.light(this.draws.get(name)); }});
        this.queue.add(async () => {
          await this.queue.picture(image, `${ROOT}${framePath(frame)}textures/${encodeURIComponent(name)}.png`);
          gather(() => link.append(image));
        });
        this.draws.set(name, []);
        this.list.append(link);
      }
      this.draws.get(name).push(this.seen);
    }
    this.note.textContent = String(this.draws.size);
    this.element.hidden = this.draws.size === 0;
  }
  show(step) {
    const name = this.nameOf(step);
    for (const link of this.list.children) link.setAttribute("aria-current", link.dataset.texture === name);
  }
}

function frameFacts(info) {
  const tell = {time: value => [h("b", null, String(Number(value))), " s"], width: value => h("b", null, `${value} × ${info.get("height")}`)};
  return h("ul", {class: "facts"}, ["draws", "calls", "commands", "time", "width", "problems"].map(name => {
    const value = info.get(name);
    return value === undefined || value === "-" ? null
      : fact((tell[name] || (number => count(number, name.slice(0, -1))))(value), name === "problems" && value !== "0");
  }));
}

/*
 * Returns what the line shows of the steps: the pixels that each one wrote or, without these, its
 * vertices; nothing if all values are equal.
 */
function stepValues(steps) {
  const name = steps.draws && ["pixels", "vertices"].find(one => steps.draws.column(one) >= 0);
  const values = steps.keys.map((key, step) => name ? Math.sqrt(asNumber(steps.cell(step, name)) || 0) : 1);
  return values.some(value => value !== values[0]) ? [values, [`${name} of each draw`]] : [values.map(() => 1), []];
}

/*
 * Pictures that may take seconds wait until the user has been idle for a while, and what the user
 * requested is there: a pixel or a step may be wanted first. They wait about as long as they would
 * delay these. The first picture comes soon, with everything else that the frame needs to be drawn.
 */
let moved = performance.now();
for (const event of ["pointermove", "pointerdown", "keydown"]) addEventListener(event, () => { moved = performance.now(); }, true);
async function rest({first, later, pixel}) {
  do {
    if (first.active + pixel.queue.active > 0) moved = performance.now();
    await sleep(30);
  } while (performance.now() - moved < Math.min(3000, Math.max(300, later.took)));
}

class FramePage {
  constructor(frame) {
    this.frame = frame;
    this.now = -1;
    this.panes = panesOf();
    this.first = new Queue(1);
    this.later = new Queue(1, () => rest(this), inTurn());
    this.steps = new Steps();
    this.commandsName = has(FRAME + "calls.txt") ? "calls.txt" : "commands.txt";
  }

  /* Loads the tables that the scrubber needs; there is no scrubber if the frame has none. */
  async openSteps() {
    const folder = framePath(this.frame);
    const open = name => name && has(FRAME + name) ? new Listing(folder, name).open().catch(() => null) : null;
    const [draws, commands] = await Promise.all([open("draws.tsv"), open(this.commandsName)]);
    Object.assign(this.steps, {draws: draws && draws.count > 0 ? draws : null, commands});
    if (!this.steps.draws) this.leaveOutDraws();
    const more = once(() => this.grow());
    for (const listing of [draws, commands]) listing?.listeners.push(more);
    this.grow();
    this.follow();
    addEventListener("hashchange", () => this.follow());
    draws?.all();
    commands?.all();
  }
  leaveOutDraws() {
    const kept = pane => !pane.steps || pane.id === "after";
    this.panes = this.panes.filter(kept);
    this.open = this.open.filter(kept);
    this.makeChips();
    this.layout();
  }
  grow() {
    this.steps.update();
    this.fillLine();
    this.textures.update(this.frame);
    this.card.element.hidden = this.steps.count === 0;
    if (this.wanted !== undefined && this.steps.index.has(this.wanted)) this.select(this.steps.index.get(this.wanted));
    else if (this.now >= 0) this.markCommand();
  }
  fillLine() {
    const [values, titles] = stepValues(this.steps);
    this.line.title(titles);
    this.line.values = [values];
    this.line.box.hidden = this.steps.count < 2 || titles.length === 0 && !this.panes.some(pane => pane.steps);
    this.line.count = this.steps.count;
    this.line.set(this.now);
  }

  /* The stage. */
  makeStage() {
    const chosen = state.get("panes")?.split(",");
    const first = this.panes.filter(pane => FIRST.includes(pane.id)).slice(0, 5);
    this.open = chosen ? this.panes.filter(pane => chosen.includes(pane.id)) : first;
    this.main = state.get("main") || this.open[0]?.id;
    this.stage = h("div", {class: "stage"});
    this.chips = h("div", {class: "chips"});
    this.made = new Map();
    this.makeChips();
    this.layout();
  }
  makeChips() {
    this.chips.hidden = this.panes.length < 2;
    this.chips.replaceChildren(...this.panes.map((pane, number) => h("button", {class: "chip", "data-pane": pane.id,
      title: `${pane.help || pane.title} (${number + 1})`, onclick: () => this.toggle(pane)}, pane.title)));
  }
  pane(pane) {
    if (!this.made.has(pane.id)) {
      const folder = pane.id === "image" ? "pixel" : /^draws|area$/.test(pane.id) && pane.steps ? "vram-pixel" : null;
      const made = new Pane({...pane, folder: has(`${FRAME}${folder}/X,Y.js`) ? folder : null}, this);
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
      if (!pane.steps || this.now >= 0 && (this.steps.draws || pane.id === "after")) this.made.get(pane.id).show(pane.url(this.frame, key, most),
        pane.id === "image" || pane.steps && (this.chosen || !pane.slow) ? this.first : this.later);
  }

  /* Pixels: shown under the mouse after a moment, and kept after a click. */
  point(pane, x, y) {
    clearTimeout(this.dwell);
    if (!this.pixel.pinned) this.dwell = setTimeout(() => this.showPixel(pane, x, y), 90);
  }
  showPixel(pane, x, y) {
    const area = pane.steps ? String(this.steps.cell(this.now, "area") ?? "").split(",").map(Number) : [];
    return this.pixel.show(pane, x, y, [area[0] || 0, area[1] || 0]);
  }
  async pick(pane, x, y) {
    clearTimeout(this.dwell);
    this.pixel.pinned = true;
    for (const one of this.made.values()) one.setMark(one === pane ? [x, y] : null);
    state.set({pixel: `${x},${y}`, of: pane.id === "image" ? null : pane.id});
    await this.showPixel(pane, x, y);
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
    if (!point || !pane?.folder) return;
    const [x, y] = point.slice(1).map(Number);
    this.pixel.pinned = true;
    pane.setMark([x, y]);
    const wait = () => pane.size ? this.showPixel(pane, x, y) : setTimeout(wait, 20);
    wait();
  }

  /* Steps. */
  /*
   * The picture of what a step left may need a replay of its own, so it can wait if the user has
   * not `chosen` the step.
   */
  select(step, chosen = true) {
    if (this.steps.count === 0) return;
    this.chosen = chosen;
    this.now = Math.max(0, Math.min(this.steps.count - 1, step));
    this.wanted = undefined;
    state.set({draw: this.steps.keys[this.now]});
    this.line.set(this.now);
    this.card.show(this.now);
    this.textures.show(this.now);
    this.showPanes();
    this.markCommand();
  }
  selectKey(key) {
    const step = this.steps.index.get(key);
    if (step !== undefined) return this.select(step);
    /* The step has not been loaded yet. */
    this.wanted = key;
    state.set({draw: key});
  }
  markCommand() {
    const shown = this.lower, current = shown?.name === this.commandsName && this.steps.commands
      ? this.steps.lineOf(this.now) : shown?.name === "draws.tsv" ? this.now : undefined;
    if (!shown || !(current >= 0)) return;
    shown.view.current = current;
    for (const [row, element] of shown.view.rows.live) element.classList.toggle("now", row === current);
    shown.view.rows.show(current);
  }
  light(steps) {
    this.line.lit = steps;
    this.select(steps[0]);
  }
  play() { this.playing = !this.playing && this.steps.count > 1; this.playOn(); }
  playOn() {
    if (!this.playing || this.waiting || [...this.made.values()].some(pane => pane.queue)) return;
    this.waiting = setTimeout(() => {
      this.waiting = 0;
      if (this.playing) this.select((this.now + 1) % this.steps.count);
    }, 40);
  }

  /* Texts and tables below. */
  makeTabs() {
    const names = new Set([this.commandsName, "draws.tsv", ...filesOf(FRAME, ".tsv", ".txt", ".json")]);
    this.names = [...names].filter(name => has(FRAME + name) && (name !== "commands.txt" || name === this.commandsName));
    this.place = h("div", {class: "body"});
    this.bar = tabs(this.names.map(name => [name, name, helps.get(FRAME + name)]), name => { state.set({tab: name}); this.openTab(); });
  }
  async openTab() {
    const wanted = state.get("tab"), name = this.names.includes(wanted) ? wanted : this.names[0];
    if (!name) return;
    markTab(this.bar, name);
    const shown = await showListing(this.place, framePath(this.frame), name, this.frame,
      name === this.commandsName ? line => { const step = this.steps.stepOf(line); if (step !== undefined) this.select(step); } : null);
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
    return listen([["ArrowLeft ArrowRight", "previous, next draw", event => step((event.key === "ArrowLeft" ? -1 : 1) * (event.shiftKey ? 10 : 1))],
      ["PageUp PageDown", "20 draws back, forward", event => step(event.key === "PageUp" ? -20 : 20)],
      ["Home End", "first, last draw", event => this.select(event.key === "Home" ? 0 : Infinity)],
      ["Space", "play the draws", () => this.play()],
      [", .", "previous, next frame", event => this.move(event.key === "," ? -1 : 1)],
      ["1 2 3 4 5 6 7 8 9", "show or hide a picture", event => this.toggle(this.panes[Number(event.key) - 1])],
      ["m", "enlarge the next picture", () => { const ids = this.open.map(pane => pane.id); this.focus({id: ids[(ids.indexOf(this.main) + 1) % ids.length]}); }],
      ["Escape", "release the pixel", () => this.unpin()],
      ["u", "back to all frames", () => { location.href = `${ROOT}index.html#frame=${this.frame}`; }]]);
  }
  head() {
    const step = (by, word, title) => h("button", {class: "key", title, disabled: this.frame + by < 0 || this.frame + by >= dump.frames, onclick: () => this.move(by)}, word);
    this.facts = h("div");
    return h("header", null, h("h1", null, h("a", {href: `${ROOT}index.html#frame=${this.frame}`}, dump.source), " / ", `frame ${this.frame}`),
      this.facts, h("div", {class: "move"}, step(-1, "‹", "Previous frame (,)"), step(1, "›", "Next frame (.)"), this.keys()));
  }

  show() {
    document.title = `${dump.source} · frame ${this.frame}`;
    const head = this.head();
    this.line = new Line({height: 62, label: "Draws", pick: place => this.select(place),
      hover: (place, event) => showTip(event, h("b", null, `${this.steps.word} ${this.steps.keys[place]}`), " " + ["kind", "function", "pixels", "vertices"].map(name => this.steps.cell(place, name)).filter(cell => cell !== null).map(tidy).join(" · "))});
    this.card = new StepCard(this.steps);
    this.textures = new Textures(this.steps, steps => this.light(steps), this.later);
    this.pixel = new PixelCard(this.frame, this.steps, key => this.selectKey(key));
    this.makeStage();
    this.makeTabs();
    this.line.box.classList.add("scrub");
    const hasPixels = has(FRAME + "pixel/X,Y.js");
    document.body.append(head, this.chips, h("main", {class: "frame" + (this.panes.length === 0 ? " bare" : "")}, this.stage,
      h("aside", {class: "inspector"}, hasPixels ? this.pixel.element : null, this.card.element, this.textures.element),
      this.line.box, h("section", {class: "lower"}, this.bar, this.place)), tip);
    this.begin();
  }
  begin() {
    textOf(framePath(this.frame), "info.txt").then(lines => this.facts.replaceWith(frameFacts(fields(lines)))).catch(() => null);
    this.openTab();
    this.openSteps();
    this.restorePixel();
  }
  follow() {
    const key = state.get("draw"), step = key !== null ? this.steps.index.get(Number(key)) : undefined;
    this.select(step ?? this.steps.count - 1, key !== null);
    if (key !== null && step === undefined) this.wanted = Number(key);
  }
}
const showFrame = frame => new FramePage(frame).show();
